//! Contacts as constraints, and the impulses between their nodes.
//!
//! Impulses are equal and opposite. They act at one point. Friction between rope segments acts at
//! their surfaces and turns them. `sweeps.rs` finds the impulses.

use crate::body::rigid::{Rows, times};
use crate::body::vector::{Vec3, add, along, cross, dot, norm, scaled, sub};

/// A contact: nodes with weights, positive for the first piece and negative for the second.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    /// Both pieces, or a piece and a half-space. Half-space indices follow the indices of all
    /// pieces.
    pub(super) pair: (usize, usize),
    pub(super) nodes: [usize; 4],
    pub(super) weights: [f64; 4],
    /// Weights of the nodes of both pieces, which differ from `weights` for rigid bodies.
    pub(super) places: [f64; 4],
    /// Unit vector from the second piece to the first.
    pub(super) normal: Vec3,
    /// Minimum weighted sum of positions along the normal.
    pub(super) minimum: f64,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    /// Impulse along the normal, at least 0.
    pub(super) push: f64,
    /// Impulse along the surface.
    pub(super) drag: Vec3,
    /// Motion of a moving collider at the contact.
    pub(super) carry: Carry,
    /// Motion of the touching surfaces per unit of motion of each node along the normal. Rope
    /// segments rotate, so their surfaces slip on each other.
    pub(super) spin: [Vec3; 4],
    /// Rotations of the rigid bodies among both pieces.
    pub(super) levers: Option<Box<[Option<Lever>; 2]>>,
    /// Maximum gap at which a contact without an impulse still stops an approach; above 0 if the
    /// pair touches at the start of the step.
    pub(super) closed: f64,
    /// Initial guess of the impulses on velocities.
    pub(super) guess: Impulse,
    /// Impulses on positions, stored before the solver for velocities starts.
    pub(super) position_impulse: Impulse,
}

/// An impulse: a component along the normal, at least 0, and a vector along the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Impulse {
    pub(super) push: f64,
    pub(super) drag: Vec3,
}

/// Rotation of a rigid body at a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lever {
    /// Node whose values are rotation vectors: the direction is the axis, and the length the angle
    /// in radians.
    pub(super) node: usize,
    /// Vector from the hub to the contact, negated for the second piece.
    pub(super) arm: Vec3,
    /// Inverse tensor of inertia.
    pub(super) inverse: Rows,
}

impl Lever {
    /// Returns the change of the rotation by an impulse at the contact.
    fn turned_by(&self, impulse: Vec3) -> Vec3 {
        times(&self.inverse, cross(self.arm, impulse))
    }

    /// Returns the change of the motion along a unit vector per unit of impulse along it.
    fn yielding(&self, direction: Vec3) -> f64 {
        dot(cross(self.arm, direction), self.turned_by(direction))
    }
}

/// Motion of a moving collider's surface at a contact, minus the motion of the collider's nodes; 0
/// for a fixed collider.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Carry {
    /// Displacement in the step.
    pub(super) displacement: Vec3,
    /// Velocity at the start of the step.
    pub(super) before: Vec3,
    /// Velocity at the end of the step.
    pub(super) v: Vec3,
    /// Displacement along the normal in the step; 0 if the collider has nodes.
    pub(super) rise: f64,
}

/// Nodes of the solver: first the nodes of the body, then the nodes of colliders.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Inverse masses; 0 for nodes that cannot move.
    pub(super) inverse: Vec<f64>,
    /// Positions at the start of the step.
    pub(super) from: Vec<Vec3>,
    /// Positions at the end of the step.
    pub(super) to: Vec<Vec3>,
    /// Velocities at the start of the step.
    pub(super) before: Vec<Vec3>,
    /// Velocities at the end of the step.
    pub(super) v: Vec<Vec3>,
    /// Nodes that represent the rotations of rigid bodies, with tensors of inertia. Their inverse
    /// mass is 0.
    pub(super) turns: Vec<(usize, Rows)>,
}

impl Contact {
    /// Returns the weighted sum of values, including the contribution of rotations.
    pub(super) fn relative(&self, values: &[Vec3]) -> Vec3 {
        let sum =
            (0..4).fold([0.0; 3], |sum, k| along(sum, self.weights[k], values[self.nodes[k]]));
        self.levers().fold(sum, |sum, lever| add(sum, cross(values[lever.node], lever.arm)))
    }

    /// Iterates over the rotations of rigid bodies.
    fn levers(&self) -> impl Iterator<Item = &Lever> {
        self.levers.iter().flat_map(|levers| levers.iter().flatten())
    }

    /// Returns the displacement of the touching surfaces relative to each other, for positions that
    /// change from `a` to `b`.
    pub(super) fn moved(&self, a: &[Vec3], b: &[Vec3]) -> Vec3 {
        let change = |k: usize| sub(b[self.nodes[k]], a[self.nodes[k]]);
        let displacement = (0..4).fold([0.0; 3], |sum, k| along(sum, self.weights[k], change(k)));
        let turn = |lever: &Lever| cross(sub(b[lever.node], a[lever.node]), lever.arm);
        let displacement =
            self.levers().fold(displacement, |displacement, lever| add(displacement, turn(lever)));
        sub(self.turned(displacement, change), self.carry.displacement)
    }

    /// Adds the surface motion by the rotation of segments to a relative motion.
    fn turned(&self, motion: Vec3, of_node: impl Fn(usize) -> Vec3) -> Vec3 {
        if !self.turns() {
            return motion;
        }
        let turn = |sum, k: usize| along(sum, dot(self.normal, of_node(k)), self.spin[k]);
        (0..4).fold(motion, turn)
    }

    pub(super) fn turns(&self) -> bool {
        self.spin[0] != [0.0; 3]
    }

    /// Returns the slip velocity at the end of the step.
    pub(super) fn slip(&self, v: &[Vec3]) -> Vec3 {
        self.turned(self.velocity(v), |k| v[self.nodes[k]])
    }

    /// Returns the weighted sum of velocities at the end of the step, relative to the collider's
    /// surface.
    pub(super) fn velocity(&self, v: &[Vec3]) -> Vec3 {
        sub(self.relative(v), self.carry.v)
    }

    /// Returns the weighted sum of velocities at the start of the step, relative to the collider's
    /// surface.
    pub(super) fn velocity_before(&self, before: &[Vec3]) -> Vec3 {
        sub(self.relative(before), self.carry.before)
    }

    /// Returns the change of the relative motion per unit of impulse.
    pub(super) fn yielding(&self, inverse: &[f64]) -> f64 {
        let yielding = self.yielding_of_nodes(inverse);
        self.levers().fold(yielding, |sum, lever| sum + lever.yielding(self.normal))
    }

    fn yielding_of_nodes(&self, inverse: &[f64]) -> f64 {
        (0..4).map(|k| self.weights[k] * self.weights[k] * inverse[self.nodes[k]]).sum()
    }

    /// Returns the change of the slip per unit of impulse along it, including the rotation of
    /// segments and of rigid bodies.
    pub(super) fn yielding_along(&self, slip: Vec3, inverse: &[f64]) -> f64 {
        let turn = |k: usize| dot(self.spin[k], self.spin[k]) * inverse[self.nodes[k]];
        let yielding = self.yielding_of_nodes(inverse) + (0..4).map(turn).sum::<f64>();
        let size = norm(slip);
        if size == 0.0 {
            return yielding;
        }
        let direction = scaled(slip, 1.0 / size);
        self.levers().fold(yielding, |sum, lever| sum + lever.yielding(direction))
    }

    /// Applies an impulse along the surface.
    pub(super) fn rub(&self, impulse: Vec3, inverse: &[f64], values: &mut [Vec3]) {
        self.apply(impulse, inverse, values);
        if self.turns() {
            for (node, spin) in self.nodes.into_iter().zip(self.spin) {
                values[node] = along(values[node], inverse[node] * dot(spin, impulse), self.normal);
            }
        }
    }

    /// Applies the accumulated impulses again, times `share`; -1 reverts them.
    pub(super) fn apply_all(&self, share: f64, inverse: &[f64], values: &mut [Vec3]) {
        self.apply(scaled(self.normal, share * self.push), inverse, values);
        self.rub(scaled(self.drag, share), inverse, values);
    }

    /// Warm-starts the contact: applies a known impulse, whose drag is projected onto the surface.
    /// A contact whose nodes cannot move starts from zero, because no sweep would change it.
    pub(super) fn begin_with(&mut self, known: Impulse, inverse: &[f64], values: &mut [Vec3]) {
        let known = if self.yielding(inverse) > 0.0 { known } else { Impulse::default() };
        let Impulse { push, drag } = known;
        (self.push, self.drag) = (push, along(drag, -dot(drag, self.normal), self.normal));
        if push != 0.0 {
            self.apply_all(1.0, inverse, values);
        }
    }

    /// Applies an impulse to positions or velocities.
    pub(super) fn apply(&self, impulse: Vec3, inverse: &[f64], values: &mut [Vec3]) {
        for (node, weight) in self.nodes.into_iter().zip(self.weights) {
            values[node] = along(values[node], weight * inverse[node], impulse);
        }
        for lever in self.levers() {
            values[lever.node] = add(values[lever.node], lever.turned_by(impulse));
        }
    }

    /// Returns the accumulated impulse.
    pub(super) fn impulse(&self) -> Vec3 {
        along(self.drag, self.push, self.normal)
    }

    /// Returns the accumulated impulse on its node `k`.
    pub(super) fn impulse_on(&self, k: usize) -> Vec3 {
        let turn = dot(self.spin[k], self.drag);
        along(scaled(self.impulse(), self.weights[k]), turn, self.normal)
    }

    /// Returns the gap of the contact, below zero if the pieces are too close.
    pub(super) fn gap(&self, positions: &[Vec3]) -> f64 {
        dot(self.normal, self.relative(positions)) - self.minimum
    }
}

/// Scales all changes of velocity by one factor, so that the kinetic energy does not exceed the
/// kinetic energy of the velocities `before`. Returns the factor; 1 if no scaling was needed.
pub(super) fn lose_energy(contacts: &[Contact], nodes: &mut Nodes, before: &[Vec3]) -> f64 {
    // With a factor s, the energy changes by s a + s² b.
    let (mut a, mut b) = (0.0, 0.0);
    for (node, inverse) in nodes.inverse.iter().enumerate().filter(|(_, inverse)| **inverse > 0.0) {
        let change = sub(nodes.v[node], before[node]);
        a += dot(change, before[node]) / inverse;
        b += 0.5 * dot(change, change) / inverse;
    }
    for (node, inertia) in &nodes.turns {
        let change = sub(nodes.v[*node], before[*node]);
        let momentum = times(inertia, change);
        a += dot(momentum, before[*node]);
        b += 0.5 * dot(momentum, change);
    }
    if a + b <= 0.0 || contacts.is_empty() {
        return 1.0;
    }
    let share = if b > 0.0 { (-a / b).clamp(0.0, 1.0) } else { 0.0 };
    for (v, before) in nodes.v.iter_mut().zip(before) {
        *v = along(*before, share, sub(*v, *before));
    }
    share
}

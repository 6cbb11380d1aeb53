//! Contacts reduced to the numbers that the solver for impulses uses: a Gauss-Seidel step of a
//! contact, and its rows of the linear system of [`super::direct`].

use super::rows::{Reduced, Row};
use super::solve::{Contact, Impulse};
use crate::body::vector::{Vec3, along, cross, dot, norm, perpendicular, scaled, sub};

/// Required motion at a contact: a motion along the normal, relative to the motion of the collider.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    pub(super) along: f64,
    pub(super) carry: Vec3,
}

/// A contact without rotations of rigid bodies, reduced to the numbers that sweeps use.
pub(super) struct Smooth {
    nodes: [usize; 4],
    weights: [f64; 4],
    /// Change of the value of each node per unit of impulse: weight times inverse mass.
    shares: [f64; 4],
    normal: Vec3,
    /// Required motion along the normal, relative to `carry`.
    goal: f64,
    carry: Vec3,
    yielding: f64,
    pub(super) push: f64,
    /// Index of the contact.
    pub(super) index: usize,
}

impl Smooth {
    /// Returns the contacts whose nodes can move.
    pub(super) fn all(
        contacts: &[Contact],
        inverse: &[f64],
        goal: impl Fn(usize, &Contact) -> Goal,
    ) -> impl Iterator<Item = Self> {
        let all = contacts.iter().enumerate().map(move |(index, contact)| {
            let Goal { along, carry } = goal(index, contact);
            let Contact { nodes, weights, normal, push, .. } = *contact;
            let shares = std::array::from_fn(|k| weights[k] * inverse[nodes[k]]);
            let yielding = contact.yielding(inverse);
            Self { nodes, weights, shares, normal, goal: along, carry, yielding, push, index }
        });
        all.filter(|contact| contact.yielding > 0.0)
    }

    /// Returns the missing motion along the normal.
    #[inline(always)]
    fn missing(&self, values: &[Vec3]) -> f64 {
        let Self { nodes, weights, .. } = *self;
        let mut motion = [0.0; 3];
        for k in 0..4 {
            motion = along(motion, weights[k], values[nodes[k]]);
        }
        self.goal - dot(self.normal, sub(motion, self.carry))
    }

    /// Changes the impulse along the normal so that no motion is missing. Returns its change.
    #[inline(always)]
    fn press(&mut self, values: &mut [Vec3]) -> f64 {
        let push = (self.push + self.missing(values) / self.yielding).max(0.0);
        let change = push - self.push;
        self.push = push;
        if change != 0.0 {
            self.apply(scaled(self.normal, change), values);
        }
        change.abs()
    }

    #[inline(always)]
    fn apply(&self, impulse: Vec3, values: &mut [Vec3]) {
        for (&node, share) in self.nodes.iter().zip(self.shares) {
            values[node] = along(values[node], share, impulse);
        }
    }
}

/// A contact with or without friction, and without rotations of rigid bodies, reduced to the
/// numbers that sweeps use.
pub(super) struct Rough {
    pub(super) smooth: Smooth,
    friction: f64,
    /// Impulse along the surface.
    pub(super) drag: Vec3,
    /// -1 divided by the change of the slip per unit of impulse along it.
    yielding: f64,
    /// Values of the nodes that slip is measured from.
    from: [Vec3; 4],
    /// Motion of the collider, subtracted before and after the rotation of segments is added.
    carry: [Vec3; 2],
    /// Rotation of segments; `None` if they do not rotate.
    turn: Option<Turn>,
}

/// Rotation of the segments of a contact.
struct Turn {
    spin: [Vec3; 4],
    /// Inverse masses of the nodes.
    inverse: [f64; 4],
}

impl Rough {
    /// Adds friction to a reduced contact. `from` returns the value of a node from which slip is
    /// measured.
    pub(super) fn new(
        smooth: Smooth,
        contact: &Contact,
        inverse: &[f64],
        from: impl Fn(usize) -> Vec3,
        carry: [Vec3; 2],
    ) -> Self {
        let turn = contact
            .turns()
            .then(|| Turn { spin: contact.spin, inverse: contact.nodes.map(|node| inverse[node]) });
        let yielding = match turn {
            Some(_) => contact.yielding_along([0.0; 3], inverse),
            None => smooth.yielding,
        };
        Self {
            friction: contact.friction,
            drag: contact.drag,
            yielding: -1.0 / yielding,
            from: contact.nodes.map(from),
            carry,
            turn,
            smooth,
        }
    }

    /// Reduces the slip to zero, as far as friction allows. Returns the change of the impulse.
    #[inline(always)]
    fn brake(&mut self, values: &mut [Vec3]) -> f64 {
        let (slip, normal) = (self.slip(values), self.smooth.normal);
        let slip = along(slip, -dot(slip, normal), normal);
        let wanted = along(self.drag, self.yielding, slip);
        let (size, limit) = (dot(wanted, wanted).sqrt(), self.friction * self.smooth.push);
        let drag = if size > limit { scaled(wanted, limit / size) } else { wanted };
        let change = sub(drag, self.drag);
        self.drag = drag;
        if change != [0.0; 3] {
            self.rub(change, values);
        }
        dot(change, change).sqrt()
    }

    /// Returns the displacement or the velocity of the touching surfaces relative to each other, as
    /// [`Contact::moved`] and [`Contact::slip`].
    #[inline(always)]
    fn slip(&self, values: &[Vec3]) -> Vec3 {
        let Smooth { nodes, weights, normal, .. } = self.smooth;
        let mut changes = [[0.0; 3]; 4];
        let mut motion = [0.0; 3];
        for k in 0..4 {
            changes[k] = sub(values[nodes[k]], self.from[k]);
            motion = along(motion, weights[k], changes[k]);
        }
        motion = sub(motion, self.carry[0]);
        if let Some(Turn { spin, .. }) = &self.turn {
            for k in 0..4 {
                motion = along(motion, dot(normal, changes[k]), spin[k]);
            }
        }
        sub(motion, self.carry[1])
    }

    /// Applies an impulse along the surface, as [`Contact::rub`].
    #[inline(always)]
    fn rub(&self, impulse: Vec3, values: &mut [Vec3]) {
        self.smooth.apply(impulse, values);
        if let Some(Turn { spin, inverse }) = &self.turn {
            let Smooth { nodes, normal, .. } = self.smooth;
            for k in 0..4 {
                let turned = inverse[k] * dot(spin[k], impulse);
                values[nodes[k]] = along(values[nodes[k]], turned, normal);
            }
        }
    }
}

impl Reduced for Smooth {
    #[inline(always)]
    fn relax(&mut self, values: &mut [Vec3]) -> f64 {
        self.press(values) * self.yielding
    }

    fn place(&self) -> usize {
        let moving = self.nodes.iter().zip(self.shares).filter(|(_, share)| *share != 0.0);
        moving.map(|(node, _)| *node).min().unwrap_or(usize::MAX)
    }

    fn rows(&self, values: &[Vec3], _: bool, rows: &mut Vec<Row>) {
        if self.push > 0.0 {
            let motion = self.weights.map(|weight| scaled(self.normal, weight));
            let effect = self.shares.map(|share| scaled(self.normal, share));
            rows.push(Row { nodes: self.nodes, motion, effect, missing: self.missing(values) });
        }
    }

    fn change(&mut self, unknowns: &[f64], values: &mut [Vec3]) {
        if let [change] = *unknowns {
            let push = (self.push + change).max(0.0);
            self.apply(scaled(self.normal, push - self.push), values);
            self.push = push;
        }
    }

    fn caused(&self) -> f64 {
        self.push * self.yielding
    }

    fn impulse(&self) -> Impulse {
        Impulse { push: self.push, drag: [0.0; 3] }
    }

    fn set_impulse(&mut self, impulse: Impulse) {
        self.push = impulse.push;
    }
}

impl Reduced for Rough {
    #[inline(always)]
    fn relax(&mut self, values: &mut [Vec3]) -> f64 {
        let pressed = self.smooth.press(values);
        let maximum = if self.friction > 0.0 { pressed.max(self.brake(values)) } else { pressed };
        maximum * self.smooth.yielding
    }

    fn place(&self) -> usize {
        self.smooth.place()
    }

    fn rows(&self, values: &[Vec3], is_planar: bool, rows: &mut Vec<Row>) {
        let Smooth { nodes, weights, shares, normal, .. } = self.smooth;
        let first = rows.len();
        self.smooth.rows(values, is_planar, rows);
        let Some(row) = rows.get_mut(first).filter(|_| self.friction > 0.0) else { return };
        if let Some(direction) = self.sliding() {
            let along_both = along(normal, self.friction, direction);
            row.effect = shares.map(|share| scaled(along_both, share));
            return;
        }
        let slip = self.slip(values);
        for direction in tangents(normal, is_planar).into_iter().flatten() {
            let motion = weights.map(|weight| scaled(direction, weight));
            let effect = shares.map(|share| scaled(direction, share));
            rows.push(Row { nodes, motion, effect, missing: -dot(slip, direction) });
        }
    }

    fn change(&mut self, unknowns: &[f64], values: &mut [Vec3]) {
        let Some((_, along_surface)) = unknowns.split_first() else { return };
        let sliding = self.sliding();
        self.smooth.change(&unknowns[..1], values);
        let limit = self.friction * self.smooth.push;
        let drag = match sliding {
            Some(direction) => scaled(direction, limit),
            None => {
                let directions = tangents(self.smooth.normal, along_surface.len() == 1);
                let pairs = directions.into_iter().flatten().zip(along_surface);
                let drag = pairs.fold(self.drag, |sum, (axis, change)| along(sum, *change, axis));
                let size = norm(drag);
                if size > limit { scaled(drag, limit / size) } else { drag }
            }
        };
        self.rub(sub(drag, self.drag), values);
        self.drag = drag;
    }

    fn caused(&self) -> f64 {
        self.smooth.push.max(norm(self.drag)) * self.smooth.yielding
    }

    fn impulse(&self) -> Impulse {
        Impulse { push: self.smooth.push, drag: self.drag }
    }

    fn set_impulse(&mut self, impulse: Impulse) {
        (self.smooth.push, self.drag) = (impulse.push, impulse.drag);
    }
}

impl Rough {
    /// Returns the direction of the impulse along the surface if it has reached the limit of
    /// friction; `None` for a contact that sticks, or that has no friction.
    fn sliding(&self) -> Option<Vec3> {
        let size = norm(self.drag);
        let limit = self.friction * self.smooth.push;
        (size > 0.0 && size >= limit * (1.0 - AT_LIMIT)).then(|| scaled(self.drag, 1.0 / size))
    }
}

/// Relative difference below which an impulse along the surface counts as being at its limit.
const AT_LIMIT: f64 = 1e-12;

/// Returns unit vectors along a surface: two, or one in the plane.
fn tangents(normal: Vec3, is_planar: bool) -> [Option<Vec3>; 2] {
    if is_planar {
        return [Some([-normal[1], normal[0], 0.0]), None];
    }
    let first = perpendicular(normal);
    [Some(first), Some(cross(normal, first))]
}

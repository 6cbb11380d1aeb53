//! Friction of contacts whose pushes are known, as a force.
//!
//! For known pushes the friction has the potential μ p |u| of the displacement u along the contact,
//! so the matrix of a search stays symmetric.

use super::{Contact, Equilibrium};
use catena_sim::force::rod::Rods;
use catena_sim::vector::{Vec3, along, dot, scaled, sub};
use catena_sim::{
    Block, Blocks, Body, Entry, Force, Model, Setup, State,
    force::{Account, ForceEnergy},
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Change of a push between searches that counts as 0, as a share of the weight.
pub(super) const SETTLED: f64 = 1e-11;

/// Collider and nodes of a contact.
pub(super) type Pair = (Option<usize>, Vec<usize>);

/// Name of the force of [`Grips`].
pub(super) const GRIPS: &str = "Grips";

/// Friction of a contact whose push is known.
#[derive(Clone, Debug)]
pub(super) struct Grip {
    pub(super) nodes: Vec<usize>,
    pub(super) weights: Vec<f64>,
    pub(super) normal: Vec3,
    /// Maximum friction, μ p.
    pub(super) maximum: f64,
    /// Reference position for displacements: the initial position, or the position to which
    /// friction pulls the contact back.
    pub(super) from: Vec3,
    /// Displacement within which friction rises to its limit.
    pub(super) near: f64,
}
catena_sim::identity!(Grip { nodes, weights, normal, maximum, from, near });

/// Friction of contacts whose pushes are known.
#[derive(Clone, Debug)]
struct Grips {
    grips: Vec<Grip>,
}
catena_sim::identity!(Grips { grips });

/// Weighted mean position of the nodes of a contact.
pub(super) fn place(nodes: &[usize], weights: &[f64], n: usize, state: &State) -> Vec3 {
    let pairs = nodes.iter().zip(weights);
    pairs.fold([0.0; 3], |sum, (node, weight)| along(sum, *weight, state.position(n, *node)))
}

impl Grip {
    /// Displacement along the contact from `from`.
    fn displacement(&self, n: usize, state: &State) -> Vec3 {
        let offset = sub(place(&self.nodes, &self.weights, n, state), self.from);
        along(offset, -dot(offset, self.normal), self.normal)
    }

    /// Force on the body.
    fn force(&self, n: usize, state: &State) -> Vec3 {
        let displacement = self.displacement(n, state);
        scaled(
            displacement,
            -self.maximum / (dot(displacement, displacement) + self.near * self.near).sqrt(),
        )
    }

    /// Derivative of the force with respect to the position.
    fn slope(&self, axes: usize, n: usize, state: &State) -> Block {
        let displacement = self.displacement(n, state);
        let size = (dot(displacement, displacement) + self.near * self.near).sqrt();
        let mut block = [[0.0; 3]; 3];
        for (p, row) in block.iter_mut().enumerate().take(axes) {
            for (q, value) in row.iter_mut().enumerate().take(axes) {
                let own = if p == q { 1.0 } else { 0.0 };
                let across = own - self.normal[p] * self.normal[q];
                let turned = displacement[p] * displacement[q] / (size * size);
                *value = -self.maximum / size * (across - turned);
            }
        }
        block
    }
}

impl Force for Grips {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for grip in &self.grips {
            let force = grip.force(n, state);
            for (node, weight) in grip.nodes.iter().zip(&grip.weights) {
                for (axis, force) in force.iter().enumerate().take(body.model.axes) {
                    f[axis * n + node] += weight * force;
                }
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        for grip in &self.grips {
            let slope = grip.slope(body.model.axes, body.model.nodes(), state);
            for (&i, a) in grip.nodes.iter().zip(&grip.weights) {
                for (&j, b) in grip.nodes.iter().zip(&grip.weights) {
                    let by_x = slope.map(|row| row.map(|value| a * b * value));
                    blocks.add(&Entry { i, j, by_x, by_v: [[0.0; 3]; 3] });
                }
            }
        }
    }

    /// Returns 0: friction is no external load.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Contact)
    }
}

/// Friction of the contact with these nodes; 0 if it has none.
pub(super) fn force_of(grips: &[Grip], nodes: &[usize], n: usize, state: &State) -> Vec3 {
    let own = grips.iter().find(|grip| grip.nodes == nodes);
    own.map_or([0.0; 3], |grip| grip.force(n, state))
}

pub(super) fn nodes(contact: &Contact) -> Vec<usize> {
    contact.nodes.iter().map(|(node, _)| *node).collect()
}

pub(super) fn pair(contact: &Contact) -> Pair {
    (contact.collider, nodes(contact))
}

/// Moves the known pushes by the fraction `share` towards the pushes of an equilibrium. New
/// contacts get their whole push, and contacts that have opened are removed. Returns the maximum
/// difference.
pub(super) fn follow(pushes: &mut BTreeMap<Pair, f64>, rest: &Equilibrium, share: f64) -> f64 {
    let mut next = BTreeMap::new();
    let mut change = 0.0_f64;
    for contact in &rest.contacts {
        let known = pushes.remove(&pair(contact));
        let before = known.unwrap_or(0.0);
        change = change.max((contact.force - before).abs());
        let share = if known.is_some() { share } else { 1.0 };
        next.insert(pair(contact), before + share * (contact.force - before));
    }
    let open = pushes.values().copied().fold(0.0, f64::max);
    *pushes = next;
    change.max(open)
}

/// Adds friction to a setup. The new setup starts at the equilibrium of the last search, without
/// moving pins, unless the body's rods or routes remember their motion.
pub(super) fn with_grips(setup: &Setup, rest: &Equilibrium, grips: Vec<Grip>) -> Setup {
    let mut held = setup.clone();
    held.forces.push(Arc::new(Grips { grips }));
    let has_routes = setup.forces.iter().any(|force| force.route().is_some());
    if setup.rods().is_some_and(Rods::remembers) || has_routes {
        return held;
    }
    held.initial = rest.state();
    (held.start_time, held.warm_up) = (rest.time, 0);
    // The pins are already at their final positions.
    held.anchors.clear();
    held
}

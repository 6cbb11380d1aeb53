//! What contacts did in a step: the impulses that colliders and nodes received.

use super::put;
use crate::body::vector::{Vec3, add, scaled};
use crate::body::{Model, State};

/// Impulses of all contacts of one step, as force times time; divided by the step they are mean
/// forces. Both lists are empty where nothing was touched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactForces {
    /// What each collider received, in the order of [`Contacts::colliders`](super::Contacts).
    pub on_colliders: Vec<Vec3>,
    /// What each node received from colliders and other nodes, flat by axis as [`State::v`]. That
    /// of a pinned node is what its pin takes up.
    pub on_nodes: Vec<f64>,
    /// The work of colliders that move, in units of energy: the impulse of each contact times the
    /// velocity of the collider there.
    pub work: f64,
}

impl ContactForces {
    /// Whether nothing was touched.
    pub fn is_empty(&self) -> bool {
        self.on_colliders.is_empty() && self.on_nodes.is_empty()
    }

    /// Impulse that one of `n` nodes received, z being 0 in the plane.
    pub fn on_node(&self, n: usize, i: usize) -> Vec3 {
        [0, 1, 2].map(|axis| self.on_nodes.get(axis * n + i).copied().unwrap_or(0.0))
    }

    /// Forgets a step.
    pub(crate) fn clear(&mut self) {
        self.on_colliders.clear();
        self.on_nodes.clear();
        self.work = 0.0;
    }

    /// Adds an impulse that a collider received, one of so many.
    pub(super) fn push_collider(&mut self, count: usize, index: usize, impulse: Vec3) {
        self.on_colliders.resize(count, [0.0; 3]);
        self.on_colliders[index] = add(self.on_colliders[index], impulse);
    }

    /// Adds an impulse that a pinned node received.
    pub(super) fn push_pin(&mut self, model: &Model, node: usize, impulse: Vec3) {
        let (n, axes) = (model.nodes(), model.axes);
        self.on_nodes.resize(n * axes, 0.0);
        let sum = add(self.on_node(n, node), impulse);
        put(&mut self.on_nodes, n, axes, node, sum);
    }

    /// Sets what free nodes received: what contacts changed their momentum by.
    pub(crate) fn set_free(
        &mut self,
        model: &Model,
        before: &State,
        after: &State,
        displaced: &[usize],
    ) {
        let (n, axes) = (model.nodes(), model.axes);
        if !displaced.is_empty() {
            self.on_nodes.resize(n * axes, 0.0);
        }
        for &node in displaced.iter().filter(|&&node| !model.pinned[node]) {
            let change = add(after.velocity(n, node), scaled(before.velocity(n, node), -1.0));
            put(&mut self.on_nodes, n, axes, node, scaled(change, model.mass[node]));
        }
    }
}

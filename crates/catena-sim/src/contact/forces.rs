//! Impulses that colliders and nodes received from contacts in one step.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::put;
use crate::body::vector::{Vec3, add, scaled};
use crate::body::{Model, State};

/// Impulses of all contacts of one step, in units of force times time. Divided by the time step,
/// they are mean forces. Both lists are empty if nothing was touched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactForces {
    /// Impulse on each collider, in the order of [`Contacts::colliders`](super::Contacts).
    pub on_colliders: Vec<Vec3>,
    /// Impulse on each node from colliders and other nodes, flat by axis like [`State::v`]. The
    /// entry of a pinned node is the impulse that its pin absorbs.
    pub on_nodes: Vec<f64>,
    /// Work done by moving colliders, in units of energy. Each contact adds its impulse times the
    /// velocity of the collider at the contact.
    pub work: f64,
}

impl ContactForces {
    /// Whether nothing was touched.
    pub fn is_empty(&self) -> bool {
        self.on_colliders.is_empty() && self.on_nodes.is_empty()
    }

    /// Impulse on node `i` of `n`. The z component is 0 in a planar scene.
    pub fn on_node(&self, n: usize, i: usize) -> Vec3 {
        [0, 1, 2].map(|axis| self.on_nodes.get(axis * n + i).copied().unwrap_or(0.0))
    }

    /// Removes all impulses.
    pub(crate) fn clear(&mut self) {
        self.on_colliders.clear();
        self.on_nodes.clear();
        self.work = 0.0;
    }

    /// Adds an impulse on collider `index` of `count`.
    pub(super) fn push_collider(&mut self, count: usize, index: usize, impulse: Vec3) {
        self.on_colliders.resize(count, [0.0; 3]);
        self.on_colliders[index] = add(self.on_colliders[index], impulse);
    }

    /// Adds an impulse on a pinned node.
    pub(super) fn push_pin(&mut self, model: &Model, node: usize, impulse: Vec3) {
        let (n, axes) = (model.nodes(), model.axes);
        self.on_nodes.resize(n * axes, 0.0);
        let sum = add(self.on_node(n, node), impulse);
        put(&mut self.on_nodes, n, axes, node, sum);
    }

    /// Sets the impulses of free nodes: the change of momentum by contacts.
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

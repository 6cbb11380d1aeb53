//! Removal of rounding errors at the end of a step, so that nodes come to rest exactly.

use super::step::DrawnStep;
use crate::body::State;
use crate::body::vector::{greatest, sub};

/// Relative change of a position below which it is a rounding error.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Maximum velocity that is set to zero, as a fraction of the velocity change by contacts.
const STILL: f64 = 1e-12;
/// Maximum velocity of a node at rest, as a fraction of the velocity change by contacts. Smaller
/// velocities are errors of the solver.
pub(super) const RESTING_VELOCITY: f64 = 1e-7;
/// Maximum displacement of a node at rest in a step, as a fraction of the displacement by contacts.
/// Smaller displacements are errors of the solver. Only the displacement is removed, so a node that
/// starts to move is delayed by less than a step.
pub(super) const RESTING_DISPLACEMENT: f64 = 1e-4;

impl DrawnStep {
    /// Removes rounding errors from nodes in contact: displacements, and velocities if a fixed
    /// collider stops them.
    pub(super) fn settle(&mut self, free: &State) {
        let n = self.body_nodes;
        for k in 0..self.contacts.len() {
            let contact = &self.contacts[k];
            let collider = self.collider(contact.pair.1);
            let stands = collider.is_some_and(|index| self.obstacles.mover(index).is_none());
            let nodes = &mut self.nodes;
            for node in contact.nodes.into_iter().filter(|&node| node < n) {
                if nodes.inverse[node] == 0.0 {
                    continue;
                }
                let from = nodes.from[node];
                if greatest(sub(nodes.to[node], from)) <= ROUNDING * greatest(from) {
                    nodes.to[node] = from;
                }
                let change = greatest(sub(nodes.v[node], free.velocity(n, node)));
                let fastest = greatest(nodes.v[node]).max(greatest(nodes.before[node]));
                let pushed = greatest(sub(nodes.to[node], free.position(n, node)));
                let displacement = greatest(sub(nodes.to[node], from));
                if fastest <= RESTING_VELOCITY * change
                    && displacement <= RESTING_DISPLACEMENT * pushed
                {
                    nodes.to[node] = from;
                }
                if stands && greatest(nodes.v[node]) <= STILL * change {
                    nodes.v[node] = [0.0; 3];
                }
            }
        }
        self.rest_solids(free);
    }
}

//! Rest at the end of a step: what rounding has left of ways and velocities goes.

use super::step::DrawnSolver;
use crate::body::State;
use crate::body::vector::{greatest, sub};

/// Changes of positions below this share of their size are those of rounding.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Velocities below this share of what contacts changed are zero.
const STILL: f64 = 1e-12;

impl DrawnSolver {
    /// Takes rounding from nodes that contacts hold: their ways, and their velocities where a
    /// collider that stands stops them.
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
                if stands && greatest(nodes.v[node]) <= STILL * change {
                    nodes.v[node] = [0.0; 3];
                }
            }
        }
    }
}

//! Rest at the end of a step: what rounding has left of ways and velocities goes.

use super::step::DrawnSolver;
use crate::body::State;
use crate::body::vector::{greatest, sub};

/// Changes of positions below this share of their size are those of rounding.
pub(super) const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Velocities below this share of what contacts changed are zero.
const STILL: f64 = 1e-12;
/// Shares of what contacts changed up to which a velocity and a way are what their search leaves
/// of nodes at rest. The way alone goes, so what begins to move is late by less than a step.
const RESTING_VELOCITY: f64 = 1e-7;
const RESTING_WAY: f64 = 1e-4;

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
                let fastest = greatest(nodes.v[node]).max(greatest(nodes.before[node]));
                let pushed = greatest(sub(nodes.to[node], free.position(n, node)));
                let way = greatest(sub(nodes.to[node], from));
                if fastest <= RESTING_VELOCITY * change && way <= RESTING_WAY * pushed {
                    nodes.to[node] = from;
                }
                if stands && greatest(nodes.v[node]) <= STILL * change {
                    nodes.v[node] = [0.0; 3];
                }
            }
        }
    }
}

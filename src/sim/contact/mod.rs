//! Contacts: nodes with colliders, and nodes with each other.
//!
//! After each step the way of every node is looked at as a whole, so nothing passes through anything however large the
//! step. The body's contacts with itself come first and colliders second; as one may undo the other they take
//! turns, and nodes that still find no place go back to where the step began.

mod hash;
mod impact;
mod own;
mod response;
mod zones;

use super::collider::Surface;
use super::{Collider, Model, State};
use own::Own;
use response::Way;

/// How often contacts of the body with itself and with colliders take turns.
const ROUNDS: usize = 4;

/// Nodes that keep their distance from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContact {
    /// Least distance of two nodes that no spring joins, above zero.
    pub thickness: f64,
    /// What a contact does.
    pub surface: Surface,
}

/// All that a body can touch.
#[derive(Debug, Default)]
pub struct Contacts {
    /// Solid things.
    pub colliders: Vec<Box<dyn Collider>>,
    /// Distance that nodes keep from colliders, at least 0.
    pub radius: f64,
    /// The body with itself; `None` where it passes through itself.
    pub own: Option<SelfContact>,
}

impl Contacts {
    /// Whether there is nothing to touch.
    pub fn is_empty(&self) -> bool {
        self.colliders.is_empty() && self.own.is_none()
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no node ends on the wrong side of
    /// anything. Nodes whose position or velocity it changed are added to `displaced`.
    pub fn resolve(
        &self,
        model: &Model,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
    ) {
        let Some(own) = self.own else {
            self.collide(model, start, state, displaced);
            return;
        };
        let own = Own::new(own, model, start);
        for round in 0..ROUNDS {
            let touched = own.resolve(state, displaced);
            if round > 0 && !touched || !self.collide(model, start, state, displaced) {
                return;
            }
        }
        own.hold_back(state, displaced);
    }

    /// Takes all free nodes out of the colliders; says whether there was anything to do.
    fn collide(
        &self,
        model: &Model,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
    ) -> bool {
        if self.colliders.is_empty() {
            return false;
        }
        let (n, axes) = (model.nodes(), model.axes);
        let mut touched = false;
        for i in (0..n).filter(|&i| !model.pinned[i]) {
            let way = Way {
                from: start.position(n, i),
                to: state.position(n, i),
                before: start.velocity(n, i),
                v: state.velocity(n, i),
            };
            if let Some((x, v)) = self.respond(way) {
                put(&mut state.x, (n, axes), i, x);
                put(&mut state.v, (n, axes), i, v);
                displaced.push(i);
                touched = true;
            }
        }
        touched
    }
}

/// Writes the vector of node `i` of `(nodes, axes)` into a flat one.
fn put(flat: &mut [f64], (nodes, axes): (usize, usize), i: usize, vector: [f64; 3]) {
    for axis in 0..axes {
        flat[axis * nodes + i] = vector[axis];
    }
}

//! Contacts of nodes with colliders, and of nodes with each other.
//!
//! After each step the whole path of every node is swept, so nothing passes through anything
//! however large the step. Passes for self-contacts and for colliders alternate, since one may undo
//! the other. Piles that are still too close after that are settled from below: what touches a
//! collider is held, then what touches that, and so on (shock propagation, Guendelman, Bridson,
//! Fedkiw 2003). The last resorts are rigid zones, and going back to the start of the step.

pub mod collider;
pub mod drawn;
mod forces;
mod hash;
mod impact;
mod own;
mod response;
mod zones;

use self::collider::Collider;
use self::collider::Surface;
pub use self::drawn::{DrawnContact, PartContact};
pub use self::forces::ContactForces;
use crate::body::vector::scaled;
use crate::body::{Model, SpringMemory, State};
use crate::budget::Meter;
use own::SelfContacts;
use response::NodePath;
use std::sync::Arc;

/// Passes in which all free nodes move.
const PASSES: usize = 6;

/// Passes of shock propagation, in which nodes that touch held ones become held.
const LEVELS: usize = 24;

/// Nanoseconds of a node and a collider that do not touch, and of a node that touches and is swept
/// several times.
const BESIDE: u64 = 150;
const TOUCHING: u64 = 1000;

/// Self-contact: nodes that keep their distance from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContact {
    /// Least distance of two nodes that no spring joins, above zero.
    pub thickness: f64,
    /// Restitution and friction.
    pub surface: Surface,
}

/// Everything that a body can touch.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Solid obstacles.
    pub colliders: Vec<Arc<dyn Collider>>,
    /// Distance that nodes keep from colliders, at least 0.
    pub radius: f64,
    /// Contact of the body with itself; `None` if it passes through itself.
    pub own: Option<SelfContact>,
    /// Contact of all that is drawn, in place of that of nodes; `None` where nodes alone touch.
    pub drawn: Option<DrawnContact>,
}

impl Contacts {
    /// Whether there is nothing to touch.
    pub fn is_empty(&self) -> bool {
        self.colliders.is_empty() && self.own.is_none() && self.drawn.is_none()
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no node ends on
    /// the wrong side of anything. Adds the nodes that it changed to `displaced`, in any order, and
    /// what colliders and pinned nodes received to `forces`. Gives up when the meter ends the run.
    pub fn resolve(
        &self,
        (model, springs): (&Model, &SpringMemory),
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) {
        let mut grounded = vec![None; model.nodes()];
        let Some(own) = self.own else {
            self.collide((model, start), state, &mut grounded, displaced, forces, meter);
            return;
        };
        let mut own = SelfContacts::new(own, (model, springs), start, meter);
        let mut is_held = model.pinned.clone();
        for pass in 0..PASSES + LEVELS {
            let hits = own.pass(state, &is_held, displaced, forces);
            let touched =
                self.collide((model, start), state, &mut grounded, displaced, forces, meter);
            if displaced.len() > 4 * model.nodes() {
                displaced.sort_unstable();
                displaced.dedup();
            }
            if (hits.is_empty() && !touched) || meter.is_over() {
                break;
            }
            if pass + 1 == PASSES {
                if grounded.iter().all(Option::is_none) {
                    break;
                }
                is_held.iter_mut().zip(&grounded).for_each(|(held, at)| *held |= at.is_some());
            } else if pass + 1 > PASSES {
                own.lean(state, hits, &mut is_held, displaced, forces);
            }
        }
        own.make_rigid(state, displaced);
        if self.collide((model, start), state, &mut grounded, displaced, forces, meter) {
            own.hold_back(state, displaced);
        }
    }

    /// Moves all free nodes out of the colliders; returns whether any touched one. `grounded` has
    /// the positions of nodes that touched something before; a node that is still there needs no
    /// work.
    fn collide(
        &self,
        (model, start): (&Model, &State),
        state: &mut State,
        grounded: &mut [Option<[f64; 3]>],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) -> bool {
        let colliders = self.colliders.len() as u64;
        if colliders == 0 || !meter.spend(BESIDE * colliders * model.nodes() as u64) {
            return false;
        }
        let (n, axes) = (model.nodes(), model.axes);
        let (mut touched, mut pushes) = (false, Vec::new());
        for i in (0..n).filter(|&i| !model.pinned[i]) {
            let way = NodePath {
                from: start.position(n, i),
                to: state.position(n, i),
                before: start.velocity(n, i),
                v: state.velocity(n, i),
            };
            if grounded[i] == Some(way.to) {
                continue;
            }
            if let Some((x, v)) = self.respond(way, &mut pushes) {
                for (index, change) in pushes.drain(..) {
                    let impulse = scaled(change, -model.mass[i]);
                    forces.push_collider((self.colliders.len(), index), impulse);
                }
                put(&mut state.x, (n, axes), i, x);
                put(&mut state.v, (n, axes), i, v);
                displaced.push(i);
                (touched, grounded[i]) = (true, Some(x));
                if !meter.spend(TOUCHING * colliders) {
                    return true;
                }
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

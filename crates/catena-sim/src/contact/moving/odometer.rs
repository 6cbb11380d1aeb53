//! Distance that moving colliders have travelled since the box of each node was created.
//!
//! Each node has a box in which it touches no collider while the colliders move by at most a
//! certain distance. Let L be the distance between the node and a collider when the box is created.
//! The box uses a quarter of 0.9 L for the node's displacement, and the same for its path within a
//! step. Colliders that turn by at most 0.2 radians bend that path by 0.2 L. A quarter of L remains
//! for the motion of the colliders. Boxes only save time: results are the same without them.

use super::Stride;
use crate::contact::fence::Fence;

/// Fraction of the clearance from a moving collider that the half diagonal of a node's box fills.
pub(in crate::contact) const FILLED: f64 = 0.25 * 0.9;

/// Fraction of the clearance by which the colliders may move.
const ROOM: f64 = 0.25;

/// Maximum rotation per step for which boxes are valid, as [`Stride::turn`].
const TURN: f64 = 0.2;

/// Distance travelled by colliders, and the value at which each node's box expires.
#[derive(Default)]
pub(in crate::contact) struct Odometer {
    reading: f64,
    until: Vec<f64>,
    /// Lower bound of all values of `until`.
    minimum: f64,
}

impl Odometer {
    /// Creates an odometer for `nodes` nodes, none of which has a limit.
    pub(in crate::contact) fn new(nodes: usize) -> Self {
        Self { reading: 0.0, until: vec![f64::INFINITY; nodes], minimum: f64::INFINITY }
    }

    /// Adds a step of the colliders, and removes the boxes that are invalid for it.
    pub(in crate::contact) fn advance(&mut self, stride: Stride, fence: &mut Fence) {
        if !(stride.follows && stride.turn <= TURN && stride.length.is_finite()) {
            fence.forget();
            (self.reading, self.minimum) = (0.0, f64::INFINITY);
            return;
        }
        self.reading += stride.length;
        let needed = self.reading + 0.5 * stride.length;
        if needed <= self.minimum {
            return;
        }
        self.minimum = f64::INFINITY;
        for (node, until) in self.until.iter_mut().enumerate() {
            if *until < needed {
                fence.remove(node);
                *until = f64::INFINITY;
            }
            self.minimum = self.minimum.min(*until);
        }
    }

    /// Sets the limit of a node's box, for colliders at this minimum distance.
    pub(in crate::contact) fn set(&mut self, node: usize, distance: f64) {
        let until = self.reading + ROOM * distance;
        self.until[node] = until;
        self.minimum = self.minimum.min(until);
    }
}

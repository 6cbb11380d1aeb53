//! How far moving colliders have gone since the box around each node was drawn.
//!
//! A node has a box in which no collider is touched, and a room by which the colliders may move
//! meanwhile. Of its distance L from a collider when both were set, the box takes a quarter of nine
//! tenths for the node's own motion and as much for its way in a step; colliders that turn by at
//! most a fifth bend that way by 0.2 L; a quarter of L is left for the colliders. What a box says
//! is proved, so whoever has none computes the same, only later.

use super::Stride;
use crate::contact::fence::Fence;

/// The share of the distance to a moving collider that the box around a node fills.
pub(in crate::contact) const FILLED: f64 = 0.25 * 0.9;

/// The share of the distance by which the colliders may move.
const ROOM: f64 = 0.25;

/// The greatest turn in a step for which boxes hold.
const TURN: f64 = 0.2;

/// How far colliders have gone, and how far they may go for each node.
#[derive(Default)]
pub(in crate::contact) struct Odometer {
    reading: f64,
    until: Vec<f64>,
    /// The least of them, at most.
    least: f64,
}

impl Odometer {
    /// For so many nodes.
    pub(in crate::contact) fn new(nodes: usize) -> Self {
        Self { reading: 0.0, until: vec![f64::INFINITY; nodes], least: f64::INFINITY }
    }

    /// Hears of a step of the colliders, and takes the boxes away that do not hold for it.
    pub(in crate::contact) fn go_on(&mut self, stride: Stride, fence: &mut Fence) {
        if !(stride.follows && stride.turn <= TURN && stride.length.is_finite()) {
            fence.forget();
            (self.reading, self.least) = (0.0, f64::INFINITY);
            return;
        }
        self.reading += stride.length;
        let needed = self.reading + 0.5 * stride.length;
        if needed <= self.least {
            return;
        }
        self.least = f64::INFINITY;
        for (node, until) in self.until.iter_mut().enumerate() {
            if *until < needed {
                fence.remove(node);
                *until = f64::INFINITY;
            }
            self.least = self.least.min(*until);
        }
    }

    /// Lets the box of a node hold until colliders have moved by their share of this distance.
    pub(in crate::contact) fn set(&mut self, node: usize, distance: f64) {
        let until = self.reading + ROOM * distance;
        self.until[node] = until;
        self.least = self.least.min(until);
    }
}

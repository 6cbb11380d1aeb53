//! The colliders of a run with their precomputed values, and lower bounds for distances from them.

use super::Contacts;
use super::collider::Surface;
use super::collider::shape::{Scales, Shape, scales};
use super::moving::{Mover, Stride};
use crate::body::State;
use crate::body::vector::{Vec3, greatest};
use std::sync::Arc;

/// Minimum valid distance, whose square does not underflow.
const MIN_DISTANCE: f64 = 1e-100;

/// Maximum valid distance, whose square does not overflow.
const MAX_DISTANCE: f64 = 1e100;

/// A collider with precomputed values.
pub(super) struct Obstacle {
    /// Shape at the end of the step, in scene coordinates.
    pub(super) shape: Shape,
    pub(super) surface: Surface,
    /// Lowest index of a collider that is the same object as this one.
    first: usize,
    /// Magnitude of the coordinates of the shape, in units of length. It bounds the rounding error
    /// of distances.
    scale: f64,
    /// Maximum rounding error of a sweep along a path that just misses the collider, in units of
    /// length.
    blur: f64,
    /// Index of the collider in [`Obstacles::movers`]; `None` if the collider does not move.
    pub(super) mover: Option<usize>,
}

/// All colliders, in the order of the setup.
#[derive(Default)]
pub(super) struct Obstacles {
    pub(super) all: Vec<Obstacle>,
    /// Distance between nodes and colliders in contact.
    pub(super) radius: f64,
    /// The moving colliders.
    pub(super) movers: Vec<Mover>,
}

impl Obstacles {
    pub(super) fn new(contacts: &Contacts) -> Self {
        let mut obstacles = Self { radius: contacts.radius, ..Self::default() };
        for collider in &contacts.colliders {
            let is_same = |other: &Arc<_>| Arc::ptr_eq(other, collider);
            let first = contacts.colliders.iter().position(is_same).unwrap_or(0);
            let mover = Mover::new(collider);
            obstacles.all.push(Obstacle {
                shape: Shape::of(collider),
                surface: collider.surface(),
                first,
                scale: 0.0,
                blur: 0.0,
                mover: mover.is_some().then_some(obstacles.movers.len()),
            });
            obstacles.movers.extend(mover);
            obstacles.scale(obstacles.all.len() - 1, scales(&collider.solid()));
        }
        obstacles.place();
        obstacles
    }

    /// Updates the magnitudes that bound the rounding errors of a collider.
    fn scale(&mut self, index: usize, Scales { magnitude, round }: Scales) {
        let radius = self.radius;
        let obstacle = &mut self.all[index];
        obstacle.scale = magnitude;
        // A sweep takes a square root at a round surface, which leaves half of the digits.
        obstacle.blur =
            if round > 0.0 { 8.0 * f64::EPSILON.sqrt() * (round + radius) } else { 0.0 };
    }

    /// Places all moving colliders at the end of the step.
    fn place(&mut self) {
        for index in 0..self.all.len() {
            let Some(mover) = self.mover(index) else { continue };
            let (shape, scales) = (mover.shape(), mover.scales());
            self.all[index].shape = shape;
            self.scale(index, scales);
        }
    }

    /// Returns a collider's mover; `None` if the collider does not move.
    #[inline]
    pub(super) fn mover(&self, index: usize) -> Option<&Mover> {
        self.all[index].mover.map(|mover| &self.movers[mover])
    }

    /// Advances all moving colliders to a step between two states of `nodes` nodes. Returns the
    /// maximum motion of a collider in the step.
    pub(super) fn advance(&mut self, states: [&State; 2], nodes: usize) -> Stride {
        let times = states.map(|state| state.t);
        let mut all = Stride { length: 0.0, turn: 0.0, follows: true };
        for mover in &mut self.movers {
            let follows = mover.advance(times);
            let stride = mover.stride(self.radius, states, nodes);
            all.length = greater(all.length, stride.length);
            all.turn = greater(all.turn, stride.turn);
            all.follows &= follows;
        }
        self.place();
        all
    }

    /// Whether two colliders are the same object. A setup may contain an object twice.
    pub(super) fn are_one(&self, a: usize, b: usize) -> bool {
        self.all[a].first == self.all[b].first
    }

    /// Returns a lower bound of the distance by which a node at `point` misses contact with a
    /// collider; -1 if no bound is known. A path within nine tenths of this distance around the
    /// point touches nothing, despite rounding.
    #[inline]
    pub(super) fn clearance(&self, index: usize, point: Vec3) -> f64 {
        let obstacle = &self.all[index];
        let size = obstacle.scale + greatest(point) + self.radius;
        let margin = 64.0 * f64::EPSILON * size + obstacle.blur;
        let clearance = obstacle.shape.rough_gap(point) - self.radius - margin;
        if clearance > MIN_DISTANCE && size < MAX_DISTANCE {
            clearance.min(MAX_DISTANCE)
        } else {
            -1.0
        }
    }
}

/// Returns the greater of two numbers, or NaN if `b` is NaN.
fn greater(a: f64, b: f64) -> f64 {
    if b <= a { a } else { b }
}

//! The colliders of a run, with all that can be computed once, and how far a point certainly is
//! from them.

use super::Contacts;
use super::collider::shape::{Shape, scales};
use super::collider::{Solid, Surface};
use super::moving::{Mover, Stride};
use crate::body::State;
use crate::body::vector::{Vec3, greatest};
use std::sync::Arc;

/// Distances that count as certain lie between these, where no square overflows or vanishes.
const LEAST: f64 = 1e-100;
const MOST: f64 = 1e100;

/// A collider at work.
pub(super) struct Obstacle {
    /// Where it is at the end of the step.
    pub(super) shape: Shape,
    pub(super) surface: Surface,
    /// The number of the first collider that is the same one.
    first: usize,
    /// The size of the numbers that it computes with.
    scale: f64,
    /// What rounding may make of a path that just passes by.
    blur: f64,
    /// Its place among those that move.
    pub(super) mover: Option<usize>,
}

/// All colliders, in the order of the setup.
#[derive(Default)]
pub(super) struct Obstacles {
    pub(super) all: Vec<Obstacle>,
    /// Distance that nodes keep from them.
    pub(super) radius: f64,
    /// Those that move.
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
            obstacles.scale(obstacles.all.len() - 1, collider.solid());
        }
        obstacles.place();
        obstacles
    }

    /// Takes over how large the numbers of a collider are.
    fn scale(&mut self, index: usize, solid: Solid) {
        let ((scale, round), radius) = (scales(solid), self.radius);
        let obstacle = &mut self.all[index];
        obstacle.scale = scale;
        // The root that tells where a path meets something round has half of the digits.
        obstacle.blur =
            if round > 0.0 { 8.0 * f64::EPSILON.sqrt() * (round + radius) } else { 0.0 };
    }

    /// Puts what moves where it is at the end of the step.
    fn place(&mut self) {
        for index in 0..self.all.len() {
            let Some(mover) = self.mover(index) else { continue };
            let (shape, solid) = (mover.shape(), mover.solid());
            self.all[index].shape = shape;
            self.scale(index, solid);
        }
    }

    /// The collider as one that moves.
    #[inline]
    pub(super) fn mover(&self, index: usize) -> Option<&Mover> {
        self.all[index].mover.map(|mover| &self.movers[mover])
    }

    /// Moves what moves on to a step between two states of so many nodes. Returns how far it goes.
    pub(super) fn go_on(&mut self, states: [&State; 2], nodes: usize) -> Stride {
        let times = states.map(|state| state.t);
        let mut all = Stride { length: 0.0, turn: 0.0, follows: true };
        for mover in &mut self.movers {
            let follows = mover.go_on(times);
            let stride = mover.stride(self.radius, states, nodes);
            all.length = greater(all.length, stride.length);
            all.turn = greater(all.turn, stride.turn);
            all.follows &= follows;
        }
        self.place();
        all
    }

    /// Whether two colliders are the same one, which a setup may name twice.
    pub(super) fn are_one(&self, a: usize, b: usize) -> bool {
        self.all[a].first == self.all[b].first
    }

    /// How far a point is from where it would touch a collider, at the least. A path that stays
    /// within nine tenths of that around the point does not touch it, whatever is rounded.
    #[inline]
    pub(super) fn clearance(&self, index: usize, point: Vec3) -> f64 {
        let obstacle = &self.all[index];
        let size = obstacle.scale + greatest(point) + self.radius;
        let margin = 64.0 * f64::EPSILON * size + obstacle.blur;
        let clearance = obstacle.shape.rough_gap(point) - self.radius - margin;
        if clearance > LEAST && size < MOST { clearance.min(MOST) } else { -1.0 }
    }
}

/// The greater of two numbers, or what is no number.
fn greater(a: f64, b: f64) -> f64 {
    if b <= a { a } else { b }
}

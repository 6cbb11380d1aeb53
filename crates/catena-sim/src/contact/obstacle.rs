//! The colliders of a run, with all that can be computed once, and how far a point certainly is
//! from them.

use super::Contacts;
use super::collider::Surface;
use super::collider::shape::{Shape, scales};
use crate::body::vector::{Vec3, greatest};
use std::sync::Arc;

/// Distances that count as certain lie between these, where no square overflows or vanishes.
const LEAST: f64 = 1e-100;
const MOST: f64 = 1e100;

/// A collider at work.
pub(super) struct Obstacle {
    pub(super) shape: Shape,
    pub(super) surface: Surface,
    /// The number of the first collider that is the same one.
    first: usize,
    /// The size of the numbers that it computes with.
    scale: f64,
    /// What rounding may make of a path that just passes by.
    blur: f64,
}

/// All colliders, in the order of the setup.
#[derive(Default)]
pub(super) struct Obstacles {
    pub(super) all: Vec<Obstacle>,
    /// Distance that nodes keep from them.
    pub(super) radius: f64,
}

impl Obstacles {
    pub(super) fn new(contacts: &Contacts) -> Self {
        let radius = contacts.radius;
        let all = contacts.colliders.iter().map(|collider| {
            let (scale, round) = scales(collider.as_ref());
            let is_same = |other: &Arc<_>| Arc::ptr_eq(other, collider);
            Obstacle {
                shape: Shape::of(collider),
                surface: collider.surface(),
                first: contacts.colliders.iter().position(is_same).unwrap_or(0),
                scale,
                // The root that tells where a path meets something round has half of the digits.
                blur: if round > 0.0 { 8.0 * f64::EPSILON.sqrt() * (round + radius) } else { 0.0 },
            }
        });
        Self { all: all.collect(), radius }
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

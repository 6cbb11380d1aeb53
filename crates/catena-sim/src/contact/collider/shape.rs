//! Colliders with precomputed values, because contacts query them many times per step.
//!
//! A shape gives the same bits as its collider.

use super::capsule::Rod;
use super::cuboid::Block;
use super::facets::Facets;
use super::plane::HalfSpace;
use super::sphere::Ball;
use super::{Collider, Solid};
use crate::body::vector::{Vec3, greatest, middle};
use crate::drive::motion::Placement;
use std::sync::Arc;

/// Distances and sweeps of a collider.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum Shape {
    /// Plane.
    HalfSpace(HalfSpace),
    /// Ball.
    Ball(Ball),
    /// Capsule.
    Rod(Rod),
    /// Box.
    Block(Block),
    /// Closed surface of triangles, in its frame if it has one.
    Facets(Arc<Facets>, Option<Box<Placement>>),
    /// Collider without a precomputed shape.
    Other(Arc<dyn Collider>),
    /// Collider without a precomputed shape, in a frame.
    Placed(Arc<dyn Collider>, Box<Placement>),
}

impl Shape {
    /// Creates the shape of a collider.
    pub(in crate::contact) fn of(collider: &Arc<dyn Collider>) -> Self {
        collider.shape().unwrap_or_else(|| Self::Other(Arc::clone(collider)))
    }

    /// Returns the number of levels of the tree of a surface of triangles, on which the time of
    /// distances depends; 0 for other shapes.
    pub(in crate::contact) fn levels(&self) -> u64 {
        match self {
            Self::Facets(it, _) => u64::from(it.triangles().len().max(1).ilog2()) + 1,
            _ => 0,
        }
    }

    /// Transforms the shape from the coordinates of `frame` to those of the scene.
    pub(in crate::contact) fn placed(&self, frame: &Placement) -> Self {
        match self {
            Self::HalfSpace(it) => Self::HalfSpace(it.placed(frame)),
            Self::Ball(it) => Self::Ball(it.placed(frame)),
            Self::Rod(it) => Self::Rod(it.placed(frame)),
            Self::Block(it) => Self::Block(it.placed(frame)),
            Self::Facets(it, _) => Self::Facets(Arc::clone(it), Some(Box::new(*frame))),
            Self::Other(it) | Self::Placed(it, _) => Self::Placed(Arc::clone(it), Box::new(*frame)),
        }
    }

    /// Returns the centre and radius of a bounding ball; `None` for an unbounded or unknown shape.
    pub(in crate::contact) fn around(&self) -> Option<(Vec3, f64)> {
        match self {
            Self::Ball(it) => Some((it.center, it.radius)),
            Self::Rod(it) => Some((middle(&it.ends), 0.5 * it.length + it.radius)),
            Self::Block(it) => Some(it.around()),
            Self::Facets(it, None) => Some(it.around()),
            Self::Facets(it, Some(frame)) => {
                let (middle, radius) = it.around();
                Some((frame.point(middle), radius))
            }
            Self::HalfSpace(_) | Self::Other(_) | Self::Placed(..) => None,
        }
    }

    /// Computes [`Collider::distance`].
    #[inline]
    pub(in crate::contact) fn distance(&self, point: Vec3) -> (f64, Vec3) {
        match self {
            Self::HalfSpace(it) => it.distance(point),
            Self::Ball(it) => it.distance(point),
            Self::Rod(it) => it.distance(point),
            Self::Block(it) => it.distance(point),
            Self::Facets(it, None) => it.distance(point),
            Self::Facets(it, Some(frame)) => {
                let (distance, normal) = it.distance(frame.inverse(point));
                (distance, frame.turned(normal))
            }
            Self::Other(it) => it.distance(point),
            Self::Placed(it, frame) => {
                let (distance, normal) = it.distance(frame.inverse(point));
                (distance, frame.turned(normal))
            }
        }
    }

    /// Returns the distance without the normal.
    #[inline]
    pub(in crate::contact) fn gap(&self, point: Vec3) -> f64 {
        match self {
            Self::HalfSpace(it) => it.gap(point),
            Self::Ball(it) => it.gap(point),
            Self::Rod(it) => it.gap(point),
            Self::Block(it) => it.distance(point).0,
            Self::Facets(it, None) => it.distance(point).0,
            Self::Facets(it, Some(frame)) => it.distance(frame.inverse(point)).0,
            Self::Other(it) => it.distance(point).0,
            Self::Placed(it, frame) => it.distance(frame.inverse(point)).0,
        }
    }

    /// Returns the distance without the normal, possibly with other rounding.
    #[inline]
    pub(in crate::contact) fn rough_gap(&self, point: Vec3) -> f64 {
        match self {
            Self::Ball(it) => it.rough_gap(point),
            Self::Rod(it) => it.rough_gap(point),
            _ => self.gap(point),
        }
    }

    /// Whether a path that begins on a round shape certainly meets it at once. A sweep then finds a
    /// fraction, and the start is at most `close` beyond the radius. `false` means unknown.
    #[inline]
    pub(in crate::contact) fn is_met_at_once(
        &self,
        from: Vec3,
        to: Vec3,
        radius: f64,
        close: f64,
    ) -> bool {
        match self {
            Self::Ball(it) => it.is_met_at_once(from, to, radius, close),
            Self::Rod(it) => it.is_met_at_once(from, to, radius, close),
            _ => false,
        }
    }

    /// Whether a path along its surface may meet another part of it.
    pub(in crate::contact) fn has_valleys(&self) -> bool {
        matches!(self, Self::Facets(..))
    }

    /// Returns the normal of the part that a path hits first, for shapes with valleys.
    pub(in crate::contact) fn hit_normal(&self, from: Vec3, to: Vec3, radius: f64) -> Option<Vec3> {
        match self {
            Self::Facets(it, None) => it.hit(from, to, radius).map(|(_, normal)| normal),
            Self::Facets(it, Some(frame)) => {
                let hit = it.hit(frame.inverse(from), frame.inverse(to), radius);
                hit.map(|(_, normal)| frame.turned(normal))
            }
            _ => None,
        }
    }

    /// Computes [`Collider::sweep`].
    #[inline]
    pub(in crate::contact) fn sweep(&self, from: Vec3, to: Vec3, radius: f64) -> Option<f64> {
        match self {
            Self::HalfSpace(it) => it.sweep(from, to, radius),
            Self::Ball(it) => it.sweep(from, to, radius),
            Self::Rod(it) => it.sweep(from, to, radius),
            Self::Block(it) => it.sweep(from, to, radius),
            Self::Facets(it, None) => it.sweep(from, to, radius),
            Self::Facets(it, Some(frame)) => {
                it.sweep(frame.inverse(from), frame.inverse(to), radius)
            }
            Self::Other(it) => it.sweep(from, to, radius),
            Self::Placed(it, frame) => it.sweep(frame.inverse(from), frame.inverse(to), radius),
        }
    }
}

/// Returns the magnitude of the numbers that a collider computes with, and the size of its round
/// parts.
pub(in crate::contact) fn scales(solid: &Solid) -> (f64, f64) {
    match *solid {
        Solid::Facets { ref points, .. } | Solid::Polygon { ref points } => {
            (points.iter().map(|point| greatest(*point)).fold(0.0, f64::max), 0.0)
        }
        Solid::HalfSpace { point, .. } => (greatest(point), 0.0),
        Solid::Capsule { a, b, radius } => {
            let size = greatest(a).max(greatest(b));
            let side = [0, 1, 2].map(|k: usize| b[k] - a[k]);
            (size + radius, 2.0 * greatest(side) + radius)
        }
        Solid::Box { center, half, .. } => (greatest(center) + 2.0 * greatest(half), 0.0),
    }
}

//! Colliders with precomputed values, because contacts query them many times per step.
//!
//! The results of a shape are bit-identical to the results of its collider.

use super::facets::Facets;
use super::{Collider, Solid};
use crate::body::vector::{Vec3, along, dot, greatest, middle, norm, scaled_norm, sub};
use crate::contact::collider::geometry::{direction, dives, length_and_direction, reach};
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
    /// Closed surface of triangles; for a moving collider, also the placement of its frame.
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

    /// Transforms the shape from the coordinates of `frame` to scene coordinates.
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

    /// Returns the signed distance and the normal; see [`Collider::distance`].
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

    /// Whether a path that begins on a round shape certainly hits it at its start. A sweep then
    /// finds a fraction, and the start is at most `close` beyond the radius. `false` means unknown.
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

    /// Whether a path along the surface may meet another part of the surface.
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

    /// Returns the path fraction of the first hit; see [`Collider::sweep`].
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

/// Lengths that bound the rounding errors of a collider.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Scales {
    /// Magnitude of the numbers in distance computations.
    pub(in crate::contact) magnitude: f64,
    /// Size of the round parts; 0 if there are none.
    pub(in crate::contact) round: f64,
}

/// Returns the scales of a solid.
pub(in crate::contact) fn scales(solid: &Solid) -> Scales {
    let flat = |magnitude: f64| Scales { magnitude, round: 0.0 };
    match *solid {
        Solid::Facets { ref points, .. } | Solid::Polygon { ref points } => {
            flat(points.iter().map(|point| greatest(*point)).fold(0.0, f64::max))
        }
        Solid::HalfSpace { point, .. } => flat(greatest(point)),
        Solid::Capsule { a, b, radius } => {
            let size = greatest(a).max(greatest(b));
            let side = [0, 1, 2].map(|k: usize| b[k] - a[k]);
            Scales { magnitude: size + radius, round: 2.0 * greatest(side) + radius }
        }
        Solid::Box { center, half, .. } => flat(greatest(center) + 2.0 * greatest(half)),
    }
}

/// Precomputed plane: all points behind it.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct HalfSpace {
    pub(in crate::contact) point: [f64; 3],
    pub(in crate::contact) normal: [f64; 3],
}

impl HalfSpace {
    pub(in crate::contact) fn placed(&self, frame: &Placement) -> Self {
        Self { point: frame.point(self.point), normal: frame.turned(self.normal) }
    }

    pub(in crate::contact) fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        (self.gap(point), self.normal)
    }

    #[inline]
    pub(crate) fn gap(&self, point: [f64; 3]) -> f64 {
        dot(sub(point, self.point), self.normal)
    }

    #[inline]
    pub(crate) fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let (start, end) = (self.gap(from) - radius, self.gap(to) - radius);
        if end >= 0.0 || end >= start {
            return None;
        }
        Some((start / (start - end)).max(0.0))
    }
}

/// Precomputed ball: all points closer to a centre than a radius.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Ball {
    pub(in crate::contact) center: [f64; 3],
    pub(in crate::contact) radius: f64,
}

impl Ball {
    pub(crate) fn placed(&self, frame: &Placement) -> Self {
        Self { center: frame.point(self.center), radius: self.radius }
    }

    #[inline]
    pub(crate) fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        let (size, normal) = length_and_direction(sub(point, self.center));
        (size - self.radius, normal)
    }

    #[inline]
    pub(crate) fn gap(&self, point: [f64; 3]) -> f64 {
        scaled_norm(sub(point, self.center)) - self.radius
    }

    #[inline]
    pub(crate) fn rough_gap(&self, point: [f64; 3]) -> f64 {
        let from = sub(point, self.center);
        dot(from, from).sqrt() - self.radius
    }

    #[inline]
    pub(crate) fn is_met_at_once(
        &self,
        from: [f64; 3],
        to: [f64; 3],
        radius: f64,
        close: f64,
    ) -> bool {
        let radius = self.radius + radius;
        dives(sub(from, self.center), sub(to, from), radius, radius, close)
    }

    #[inline]
    pub(crate) fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        reach(sub(from, self.center), sub(to, from), self.radius + radius)
    }
}

/// Precomputed capsule: all points closer to a segment than a radius.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Rod {
    pub(in crate::contact) ends: [Vec3; 2],
    pub(in crate::contact) unit: Vec3,
    pub(in crate::contact) length: f64,
    pub(in crate::contact) radius: f64,
}

impl Rod {
    pub(crate) fn placed(&self, frame: &Placement) -> Self {
        let ends = self.ends.map(|end| frame.point(end));
        Self { ends, unit: frame.turned(self.unit), length: self.length, radius: self.radius }
    }

    /// Returns the vector from the nearest point of the axis to `point`.
    #[inline]
    fn off_axis(&self, point: Vec3) -> Vec3 {
        let from = sub(point, self.ends[0]);
        along(from, -dot(from, self.unit).clamp(0.0, self.length), self.unit)
    }

    /// Returns the path fraction at which the path meets the cylinder between the two ends.
    fn meets_side(&self, from: Vec3, displacement: Vec3, radius: f64) -> Option<f64> {
        let (unit, size) = (self.unit, self.length);
        let from = sub(from, self.ends[0]);
        let (start, advance) = (dot(from, unit), dot(displacement, unit));
        let share = reach(along(from, -start, unit), along(displacement, -advance, unit), radius)?;
        (0.0..=size).contains(&(start + share * advance)).then_some(share)
    }

    #[inline]
    pub(crate) fn distance(&self, point: Vec3) -> (f64, Vec3) {
        let (size, normal) = length_and_direction(self.off_axis(point));
        (size - self.radius, normal)
    }

    #[inline]
    pub(crate) fn gap(&self, point: Vec3) -> f64 {
        scaled_norm(self.off_axis(point)) - self.radius
    }

    #[inline]
    pub(crate) fn rough_gap(&self, point: Vec3) -> f64 {
        let from = self.off_axis(point);
        dot(from, from).sqrt() - self.radius
    }

    /// Whether a path certainly hits the cylinder at its start; ends are not considered.
    #[inline]
    pub(crate) fn is_met_at_once(&self, from: Vec3, to: Vec3, radius: f64, close: f64) -> bool {
        let (radius, ends) = (self.radius + radius, 1e-6 * self.length);
        let place = dot(sub(from, self.ends[0]), self.unit);
        place > ends
            && place < self.length - ends
            && dives(self.off_axis(from), sub(to, from), radius, radius + self.length, close)
    }

    #[inline]
    pub(crate) fn sweep(&self, from: Vec3, to: Vec3, radius: f64) -> Option<f64> {
        let (displacement, radius) = (sub(to, from), self.radius + radius);
        let outwards = self.off_axis(from);
        // The distance is convex along the path: if it does not decrease at first, it never does.
        if dot(outwards, displacement) >= 0.0 {
            return None;
        }
        if scaled_norm(outwards) <= radius {
            return Some(0.0);
        }
        let ends = self.ends.map(|end| reach(sub(from, end), displacement, radius));
        let side = self.meets_side(from, displacement, radius);
        ends.into_iter().chain([side]).flatten().reduce(f64::min)
    }
}

/// Precomputed box with the directions of its sides.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Block {
    pub(in crate::contact) center: Vec3,
    pub(in crate::contact) axes: [Vec3; 3],
    pub(in crate::contact) size: Vec3,
    /// Number of sides: 2 in the plane, 3 in space.
    pub(in crate::contact) sides: usize,
}

impl Block {
    pub(crate) fn placed(&self, frame: &Placement) -> Self {
        let axes = self.axes.map(|axis| frame.turned(axis));
        Self { center: frame.point(self.center), axes, size: self.size, sides: self.sides }
    }

    /// Returns the centre, and the distance from the centre to the corners.
    pub(crate) fn around(&self) -> (Vec3, f64) {
        (self.center, 0.5 * norm(&self.size[..self.sides]))
    }

    pub(crate) fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        let Self { axes, size, .. } = self;
        let from = sub(point, self.center);
        let (mut out, mut inmost) = ([0.0; 3], (f64::NEG_INFINITY, [0.0; 3]));
        for k in 0..self.sides {
            let at = dot(from, axes[k]);
            let beyond = at.abs() - 0.5 * size[k];
            let outwards = axes[k].map(|value| value * 1.0_f64.copysign(at));
            if beyond > 0.0 {
                out = along(out, beyond, outwards);
            }
            if beyond > inmost.0 {
                inmost = (beyond, outwards);
            }
        }
        if inmost.0 > 0.0 { (scaled_norm(out), direction(out)) } else { inmost }
    }

    pub(crate) fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let (displacement, mut share) = (sub(to, from), 0.0);
        for _ in 0..100 {
            let (distance, normal) = self.distance(along(from, share, displacement));
            let (gap, rate) = (distance - radius, dot(normal, displacement));
            if rate >= 0.0 {
                return None;
            }
            let free = gap.max(0.0) / -rate;
            if share + free > 1.0 {
                return None;
            }
            if share + free <= share * (1.0 + f64::EPSILON) {
                return Some(share);
            }
            share += free;
        }
        Some(share)
    }
}

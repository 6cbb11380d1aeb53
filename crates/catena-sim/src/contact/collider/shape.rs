//! Colliders with all that follows from their options computed once: contacts ask them many times
//! a step.
//!
//! A shape gives the bits of the collider that it was made of.

use super::capsule::Rod;
use super::cuboid::Block;
use super::plane::HalfSpace;
use super::sphere::Ball;
use super::{Collider, Solid};
use crate::body::vector::{Vec3, greatest, middle};
use crate::drive::motion::Placement;
use std::sync::Arc;

/// The distances and paths of a collider.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum Shape {
    /// Of a plane.
    HalfSpace(HalfSpace),
    /// Of a ball.
    Ball(Ball),
    /// Of a capsule.
    Rod(Rod),
    /// Of a box.
    Block(Block),
    /// Of a collider that only knows itself.
    Other(Arc<dyn Collider>),
    /// The same, where its frame lies.
    Placed(Arc<dyn Collider>, Box<Placement>),
}

impl Shape {
    /// The shape of a collider.
    pub(in crate::contact) fn of(collider: &Arc<dyn Collider>) -> Self {
        collider.shape().unwrap_or_else(|| Self::Other(Arc::clone(collider)))
    }

    /// The same shape, where a frame in which it is given like this lies.
    pub(in crate::contact) fn placed(&self, frame: &Placement) -> Self {
        match self {
            Self::HalfSpace(it) => Self::HalfSpace(it.placed(frame)),
            Self::Ball(it) => Self::Ball(it.placed(frame)),
            Self::Rod(it) => Self::Rod(it.placed(frame)),
            Self::Block(it) => Self::Block(it.placed(frame)),
            Self::Other(it) | Self::Placed(it, _) => Self::Placed(Arc::clone(it), Box::new(*frame)),
        }
    }

    /// A ball around it: its middle and its radius; `None` where it has no end, or is not known.
    pub(in crate::contact) fn around(&self) -> Option<(Vec3, f64)> {
        match self {
            Self::Ball(it) => Some((it.center, it.radius)),
            Self::Rod(it) => Some((middle(&it.ends), 0.5 * it.length + it.radius)),
            Self::Block(it) => Some(it.around()),
            Self::HalfSpace(_) | Self::Other(_) | Self::Placed(..) => None,
        }
    }

    /// [`Collider::distance`].
    #[inline]
    pub(in crate::contact) fn distance(&self, point: Vec3) -> (f64, Vec3) {
        match self {
            Self::HalfSpace(it) => it.distance(point),
            Self::Ball(it) => it.distance(point),
            Self::Rod(it) => it.distance(point),
            Self::Block(it) => it.distance(point),
            Self::Other(it) => it.distance(point),
            Self::Placed(it, frame) => {
                let (distance, normal) = it.distance(frame.inverse(point));
                (distance, frame.turned(normal))
            }
        }
    }

    /// The distance alone.
    #[inline]
    pub(in crate::contact) fn gap(&self, point: Vec3) -> f64 {
        match self {
            Self::HalfSpace(it) => it.gap(point),
            Self::Ball(it) => it.gap(point),
            Self::Rod(it) => it.gap(point),
            Self::Block(it) => it.distance(point).0,
            Self::Other(it) => it.distance(point).0,
            Self::Placed(it, frame) => it.distance(frame.inverse(point)).0,
        }
    }

    /// The distance alone, but for rounding.
    #[inline]
    pub(in crate::contact) fn rough_gap(&self, point: Vec3) -> f64 {
        match self {
            Self::Ball(it) => it.rough_gap(point),
            Self::Rod(it) => it.rough_gap(point),
            _ => self.gap(point),
        }
    }

    /// Whether a path that begins on something round certainly meets it at once: a sweep gives a
    /// share, and the distance at its start is at most `close` beyond the radius. `false` says
    /// nothing.
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

    /// [`Collider::sweep`].
    #[inline]
    pub(in crate::contact) fn sweep(&self, from: Vec3, to: Vec3, radius: f64) -> Option<f64> {
        match self {
            Self::HalfSpace(it) => it.sweep(from, to, radius),
            Self::Ball(it) => it.sweep(from, to, radius),
            Self::Rod(it) => it.sweep(from, to, radius),
            Self::Block(it) => it.sweep(from, to, radius),
            Self::Other(it) => it.sweep(from, to, radius),
            Self::Placed(it, frame) => it.sweep(frame.inverse(from), frame.inverse(to), radius),
        }
    }
}

/// The size of the numbers that a collider computes with, and the size of what is round of it.
pub(in crate::contact) fn scales(solid: Solid) -> (f64, f64) {
    match solid {
        Solid::HalfSpace { point, .. } => (greatest(point), 0.0),
        Solid::Capsule { a, b, radius } => {
            let size = greatest(a).max(greatest(b));
            let side = [0, 1, 2].map(|k: usize| b[k] - a[k]);
            (size + radius, 2.0 * greatest(side) + radius)
        }
        Solid::Box { center, half, .. } => (greatest(center) + 2.0 * greatest(half), 0.0),
    }
}

//! Distances, normals and hits of solids, for several nodes at a time.
//!
//! Each number is bit-identical to its counterpart in `collider`. The inputs must be finite, and
//! their squares must not overflow or underflow.

use crate::body::vector::Vec3;
use crate::contact::collider::{Ball, HalfSpace, Rod};
use crate::lane::{Lane, LaneMask, along, divided, dot, greatest, sub};

/// A collider of one shape.
pub(super) trait Solid: Copy {
    /// Whether the surface is flat, so that sliding nodes move on straight lines.
    const IS_FLAT: bool;

    /// Returns the distance from the centre or axis of a round solid, or from the surface of a flat
    /// one.
    fn size<V: Lane>(self, point: [V; 3]) -> V;

    /// Returns the signed distance from the surface for values of [`Solid::size`].
    fn gap<V: Lane>(self, size: V) -> V;

    /// Returns the outward normal at points with these values of [`Solid::size`].
    fn normal<V: Lane>(self, point: [V; 3], size: V) -> [V; 3];

    /// Whether paths meet the solid. `size` has the values of [`Solid::size`] where they start.
    fn meets<V: Lane>(self, from: [V; 3], size: V, to: [V; 3], radius: f64) -> V::Mask;
}

/// Copies a point to all lanes.
#[inline(always)]
fn all<V: Lane>(like: V, point: Vec3) -> [V; 3] {
    [like.like(point[0]), like.like(point[1]), like.like(point[2])]
}

/// Returns the lengths of vectors whose squares may overflow or underflow.
#[inline(always)]
pub(super) fn length<V: Lane>(a: [V; 3]) -> V {
    let scale = greatest(a);
    let unit = divided(a, scale);
    let size = scale * dot(unit, unit).sqrt();
    scale.is_above(scale.like(0.0)).select(size, scale)
}

/// Returns unit vectors, or the y axis for vectors without length.
#[inline(always)]
fn direction<V: Lane>(a: [V; 3], size: V) -> [V; 3] {
    size.is_above(size.like(0.0)).choose(divided(a, size), all(size, [0.0, 1.0, 0.0]))
}

/// Returns which points reach a ball around the origin, and at which fraction of the path. `far` is
/// their initial distance from the origin.
#[inline(always)]
fn reach<V: Lane>(from: [V; 3], far: V, offset: [V; 3], radius: f64) -> (V::Mask, V) {
    let (zero, one, radius) = (far.like(0.0), far.like(1.0), far.like(radius));
    let approaches = zero.is_above(dot(from, offset));
    let is_inside = radius.is_at_least(far);
    if !(approaches & !is_inside).any() {
        return (approaches, zero);
    }
    let size = length(offset);
    let unit = divided(offset, size);
    let before = -dot(from, unit);
    let nearest = along(from, before, unit);
    let half_chord = radius * radius - dot(nearest, nearest);
    let share = (before - half_chord.sqrt()) / size;
    let is_met = half_chord.is_at_least(zero) & one.is_at_least(share);
    (approaches & (is_inside | is_met), is_inside.select(zero, share.larger(zero)))
}

impl Solid for HalfSpace {
    const IS_FLAT: bool = true;

    #[inline(always)]
    fn size<V: Lane>(self, point: [V; 3]) -> V {
        dot(sub(point, all(point[0], self.point)), all(point[0], self.normal))
    }

    #[inline(always)]
    fn gap<V: Lane>(self, size: V) -> V {
        size
    }

    #[inline(always)]
    fn normal<V: Lane>(self, _point: [V; 3], size: V) -> [V; 3] {
        all(size, self.normal)
    }

    #[inline(always)]
    fn meets<V: Lane>(self, _from: [V; 3], size: V, to: [V; 3], radius: f64) -> V::Mask {
        let radius = size.like(radius);
        let (start, end) = (size - radius, self.size(to) - radius);
        size.like(0.0).is_above(end) & start.is_above(end)
    }
}

impl Solid for Ball {
    const IS_FLAT: bool = false;

    #[inline(always)]
    fn size<V: Lane>(self, point: [V; 3]) -> V {
        length(sub(point, all(point[0], self.center)))
    }

    #[inline(always)]
    fn gap<V: Lane>(self, size: V) -> V {
        size - size.like(self.radius)
    }

    #[inline(always)]
    fn normal<V: Lane>(self, point: [V; 3], size: V) -> [V; 3] {
        direction(sub(point, all(size, self.center)), size)
    }

    #[inline(always)]
    fn meets<V: Lane>(self, from: [V; 3], size: V, to: [V; 3], radius: f64) -> V::Mask {
        let offset = sub(to, from);
        reach(sub(from, all(size, self.center)), size, offset, self.radius + radius).0
    }
}

impl Solid for Rod {
    const IS_FLAT: bool = false;

    #[inline(always)]
    fn size<V: Lane>(self, point: [V; 3]) -> V {
        length(off_axis(self, point))
    }

    #[inline(always)]
    fn gap<V: Lane>(self, size: V) -> V {
        size - size.like(self.radius)
    }

    #[inline(always)]
    fn normal<V: Lane>(self, point: [V; 3], size: V) -> [V; 3] {
        direction(off_axis(self, point), size)
    }

    #[inline(always)]
    fn meets<V: Lane>(self, from: [V; 3], size: V, to: [V; 3], radius: f64) -> V::Mask {
        let (offset, radius) = (sub(to, from), self.radius + radius);
        let zero = size.like(0.0);
        let approaches = zero.is_above(dot(off_axis(self, from), offset));
        let is_inside = size.like(radius).is_at_least(size);
        if !(approaches & !is_inside).any() {
            return approaches;
        }
        let unit = all(size, self.unit);
        let [first, second] = self.ends;
        let (first, second) = (sub(from, all(size, first)), sub(from, all(size, second)));
        let ends = reach(first, length(first), offset, radius).0
            | reach(second, length(second), offset, radius).0;
        let (start, advance) = (dot(first, unit), dot(offset, unit));
        let across = along(first, -start, unit);
        let offset = along(offset, -advance, unit);
        let (is_met, share) = reach(across, length(across), offset, radius);
        let place = start + share * advance;
        let side = is_met & place.is_at_least(zero) & size.like(self.length).is_at_least(place);
        approaches & (is_inside | ends | side)
    }
}

/// Returns the vectors from the nearest points of the axis to `point`.
#[inline(always)]
fn off_axis<V: Lane>(rod: Rod, point: [V; 3]) -> [V; 3] {
    let unit = all(point[0], rod.unit);
    let from = sub(point, all(point[0], rod.ends[0]));
    let place = dot(from, unit).larger(point[0].like(0.0)).smaller(point[0].like(rod.length));
    along(from, -place, unit)
}

//! What a node at a solid must know, without a branch: loops over several nodes become vectors.
//!
//! Each number has the bits of that in `collider`, as long as all that goes in is finite and far
//! from where squares overflow.

use crate::body::vector::{Vec3, along, greatest, sub};
use crate::contact::collider::{Ball, HalfSpace, Rod};

/// Σ a b.
#[inline(always)]
pub(super) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The length of a vector.
#[inline(always)]
pub(super) fn length(a: Vec3) -> f64 {
    let scale = greatest(a);
    let unit = [a[0] / scale, a[1] / scale, a[2] / scale];
    let size = scale * dot(unit, unit).sqrt();
    if scale == 0.0 { scale } else { size }
}

/// The length of a vector, and the vector at length 1; upwards if it has no length.
#[inline(always)]
fn length_and_direction(a: Vec3) -> (f64, Vec3) {
    let size = length(a);
    let unit = [a[0] / size, a[1] / size, a[2] / size];
    (size, if size > 0.0 { unit } else { [0.0, 1.0, 0.0] })
}

/// The share of the path at which a point reaches a ball around the origin, where it does.
#[inline(always)]
fn reach(from: Vec3, way: Vec3, radius: f64) -> (bool, f64) {
    let size = length(way);
    let unit = [way[0] / size, way[1] / size, way[2] / size];
    let before = -dot(from, unit);
    let nearest = along(from, before, unit);
    let half_chord = radius * radius - dot(nearest, nearest);
    let share = (before - half_chord.sqrt()) / size;
    let is_inside = length(from) <= radius;
    let is_met = is_inside | ((half_chord >= 0.0) & (share <= 1.0));
    let is_met = is_met & (dot(from, way) < 0.0);
    (is_met, if is_inside { 0.0 } else { share.max(0.0) })
}

/// A collider of one shape.
pub(super) trait Solid: Copy {
    /// Whether its surface turns no node that slides along it.
    const IS_FLAT: bool;

    /// The distance of a point, and the normal there.
    fn distance(self, point: Vec3) -> (f64, Vec3);

    /// Whether a path meets it.
    fn meets(self, from: Vec3, to: Vec3, radius: f64) -> bool;
}

impl Solid for HalfSpace {
    const IS_FLAT: bool = true;

    #[inline(always)]
    fn distance(self, point: Vec3) -> (f64, Vec3) {
        (dot(sub(point, self.point), self.normal), self.normal)
    }

    #[inline(always)]
    fn meets(self, from: Vec3, to: Vec3, radius: f64) -> bool {
        let (start, end) = (self.distance(from).0 - radius, self.distance(to).0 - radius);
        (end < 0.0) & (end < start)
    }
}

impl Solid for Ball {
    const IS_FLAT: bool = false;

    #[inline(always)]
    fn distance(self, point: Vec3) -> (f64, Vec3) {
        let (size, normal) = length_and_direction(sub(point, self.center));
        (size - self.radius, normal)
    }

    #[inline(always)]
    fn meets(self, from: Vec3, to: Vec3, radius: f64) -> bool {
        reach(sub(from, self.center), sub(to, from), self.radius + radius).0
    }
}

impl Solid for Rod {
    const IS_FLAT: bool = false;

    #[inline(always)]
    fn distance(self, point: Vec3) -> (f64, Vec3) {
        let (size, normal) = length_and_direction(off_axis(&self, point));
        (size - self.radius, normal)
    }

    #[inline(always)]
    fn meets(self, from: Vec3, to: Vec3, radius: f64) -> bool {
        let (way, radius) = (sub(to, from), self.radius + radius);
        let outwards = off_axis(&self, from);
        let is_inside = length(outwards) <= radius;
        let ends = reach(sub(from, self.ends[0]), way, radius).0
            | reach(sub(from, self.ends[1]), way, radius).0;
        let (unit, size) = (self.unit, self.length);
        let from = sub(from, self.ends[0]);
        let (begins, goes) = (dot(from, unit), dot(way, unit));
        let (is_met, share) = reach(along(from, -begins, unit), along(way, -goes, unit), radius);
        let place = begins + share * goes;
        let side = is_met & (place >= 0.0) & (place <= size);
        (dot(outwards, way) < 0.0) & (is_inside | ends | side)
    }
}

/// The vector from the nearest point of the axis to a point.
#[inline(always)]
fn off_axis(rod: &Rod, point: Vec3) -> Vec3 {
    let from = sub(point, rod.ends[0]);
    let place = dot(from, rod.unit);
    let place = if place < 0.0 { 0.0 } else { place };
    let place = if place > rod.length { rod.length } else { place };
    along(from, -place, rod.unit)
}

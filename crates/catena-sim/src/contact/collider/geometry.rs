//! What round colliders share: a direction for every vector, and the time at which a point on a
//! straight path reaches a ball.

use crate::body::vector::{Vec3, along, dot, scaled_norm};

/// a at length 1; upwards if a has no length.
pub(in crate::contact) fn direction(a: Vec3) -> Vec3 {
    length_and_direction(a).1
}

/// The length of a, and a at length 1 as [`direction`] has it.
#[inline]
pub(in crate::contact) fn length_and_direction(a: Vec3) -> (f64, Vec3) {
    let size = scaled_norm(a);
    let unit = [a[0] / size, a[1] / size, a[2] / size];
    (size, if size > 0.0 { unit } else { [0.0, 1.0, 0.0] })
}

/// Whether a point that is `from` away from a round surface of this radius, of things of this size,
/// and moves by `way`, begins at most `close` beyond the surface and goes straight enough into it
/// for [`reach`] to find a share, however it rounds.
#[inline]
pub(in crate::contact) fn dives(from: Vec3, way: Vec3, radius: f64, size: f64, close: f64) -> bool {
    let (towards, square, step) = (-dot(from, way), dot(from, from), dot(way, way));
    let apart = square.sqrt();
    let rounding = 8.0 * f64::EPSILON * (apart + size);
    let depth = close + 64.0 * rounding;
    towards > 0.0
        && towards * towards > 1e-4 * square * step
        && towards > 200.0 * depth * apart
        && apart - radius + rounding <= close
        && square > 1e-200
        && step > 1e-200
        && square + step < 1e200
}

/// The first share of the path `from` + s `way`, 0 <= s <= 1, at which a point is no farther than
/// `radius` from the origin; `None` if it does not come so close or only moves away.
///
/// The equation |from + s way|² = radius² is solved around the point of the line nearest to the
/// origin: the textbook discriminant loses all digits where the path is much longer than the
/// radius.
pub(in crate::contact) fn reach(from: Vec3, way: Vec3, radius: f64) -> Option<f64> {
    if dot(from, way) >= 0.0 {
        return None;
    }
    if scaled_norm(from) <= radius {
        return Some(0.0);
    }
    reach_from_outside(from, way, radius)
}

/// The same where `from` is farther from the origin and `way` goes towards it.
#[inline]
pub(in crate::contact) fn reach_from_outside(from: Vec3, way: Vec3, radius: f64) -> Option<f64> {
    let size = scaled_norm(way);
    let unit = [way[0] / size, way[1] / size, way[2] / size];
    let before = -dot(from, unit);
    let nearest = along(from, before, unit);
    let half_chord = radius * radius - dot(nearest, nearest);
    if half_chord < 0.0 {
        return None;
    }
    let share = (before - half_chord.sqrt()) / size;
    (share <= 1.0).then_some(share.max(0.0))
}

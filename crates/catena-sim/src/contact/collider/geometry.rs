//! Helpers for round colliders: a direction for every vector, and the intersection of a straight
//! path with a ball.

use crate::body::vector::{Vec3, along, dot, scaled_norm};

/// Returns the unit vector along `a`; the y axis if `a` has no length.
pub(in crate::contact) fn direction(a: Vec3) -> Vec3 {
    length_and_direction(a).1
}

/// Returns the length of `a`, and its [`direction`].
#[inline]
pub(in crate::contact) fn length_and_direction(a: Vec3) -> (f64, Vec3) {
    let size = scaled_norm(a);
    let unit = [a[0] / size, a[1] / size, a[2] / size];
    (size, if size > 0.0 { unit } else { [0.0, 1.0, 0.0] })
}

/// Whether a path certainly hits a round surface at its start. [`reach`] then finds a fraction
/// despite rounding.
///
/// `from` is the start relative to the axis or centre, and `size` the extent of the solid. The
/// start must be at most `close` beyond the surface, and the path must be steep enough.
#[inline]
pub(in crate::contact) fn dives(
    from: Vec3,
    displacement: Vec3,
    radius: f64,
    size: f64,
    close: f64,
) -> bool {
    let (towards, square, step) =
        (-dot(from, displacement), dot(from, from), dot(displacement, displacement));
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

/// Returns the first fraction s of the path `from` + s `displacement`, 0 <= s <= 1, within `radius`
/// of the origin. Returns `None` if there is none or the point only moves away.
///
/// The equation |from + s displacement|² = radius² is solved relative to the point of the line
/// nearest to the origin. The textbook discriminant loses all digits if the path is much longer
/// than the radius.
pub(in crate::contact) fn reach(from: Vec3, displacement: Vec3, radius: f64) -> Option<f64> {
    if dot(from, displacement) >= 0.0 {
        return None;
    }
    if scaled_norm(from) <= radius {
        return Some(0.0);
    }
    reach_from_outside(from, displacement, radius)
}

/// Returns the result of [`reach`] for a start outside of the radius and a path towards the origin.
#[inline]
pub(in crate::contact) fn reach_from_outside(
    from: Vec3,
    displacement: Vec3,
    radius: f64,
) -> Option<f64> {
    let size = scaled_norm(displacement);
    let unit = [displacement[0] / size, displacement[1] / size, displacement[2] / size];
    let before = -dot(from, unit);
    let nearest = along(from, before, unit);
    let half_chord = radius * radius - dot(nearest, nearest);
    if half_chord < 0.0 {
        return None;
    }
    let share = (before - half_chord.sqrt()) / size;
    (share <= 1.0).then_some(share.max(0.0))
}

//! The point of a segment that is nearest to a convex solid.

use crate::body::vector::{Vec3, along, dot, sub};

/// Depth below both ends that an interior minimum must exceed, as a fraction of a length.
const CLEAR: f64 = 1e-9;
/// Maximum number of halvings, enough for full precision.
const HALVINGS: usize = 64;

/// An interior point of a segment.
pub(super) struct Lowest {
    /// Fraction of the segment, from the first end.
    pub(super) share: f64,
    /// Signed distance at this point.
    pub(super) distance: f64,
    /// Outward unit normal at this point.
    pub(super) normal: Vec3,
}

/// Finds the interior point of a segment with the minimum signed distance, by bisection. The
/// distance from a convex solid is convex along the segment. Returns `None` if an end is as near,
/// up to a small fraction of `length`.
pub(super) fn within(
    [a, b]: [Vec3; 2],
    length: f64,
    distance: impl Fn(Vec3) -> (f64, Vec3),
) -> Option<Lowest> {
    let way = sub(b, a);
    let rises = |point: Vec3| dot(distance(point).1, way);
    if rises(a) >= 0.0 || rises(b) <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if rises(along(a, middle, way)) > 0.0 { high = middle } else { low = middle }
    }
    let share = 0.5 * (low + high);
    let (least, normal) = distance(along(a, share, way));
    let ends = distance(a).0.min(distance(b).0);
    (least < ends - CLEAR * length).then_some(Lowest { share, distance: least, normal })
}

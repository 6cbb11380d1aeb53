//! The nearest points of two pieces: segments, or a point and a triangle.
//!
//! Source: Ericson 2005, "Real-Time Collision Detection", 5.1.5 and 5.1.9. For nearly parallel
//! segments, the distances of the four ends are compared as well, because the textbook formula
//! loses digits.

use crate::body::vector::{Vec3, along, cross, dot, scaled, scaled_norm, sub};

/// Corners of a piece: a point, a segment or a triangle.
pub(in crate::contact) type Corners<'a> = &'a [Vec3];

/// Squared sine of an angle below which two directions count as parallel.
const PARALLEL: f64 = 1e-6;

/// The nearest points of two pieces.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Nearest {
    /// Distance of the nearest points.
    pub(in crate::contact) distance: f64,
    /// Unit vector from the second piece to the first; 0 if they intersect.
    pub(in crate::contact) normal: Vec3,
    /// Barycentric weights of the nearest point of the first piece.
    pub(in crate::contact) first: [f64; 3],
    /// Barycentric weights of the nearest point of the second piece.
    pub(in crate::contact) second: [f64; 3],
}

/// Returns the nearest points of two pieces: points or segments, or one point and one triangle in
/// either order.
pub(in crate::contact) fn nearest(a: Corners, b: Corners) -> Nearest {
    match (a, b) {
        ([p, ..], [u, v, w]) => between(a, [1.0, 0.0, 0.0], b, on_triangle(*p, [*u, *v, *w])),
        ([u, v, w], [p, ..]) => between(a, on_triangle(*p, [*u, *v, *w]), b, [1.0, 0.0, 0.0]),
        _ => on_segments(a, b),
    }
}

fn between(a: Corners, first: [f64; 3], b: Corners, second: [f64; 3]) -> Nearest {
    // Relative to a corner, so that few digits are lost far from the origin.
    let origin = a[0];
    let from_origin = |corners: Corners, shares: [f64; 3]| {
        let parts = corners.iter().zip(shares);
        parts.fold([0.0; 3], |sum, (corner, share)| along(sum, share, sub(*corner, origin)))
    };
    let apart = sub(from_origin(a, first), from_origin(b, second));
    let distance = scaled_norm(apart);
    let normal = if distance > 0.0 { scaled(apart, 1.0 / distance) } else { [0.0; 3] };
    Nearest { distance, normal, first, second }
}

/// Returns the barycentric weights of the point of a triangle nearest to `p`.
fn on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f64; 3] {
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = sub(p, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let cp = sub(p, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    if sum <= 0.0 || !sum.is_normal() {
        return on_flat_triangle(p, [a, b, c]);
    }
    let (v, w) = (vb / sum, vc / sum);
    [1.0 - v - w, v, w]
}

/// Returns the weights of the nearest point of a triangle without area.
fn on_flat_triangle(p: Vec3, corners: [Vec3; 3]) -> [f64; 3] {
    let mut best = ([1.0, 0.0, 0.0], f64::INFINITY);
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let share = on_segment(p, a, sub(b, a));
        let distance = scaled_norm(sub(p, along(a, share, sub(b, a))));
        if distance < best.1 {
            let mut shares = [0.0; 3];
            (shares[k], shares[(k + 1) % 3]) = (1.0 - share, share);
            best = (shares, distance);
        }
    }
    best.0
}

/// Returns the fraction, 0 to 1, at which the segment from `a` to `a + d` is nearest to `p`.
fn on_segment(p: Vec3, a: Vec3, d: Vec3) -> f64 {
    let square = dot(d, d);
    if square > 0.0 { (dot(sub(p, a), d) / square).clamp(0.0, 1.0) } else { 0.0 }
}

fn on_segments(a: Corners, b: Corners) -> Nearest {
    let ends = |corners: Corners| (corners[0], corners[corners.len() - 1]);
    let ((a0, a1), (b0, b1)) = (ends(a), ends(b));
    let (da, db, r) = (sub(a1, a0), sub(b1, b0), sub(a0, b0));
    let (aa, bb, ab) = (dot(da, da), dot(db, db), dot(da, db));
    let normal = cross(da, db);
    let area = dot(normal, normal);
    // Weights of both ends; a point has only one.
    let at = |corners: Corners, share: f64| match corners.len() {
        1 => [1.0, 0.0, 0.0],
        _ => [1.0 - share, share, 0.0],
    };
    let pair = |s: f64, t: f64| between(a, at(a, s), b, at(b, t));
    if a.len() == 1 || b.len() == 1 {
        return pair(on_segment(b0, a0, da), on_segment(a0, b0, db));
    }
    if area > PARALLEL * aa * bb {
        // The nearest points of the two lines, then of the segments.
        let s = ((ab * dot(db, r) - bb * dot(da, r)) / area).clamp(0.0, 1.0);
        let t = on_segment(along(a0, s, da), b0, db);
        let s = on_segment(along(b0, t, db), a0, da);
        return pair(s, t);
    }
    // The middle of the overlap comes first, so that it is chosen if all distances are equal.
    let middle = 0.5 * (on_segment(b0, a0, da) + on_segment(b1, a0, da));
    let mut best = pair(middle, on_segment(along(a0, middle, da), b0, db));
    let ends = [
        (0.0, on_segment(a0, b0, db)),
        (1.0, on_segment(a1, b0, db)),
        (on_segment(b0, a0, da), 0.0),
        (on_segment(b1, a0, da), 1.0),
    ];
    for (s, t) in ends {
        let other = pair(s, t);
        if other.distance < best.distance * (1.0 - 1e-9) {
            best = other;
        }
    }
    best
}

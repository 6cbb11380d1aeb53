//! Distances and linking numbers, by other formulas than in the physics.

use super::{cross, dot, sub};
use std::f64::consts::PI;

/// Distance of two segments, as the minimum over all candidates: two inner points, an end and an
/// inner point, two ends.
pub(super) fn of_segments(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> f64 {
    let along = |p: [f64; 3], q: [f64; 3], s: f64| [0, 1, 2].map(|k| p[k] + s * (q[k] - p[k]));
    let to_segment = |p: [f64; 3], [q, r]: [[f64; 3]; 2]| {
        let d = sub(r, q);
        let share = (dot(sub(p, q), d) / dot(d, d)).clamp(0.0, 1.0);
        super::distance(p, along(q, r, share))
    };
    let ends = [to_segment(a[0], b), to_segment(a[1], b), to_segment(b[0], a), to_segment(b[1], a)];
    let mut minimum = ends.into_iter().fold(f64::INFINITY, f64::min);
    let normal = cross(sub(a[1], a[0]), sub(b[1], b[0]));
    let size = dot(normal, normal).sqrt();
    // If segments are parallel, two ends are nearest.
    if size > 1e-9 {
        // Each segment must cross the plane through the other segment and the common normal.
        let crosses = |[p, q]: [[f64; 3]; 2], [r, s]: [[f64; 3]; 2]| {
            let plane = cross(sub(s, r), normal);
            dot(sub(p, r), plane) * dot(sub(q, r), plane) <= 0.0
        };
        if crosses(a, b) && crosses(b, a) {
            minimum = minimum.min((dot(sub(b[0], a[0]), normal) / size).abs());
        }
    }
    minimum
}

/// Linking number of two closed polygons: the sum of the solid angles of pairs of edges over 4π
/// (Arai 2013).
pub(super) fn linking(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let angle = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| {
        let [lp, lq, lr] = [p, q, r].map(|v| dot(v, v).sqrt());
        let volume = dot(p, cross(q, r));
        let denominator = lp * lq * lr + dot(p, q) * lr + dot(q, r) * lp + dot(r, p) * lq;
        2.0 * libm::atan2(volume, denominator)
    };
    let edges = |points: &[[f64; 3]], i: usize| [points[i], points[(i + 1) % points.len()]];
    let mut sum = 0.0;
    for i in 0..a.len() {
        for j in 0..b.len() {
            let ([a0, a1], [b0, b1]) = (edges(a, i), edges(b, j));
            let corners = [sub(a0, b0), sub(a0, b1), sub(a1, b1), sub(a1, b0)];
            sum += angle(corners[0], corners[1], corners[2]);
            sum += angle(corners[2], corners[3], corners[0]);
        }
    }
    sum / (4.0 * PI)
}

/// Six times the signed volume of a tetrahedron.
pub(super) fn volume([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    dot(sub(d, a), cross(sub(b, a), sub(c, a)))
}

/// Whether a segment passes through a triangle, by more than rounding.
pub(super) fn pierces([p, q]: [[f64; 3]; 2], [a, b, c]: [[f64; 3]; 3]) -> bool {
    let [from, to] = [volume([a, b, c, p]), volume([a, b, c, q])];
    let around = [[a, b], [b, c], [c, a]].map(|[u, v]| volume([p, q, u, v]) > 0.0);
    from * to < 0.0
        && from.abs().min(to.abs()) > 1e-14
        && around.iter().all(|side| *side == around[0])
}

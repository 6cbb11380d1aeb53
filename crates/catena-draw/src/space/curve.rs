//! Smooth centre lines of ropes: centripetal Catmull–Rom curves through all nodes.
//!
//! A curve passes through its nodes, so pins and free ends stay in place. Centripetal curves have
//! neither cusps nor loops (Yuksel, Schaefer and Keyser 2011).

use crate::vector::{Vec3, add, along, cross, dot, norm, scaled, sub};

/// Maximum distance of a drawn line from its curve, in pixels.
const CLOSE: f64 = 0.1;

/// Maximum number of pieces of a segment.
const MAX_PIECES: f64 = 8.0;

/// Ratio of the lengths of adjacent segments above which a segment is straight. Such ratios occur
/// in a rope that tears or diverges.
const UNEVEN: f64 = 6.0;

/// A point of a curve, given by a segment and a share of its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Index of the node before the point.
    pub after: usize,
    /// Share of the segment before the point, below 1.
    pub share: f64,
    /// Position.
    pub at: Vec3,
}

/// Points of a curve through `nodes`. `scale` returns the pixels per length at a point.
pub fn curve(nodes: &[Vec3], is_closed: bool, scale: impl Fn(Vec3) -> f64) -> Vec<CurvePoint> {
    let n = nodes.len();
    let segments = if is_closed { n } else { n - 1 };
    let mut all = Vec::with_capacity(2 * n);
    for after in 0..segments {
        let [a, b] = [nodes[after], nodes[(after + 1) % n]];
        all.push(CurvePoint { after, share: 0.0, at: a });
        let before = (after > 0 || is_closed).then(|| nodes[(after + n - 1) % n]);
        let following = (after + 2 < n || is_closed).then(|| nodes[(after + 2) % n]);
        let Some(slopes) = tangents(before, [a, b], following) else { continue };
        let pieces = pieces(slopes, scale(a));
        for piece in 1..pieces {
            let share = piece as f64 / pieces as f64;
            all.push(CurvePoint { after, share, at: hermite([a, b], slopes, share) });
        }
    }
    if !is_closed {
        all.push(CurvePoint { after: n - 1, share: 0.0, at: nodes[n - 1] });
    }
    all
}

/// Derivatives of the curve at both ends of a segment. `None` for a straight segment.
fn tangents(before: Option<Vec3>, [a, b]: [Vec3; 2], following: Option<Vec3>) -> Option<[Vec3; 2]> {
    // At a free end, the curve continues as a mirror image.
    let before = before.unwrap_or_else(|| sub(scaled(a, 2.0), b));
    let following = following.unwrap_or_else(|| sub(scaled(b, 2.0), a));
    let lengths = [norm(sub(a, before)), norm(sub(b, a)), norm(sub(following, b))];
    let maximum = lengths.iter().fold(0.0_f64, |maximum, length| maximum.max(*length));
    let is_even = lengths.iter().all(|length| *length > 0.0 && maximum < UNEVEN * length);
    if !is_even {
        return None;
    }
    let [first, middle, last] = lengths.map(f64::sqrt);
    let offset = sub(b, a);
    let at_a =
        sub(scaled(sub(a, before), 1.0 / first), scaled(sub(b, before), 1.0 / (first + middle)));
    let at_b = sub(
        scaled(sub(following, b), 1.0 / last),
        scaled(sub(following, a), 1.0 / (middle + last)),
    );
    Some([along(offset, middle, at_a), along(offset, middle, at_b)])
}

/// Number of straight pieces that follow a segment of the curve closely enough.
fn pieces([a, b]: [Vec3; 2], scale: f64) -> usize {
    // The second derivative of the curve is at most about the change of the first.
    let turn = norm(cross(a, b)) / (dot(a, a) * dot(b, b)).sqrt().max(f64::MIN_POSITIVE);
    let bulge = 0.125 * norm(sub(b, a)).max(turn * norm(a)) * scale;
    // The condition also rejects points behind the eye.
    if bulge.is_finite() {
        (bulge / CLOSE).sqrt().ceil().clamp(1.0, MAX_PIECES) as usize
    } else {
        1
    }
}

/// Point of the cubic curve with these ends and derivatives.
fn hermite([a, b]: [Vec3; 2], [at_a, at_b]: [Vec3; 2], t: f64) -> Vec3 {
    let (square, cube) = (t * t, t * t * t);
    let ends =
        add(scaled(a, 2.0 * cube - 3.0 * square + 1.0), scaled(b, 3.0 * square - 2.0 * cube));
    add(ends, add(scaled(at_a, cube - 2.0 * square + t), scaled(at_b, cube - square)))
}

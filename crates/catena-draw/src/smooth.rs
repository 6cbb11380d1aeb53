//! Smooth lines through positions at equal time intervals.

use super::vector::{Vec3, add, dot, norm, scaled, sub};

/// Maximum number of pieces between two positions.
const MAX_PIECES: f64 = 8.0;

/// Cosine of the turn at which a line has a corner, such as at a bounce.
const CORNER: f64 = 0.0;

/// Returns points on a smooth line through `points`, which are at equal time intervals. Each
/// interval is a cubic whose velocities at the ends are central differences. It is divided into
/// pieces of about `longest`, but at most 8 of them.
pub fn smooth(points: &[Vec3], longest: f64) -> Vec<Vec3> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let offsets: Vec<Vec3> = points.windows(2).map(|pair| sub(pair[1], pair[0])).collect();
    let mut all = Vec::with_capacity(2 * points.len());
    for (index, offset) in offsets.iter().enumerate() {
        let from = points[index];
        let length = norm(*offset);
        all.push(from);
        let pieces = (length / longest).ceil();
        if !(pieces > 1.0 && pieces.is_finite()) {
            continue;
        }
        let pieces = pieces.min(MAX_PIECES) as usize;
        let before = index.checked_sub(1).and_then(|before| velocity(offsets[before], *offset));
        let after = offsets.get(index + 1).and_then(|after| velocity(*offset, *after));
        let limited = |velocity: Option<Vec3>| {
            let velocity = velocity.unwrap_or(*offset);
            let share = 3.0 * length / norm(velocity).max(f64::MIN_POSITIVE);
            scaled(velocity, share.min(1.0))
        };
        let [start, end] = [limited(before), limited(after)];
        for piece in 1..pieces {
            let s = piece as f64 / pieces as f64;
            let (square, cube) = (s * s, s * s * s);
            let at = add(scaled(start, cube - 2.0 * square + s), scaled(end, cube - square));
            let along = scaled(*offset, 3.0 * square - 2.0 * cube);
            all.push(add(from, add(along, at)));
        }
    }
    all.extend(points.last());
    all
}

/// Mean of the displacements before and after a position. `None` at a corner, where the line is not
/// smooth.
fn velocity(before: Vec3, after: Vec3) -> Option<Vec3> {
    let is_smooth = dot(before, after) > CORNER * norm(before) * norm(after);
    is_smooth.then(|| scaled(add(before, after), 0.5))
}

//! Smooth lines through positions at equal times.

use super::vector::{Vec3, add, dot, norm, scaled, sub};

/// Maximum number of pieces between two positions.
const MOST_PIECES: f64 = 8.0;

/// Cosine of the turn at which a line has a corner, such as at a bounce.
const CORNER: f64 = 0.0;

/// Points on a smooth line through these positions, at distances of at most `longest` where that
/// takes few pieces. The line is a cubic between two positions; its velocities are central
/// differences.
pub(super) fn smooth(points: &[Vec3], longest: f64) -> Vec<Vec3> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let ways: Vec<Vec3> = points.windows(2).map(|pair| sub(pair[1], pair[0])).collect();
    let mut all = Vec::with_capacity(2 * points.len());
    for (index, way) in ways.iter().enumerate() {
        let from = points[index];
        let length = norm(*way);
        all.push(from);
        let pieces = (length / longest).ceil();
        if !(pieces > 1.0 && pieces.is_finite()) {
            continue;
        }
        let pieces = pieces.min(MOST_PIECES) as usize;
        let before = index.checked_sub(1).and_then(|before| velocity(ways[before], *way));
        let after = ways.get(index + 1).and_then(|after| velocity(*way, *after));
        let limited = |velocity: Option<Vec3>| {
            let velocity = velocity.unwrap_or(*way);
            let share = 3.0 * length / norm(velocity).max(f64::MIN_POSITIVE);
            scaled(velocity, share.min(1.0))
        };
        let [start, end] = [limited(before), limited(after)];
        for piece in 1..pieces {
            let s = piece as f64 / pieces as f64;
            let (square, cube) = (s * s, s * s * s);
            let at = add(scaled(start, cube - 2.0 * square + s), scaled(end, cube - square));
            let along = scaled(*way, 3.0 * square - 2.0 * cube);
            all.push(add(from, add(along, at)));
        }
    }
    all.extend(points.last());
    all
}

/// Velocity per frame between two ways. `None` at a corner, where the line is not smooth.
fn velocity(before: Vec3, after: Vec3) -> Option<Vec3> {
    let is_smooth = dot(before, after) > CORNER * norm(before) * norm(after);
    is_smooth.then(|| scaled(add(before, after), 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest distance of a line from a circle of radius 1.
    fn deviation(points: &[Vec3]) -> f64 {
        let of_pair = |pair: &[Vec3]| {
            let middle = scaled(add(pair[0], pair[1]), 0.5);
            (norm(middle) - 1.0).abs()
        };
        points.windows(2).map(of_pair).fold(0.0, f64::max)
    }

    #[test]
    fn a_circle_of_few_positions_is_round() {
        let at = |k: i32| {
            let angle = std::f64::consts::TAU * f64::from(k) / 12.0;
            [libm::cos(angle), libm::sin(angle), 0.0]
        };
        let few: Vec<Vec3> = (-1..=12).map(at).collect();
        let smoothed = smooth(&few, 0.08);
        let inside = &smoothed[8..smoothed.len() - 8];
        assert!(deviation(&few) > 0.03 && deviation(inside) < 0.003, "{}", deviation(inside));
        assert!(few.iter().all(|point| smoothed.contains(point)));
    }

    #[test]
    fn a_bounce_keeps_its_corner_and_a_short_line_its_points() {
        let bounce = [[0.0, 1.0, 0.0], [0.5, 0.0, 0.0], [1.0, 1.0, 0.0], [1.5, 2.0, 0.0]];
        let lowest = smooth(&bounce, 0.1).iter().map(|at| at[1]).fold(f64::INFINITY, f64::min);
        assert!(lowest >= 0.0, "{lowest}");
        assert_eq!(smooth(&bounce, 10.0), bounce);
        let broken = [[f64::NAN; 3], [0.0; 3], [1.0, 0.0, 0.0]];
        assert_eq!(smooth(&broken, 0.1).len(), 10);
    }
}

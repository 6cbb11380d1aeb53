//! Smooth lines through positions: rounded at turns, with a corner at a bounce.

use catena::render::smooth::smooth;
use catena::render::vector::{Vec3, add, norm, scaled};

/// Maximum distance of a line from a circle of radius 1.
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

//! Exact orientation of triangles in a plane, never degenerate.
//!
//! Points are rounded to a lattice, so that the area of a triangle is an exact integer. If it is 0,
//! the points are perturbed by infinitesimal amounts, smaller for points of a higher number. So no
//! three points are collinear, and all answers are consistent. Source: Edelsbrunner, Mücke 1990,
//! "Simulation of Simplicity".

/// Lattice point and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticePoint {
    pub(super) at: [i64; 2],
    pub(super) number: usize,
}

/// Number of lattice steps per unit.
const FINE: f64 = (1_u64 << 48) as f64;

impl LatticePoint {
    /// Nearest lattice point to coordinates from -2 to 2.
    pub(super) fn new(at: [f64; 2], number: usize) -> Self {
        Self { at: at.map(|value| (value * FINE).round() as i64), number }
    }
}

/// Whether three points with distinct numbers turn left.
pub(super) fn turns_left(a: LatticePoint, b: LatticePoint, c: LatticePoint) -> bool {
    let mut points = [a, b, c];
    let mut is_even = true;
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if points[i].number > points[j].number {
            points.swap(i, j);
            is_even = !is_even;
        }
    }
    let [i, j, k] = points.map(|point| point.at.map(i128::from));
    let area = (j[0] - i[0]) * (k[1] - i[1]) - (j[1] - i[1]) * (k[0] - i[0]);
    // Coefficients of the perturbations in decreasing order; the last one is 1.
    let signs = [area, k[0] - j[0], j[1] - k[1], i[0] - k[0], 1];
    let sign = signs.into_iter().find(|sign| *sign != 0).unwrap_or(1);
    (sign > 0) == is_even
}

/// Twice the signed area of a triangle in lattice units, positive if counterclockwise.
pub(super) fn area(a: LatticePoint, b: LatticePoint, c: LatticePoint) -> f64 {
    let [a, b, c] = [a, b, c].map(|point| point.at.map(i128::from));
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) as f64
}

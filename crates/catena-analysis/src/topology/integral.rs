//! The Gauss integral of polygons: linking numbers and writhe.

use super::curve::{Curve, TopologyError, scaled_points};
use catena_sim::vector::{Vec3, cross, dot, norm, sub};

/// Linking number, and the deviation of the integral from an integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linking {
    /// Number of times that one curve winds around the other; positive for right-handed winding.
    pub number: i64,
    /// Integral minus the number: rounding error, unless the curves touch.
    pub deviation: f64,
}

/// Gauss linking integral of two curves, open or closed: 1/4π ∬ (dr₁ × dr₂)·(r₁ - r₂)/|r₁ - r₂|³.
/// Exact for polygons, up to rounding. Segments that touch or are coplanar add nothing.
///
/// # Errors
/// Returns an error if a coordinate is not finite.
pub fn gauss_integral(a: &Curve, b: &Curve) -> Result<f64, TopologyError> {
    let points = scaled_points(&[a, b])?;
    let mut sum = AngleSum::new();
    for i in 0..a.segments() {
        for j in 0..b.segments() {
            add_pair(&mut sum, ends(&points[0], i), ends(&points[1], j));
        }
    }
    Ok(sum.in_turns())
}

/// Linking number of two closed curves.
///
/// # Errors
/// Returns an error if a curve is open, or a coordinate is not finite.
pub fn linking_number(a: &Curve, b: &Curve) -> Result<Linking, TopologyError> {
    if !(a.is_closed && b.is_closed) {
        return Err(TopologyError::Open);
    }
    let integral = gauss_integral(a, b)?;
    let number = integral.round();
    Ok(Linking { number: number as i64, deviation: integral - number })
}

/// Writhe of a curve, open or closed: its Gauss integral with itself. This is the sum of its signed
/// crossings, averaged over all viewing directions; 0 for a planar curve.
///
/// # Errors
/// Returns an error if a coordinate is not finite.
pub fn writhe(curve: &Curve) -> Result<f64, TopologyError> {
    let points = &scaled_points(&[curve])?[0];
    let mut sum = AngleSum::new();
    for i in 0..curve.segments() {
        for j in (i + 1..curve.segments()).filter(|&j| !curve.are_neighbours(i, j)) {
            add_pair(&mut sum, ends(points, i), ends(points, j));
        }
    }
    // Every pair counts twice, once in each order.
    Ok(2.0 * sum.in_turns())
}

fn ends(points: &[Vec3], i: usize) -> [Vec3; 2] {
    [points[i], points[(i + 1) % points.len()]]
}

/// Adds the Gauss integral of two segments. Their differences span a parallelogram. Its solid angle
/// is the sum over two triangles (van Oosterom, Strackee 1983).
fn add_pair(sum: &mut AngleSum, [p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) {
    let [a, b, c, d] = [sub(r, p), sub(r, q), sub(s, q), sub(s, p)];
    let [la, lb, lc, ld] = [a, b, c, d].map(norm);
    let diagonal = dot(a, c);
    let (abc, cda) = (dot(a, cross(b, c)), dot(c, cross(d, a)));
    sum.add(abc, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + diagonal * lb);
    sum.add(cda, lc * ld * la + dot(c, d) * la + dot(d, a) * lc + diagonal * ld);
}

/// Sum of angles, each from -π to π.
///
/// An angle is the argument of D + iN. A sum of angles is the argument of the product plus whole
/// turns: one per passage of the product across the negative real axis. So millions of solid angles
/// are summed by products and a single arctangent. Source: Arai 2013, "A rigorous numerical
/// algorithm for computing the linking number of links".
#[derive(Clone, Copy, Debug)]
struct AngleSum {
    re: f64,
    im: f64,
    turns: i64,
}

impl AngleSum {
    /// Empty sum.
    pub(super) fn new() -> Self {
        Self { re: 1.0, im: 0.0, turns: 0 }
    }

    /// Adds atan2(im, re). An angle with im = 0 comes from coplanar segments. Such an angle has no
    /// sense of rotation and adds nothing.
    pub(super) fn add(&mut self, im: f64, re: f64) {
        if im == 0.0 {
            return;
        }
        let sum = [self.re * re - self.im * im, self.re * im + self.im * re];
        // The argument is in [0, π] or in [-π, 0). If two angles with the same sense of rotation
        // give a sum of the other sense, a whole turn was completed.
        let (was_left, turns_left, is_left) = (self.im >= 0.0, im >= 0.0, sum[1] >= 0.0);
        if was_left == turns_left && is_left != was_left {
            self.turns += if was_left { 1 } else { -1 };
        }
        let size = sum[0].abs().max(sum[1].abs());
        let scale = if (1e-60..1e60).contains(&size) { 1.0 } else { 1.0 / size };
        (self.re, self.im) = (sum[0] * scale, sum[1] * scale);
    }

    /// Sum divided by 2π.
    fn in_turns(&self) -> f64 {
        self.turns as f64 + libm::atan2(self.im, self.re) / std::f64::consts::TAU
    }
}

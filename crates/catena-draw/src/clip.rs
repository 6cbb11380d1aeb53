//! Clipping of segments and polygons to the region where a signed distance is not negative.

/// Part of a segment where the distance is at least 0. The distance must be linear along the
/// segment.
pub fn segment<const N: usize>(
    [a, b]: [[f64; N]; 2],
    distance: impl Fn(&[f64; N]) -> f64,
) -> Option<[[f64; N]; 2]> {
    let (at_a, at_b) = (distance(&a), distance(&b));
    match (at_a >= 0.0, at_b >= 0.0) {
        (true, true) => Some([a, b]),
        (true, false) => Some([a, crossing(a, b, at_a, at_b)]),
        (false, true) => Some([crossing(a, b, at_a, at_b), b]),
        (false, false) => None,
    }
}

/// Part of a polygon where the distance is at least 0; empty if there is none (Sutherland and
/// Hodgman 1974).
pub fn polygon<const N: usize>(
    corners: &[[f64; N]],
    distance: impl Fn(&[f64; N]) -> f64,
) -> Vec<[f64; N]> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (index, &b) in corners.iter().enumerate() {
        let a = corners[(index + corners.len() - 1) % corners.len()];
        let (at_a, at_b) = (distance(&a), distance(&b));
        if (at_a >= 0.0) != (at_b >= 0.0) {
            kept.push(crossing(a, b, at_a, at_b));
        }
        if at_b >= 0.0 {
            kept.push(b);
        }
    }
    kept
}

/// Point between a and b where the distance is 0.
fn crossing<const N: usize>(a: [f64; N], b: [f64; N], at_a: f64, at_b: f64) -> [f64; N] {
    let share = at_a / (at_a - at_b);
    std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share)
}

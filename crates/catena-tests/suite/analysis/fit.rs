//! Least squares with a model that is not a rope.

use catena::analysis::fit::{Bounds, Parameter, Residuals, fit};

/// A line 100 + a t, with alternating deviations. The effect of `b` is far below rounding.
struct Line;

impl Residuals for Line {
    fn at(&self, points: &[Vec<f64>], _part: usize) -> Vec<Option<Vec<f64>>> {
        let of = |point: &Vec<f64>| {
            let deviation = |k: u32| if k.is_multiple_of(2) { 1e-3 } else { -1e-3 };
            let value = |k: u32, a: f64, b: f64| 100.0 + a * f64::from(k) + 1e-18 * b;
            let residual =
                |k: u32| value(k, point[0], point[1]) - value(k, 2.0, 5.0) - deviation(k);
            Some((0..50).map(residual).collect())
        };
        points.iter().map(of).collect()
    }
}

#[test]
fn rounding_is_no_effect_of_a_parameter() {
    let parameter =
        |name: &str, start: f64| Parameter { name: name.into(), start, bounds: Bounds::NONE };
    let found = fit(&Line, &[parameter("a", 1.0), parameter("b", 3.0)], &|| true).expect("a fit");
    let [a, b] = &found.estimates[..] else { panic!("two estimates") };
    assert!((a.value - 2.0).abs() < 1e-4, "{a:?}");
    // A step of 1e-5 sees rounding of at most 1e-14, so 50 deviations of 1e-3 leave an interval
    // wider than a thousand.
    let width = b.interval.map_or(f64::INFINITY, |[low, high]| high - low);
    assert!(width > 1e3, "{b:?}");
}

//! Bézier pieces whose handles have their own times: (t, v)(s) = Σ B_j(s) (t_j, v_j) with cubic
//! Bernstein polynomials. The value at a time follows from the s at which t(s) is that time.
//!
//! Both inner times are strictly between the outer ones, so t'(s) > 0 everywhere and s is the only
//! root. The rate is dv/dt = v'(s)/t'(s). With handles at thirds of the piece, t(s) is linear and
//! v(s) an ordinary Bézier curve. Source: Farin, "Curves and Surfaces for CAGD", 4 and 13.

use crate::body::curve::spans::{PlaceAndRate, bezier};

/// Maximum number of iterations for s. Newton's method doubles the number of digits per iteration.
/// If its step leaves the bracket, a bisection adds one bit.
const STEPS: usize = 60;

/// Returns the value and its rate at a time between the first and the last control point.
pub(super) fn piece<const D: usize>(points: [(f64, [f64; D]); 4], t: f64) -> PlaceAndRate<D> {
    let times = points.map(|point| [point.0]);
    let s = root(times, t);
    let (_, [speed]) = bezier(times, s);
    let (value, slope) = bezier(points.map(|point| point.1), s);
    (value, slope.map(|component| component / speed))
}

/// Returns the s from 0 to 1 at which the cubic through `times` equals `t`.
fn root(times: [[f64; 1]; 4], t: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut s = (t - times[0][0]) / (times[3][0] - times[0][0]);
    for _ in 0..STEPS {
        let ([time], [speed]) = bezier(times, s);
        let off = time - t;
        if off > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let newton = s - off / speed;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        if next == s {
            break;
        }
        s = next;
    }
    s
}

//! Quantiles of Student's t distribution.

use std::f64::consts::PI;

/// Maximum number of terms of the continued fraction.
const MAX_TERMS: u32 = 500;

/// Regularized incomplete beta function, by Lentz's continued fraction.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast only on one side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log1p(-x);
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for term in 1..MAX_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    libm::exp(front) * fraction / a
}

/// Probability that a value of Student's t distribution is below `t`.
pub fn probability(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// Value that the magnitude of a variable with Student's t distribution exceeds with the
/// probability `1 - confidence`. For 0.95 and many degrees of freedom it is 1.96.
pub fn two_sided(confidence: f64, freedom: f64) -> f64 {
    let wanted = 0.5 * (1.0 + confidence);
    // With one degree of freedom the distribution is Cauchy's, which has the widest tails.
    let (mut low, mut high) = (0.0, libm::tan(PI * (wanted - 0.5)).abs() * 2.0 + 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if probability(middle, freedom) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

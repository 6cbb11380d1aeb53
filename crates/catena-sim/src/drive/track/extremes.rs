//! Minimum and maximum of a component over all times.
//!
//! A polynomial piece Σ B_j(s) b_j is bounded by its Bernstein coefficients and equals the first
//! and last of them at its ends. De Casteljau's algorithm bisects the piece. A half is skipped if
//! its coefficients are below a value already found. The remaining gap is quadratic in the length,
//! so 20 to 30 bisections find an extreme to 12 digits. Source: Farin, "Curves and Surfaces for
//! CAGD", 5 and 6.

/// A time and the value at that time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time at which the value occurs.
    pub t: f64,
    /// The value at that time.
    pub value: f64,
}

/// Minimum and maximum of a component, each at the first time that it occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// Minimum, accurate to about 12 digits of the largest magnitude.
    pub minimum: Moment,
    /// Maximum, with the same accuracy.
    pub greatest: Moment,
}

/// Relative difference below which two values count as equal.
const ROUNDING: f64 = 1e-12;

/// Maximum number of halves to search; a piece usually needs some tens.
const MAX_HALVES: usize = 4096;

/// Magnitude above which coefficients count as infinite, because their sums may overflow.
const GREATEST: f64 = 1e300;

impl Extremes {
    /// Creates the extremes of a constant value.
    pub fn constant(t: f64, value: f64) -> Self {
        let moment = Moment { t, value };
        Self { minimum: moment, greatest: moment }
    }

    /// Returns the extremes of both values together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let is_less = other.minimum.value < self.minimum.value;
        let is_greater = other.greatest.value > self.greatest.value;
        Self {
            minimum: if is_less { other.minimum } else { self.minimum },
            greatest: if is_greater { other.greatest } else { self.greatest },
        }
    }

    /// Returns the minimum and the maximum. A minimum that is negative by rounding alone becomes 0.
    pub fn range(&self) -> (f64, f64) {
        let (low, high) = (self.minimum.value, self.greatest.value);
        let is_rounding = low < 0.0 && -low <= ROUNDING * high;
        (if is_rounding { 0.0 } else { low }, high)
    }

    /// Computes the extremes of a piece from its Bernstein coefficients, at least one. `time`
    /// converts a parameter from 0 to 1 to a time.
    pub(crate) fn of_piece(coefficients: &[f64], time: impl Fn(f64) -> f64) -> Self {
        let turned: Vec<f64> = coefficients.iter().map(|b| -b).collect();
        let ((low_at, low), (high_at, high)) = (highest(&turned), highest(coefficients));
        Self {
            minimum: Moment { t: time(low_at), value: -low },
            greatest: Moment { t: time(high_at), value: high },
        }
    }
}

/// Returns the parameter at which a piece is highest, and its value there.
fn highest(coefficients: &[f64]) -> (f64, f64) {
    let ends = |b: &[f64]| [b.first(), b.last()].map(|end| end.copied().unwrap_or(0.0));
    let [first, last] = ends(coefficients);
    let mut best = if last > first { (1.0, last) } else { (0.0, first) };
    if !coefficients.iter().all(|b| b.abs() <= GREATEST) {
        return (best.0, f64::INFINITY);
    }
    let size = coefficients.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
    let mut open = vec![(0.0, 1.0, coefficients.to_vec())];
    let mut halves = 0;
    while let Some((start, length, mut right)) = open.pop() {
        let maximum = right.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if maximum <= best.1 + ROUNDING * size {
            continue;
        }
        halves += 1;
        if halves > MAX_HALVES {
            // The coefficients bound the part that was not searched.
            best = (start, maximum);
            continue;
        }
        let mut left = Vec::with_capacity(right.len());
        for round in (0..right.len()).rev() {
            left.push(right[0]);
            for j in 0..round {
                right[j] = 0.5 * (right[j] + right[j + 1]);
            }
        }
        let (half, [middle, _]) = (0.5 * length, ends(&right));
        if middle > best.1 {
            best = (start + half, middle);
        }
        open.push((start + half, half, right));
        open.push((start, half, left));
    }
    best
}

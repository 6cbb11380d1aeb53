//! Result of a fit: estimates with intervals, and parameters that the data cannot distinguish.

use super::normal::Normal;
use super::student::two_sided;
use super::{Allowed, FitError, Search};
use crate::modes::eigen::{Matrix, symmetric};

/// Probability that an interval covers the true value.
const CONFIDENCE: f64 = 0.95;
/// Maximum eigenvalue of the scaled normal matrix, as a share of the largest one, for which a
/// combination of parameters has no effect on the data.
const FLAT: f64 = 1e-8;
/// Relative change of a parameter in a combination without effect above which the parameter is
/// reported, as a share of the largest change in the combination.
const SHARE: f64 = 0.05;
/// Magnitude of the correlation of two estimates above which the pair is reported.
const HIGH: f64 = 0.98;

/// Estimate of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Name of the parameter.
    pub name: String,
    /// Start value of the search.
    pub start: f64,
    /// Best value.
    pub value: f64,
    /// Standard error. `None` if the parameter has no effect or is at an end of its range, or if a
    /// combination of parameters has no effect.
    pub error: Option<f64>,
    /// Interval that covers the true value with a probability of 95 %, if deviations are
    /// independent and have the same variance.
    pub interval: Option<[f64; 2]>,
    /// Whether the value is at an end of its range.
    pub is_at_bound: bool,
    /// Maximum change of a residual per relative change of the value, from the slopes at the best
    /// values.
    pub effect: f64,
    /// Changes of all values in the direction in which the sum of squares grows least when this
    /// value changes by its standard error. `None` if there is no standard error.
    pub along: Option<Vec<f64>>,
}

/// Parameters that the data cannot distinguish: changing all of them together by these relative
/// amounts has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Alike {
    /// Name and relative change of each parameter; the first one is 1.
    pub changes: Vec<(String, f64)>,
}

/// Two estimates with a high correlation.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlated {
    /// Names of the two parameters.
    pub names: [String; 2],
    /// Coefficient of correlation.
    pub coefficient: f64,
}

/// Result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Estimates, in the order of the parameters.
    pub estimates: Vec<Estimate>,
    /// Number of data that depend on at least one parameter.
    pub numbers: usize,
    /// Degrees of freedom: `numbers` minus the number of parameters.
    pub freedom: usize,
    /// Root mean square of the residuals of the data that `numbers` counts.
    pub rms: f64,
    /// Variance of a residual, from which intervals follow; at least the rounding variance of the
    /// data.
    pub variance: f64,
    /// Root mean square of the same residuals at the start values.
    pub start_rms: f64,
    /// Number of iterations.
    pub iterations: u64,
    /// Whether the search has converged.
    pub has_converged: bool,
    /// Combinations of parameters without effect.
    pub alike: Vec<Alike>,
    /// Parameters without any effect.
    pub without_effect: Vec<String>,
    /// Pairs of estimates with a high correlation.
    pub correlated: Vec<Correlated>,
    /// Differences between data and model at the best values.
    pub residuals: Vec<f64>,
    /// Differences between data and model at the start values.
    pub start_residuals: Vec<f64>,
}

impl Fitted {
    /// Sum of squares up to which other values of one parameter are accepted. `widening` is the
    /// factor by which residuals with a pattern widen intervals.
    pub fn allowed(&self, widening: f64) -> Allowed {
        let quantile = widening * two_sided(CONFIDENCE, self.freedom as f64);
        Allowed {
            minimum: self.residuals.iter().map(|value| value * value).sum(),
            variance: self.variance,
            excess: quantile * quantile,
            numbers: self.numbers,
        }
    }
}

/// Evaluates a finished search.
pub(super) fn fitted(search: &Search<'_>) -> Result<Fitted, FitError> {
    let slopes = &search.slopes;
    // Data that no parameter changes contain no information about parameters. If their residuals
    // are 0, as at the start of a run, they would make intervals too narrow.
    let depends = |row: &usize| slopes.iter().any(|column| column[*row] != 0.0);
    let rows: Vec<usize> = (0..search.residuals.len()).filter(depends).collect();
    let count = search.parameters.len();
    if rows.len() <= count {
        return Err(FitError::TooFew { numbers: rows.len(), parameters: count });
    }
    let sum = |all: &[f64]| rows.iter().map(|row| all[*row] * all[*row]).sum::<f64>();
    let numbers = rows.len() as f64;
    let freedom = rows.len() - count;
    let normal = Normal::of(slopes, &search.residuals);
    let has_effect = |k: &usize| normal.matrix[*k][*k] > 0.0;
    let free = (0..count).filter(|k| has_effect(k) && !search.is_at_bound(*k)).collect();
    let variance = (sum(&search.residuals) / freedom as f64).max(search.model.least_variance());
    let evaluation = Evaluation::new(search, &normal, free, variance);
    let quantile = two_sided(CONFIDENCE, freedom as f64);
    let idle = (0..count).filter(|k| !has_effect(k));
    Ok(Fitted {
        estimates: (0..count).map(|k| evaluation.estimate(k, quantile)).collect(),
        numbers: rows.len(),
        freedom,
        rms: (sum(&search.residuals) / numbers).sqrt(),
        variance,
        start_rms: (sum(&search.first) / numbers).sqrt(),
        iterations: search.iterations,
        has_converged: search.has_converged,
        alike: evaluation.spread.flat.iter().map(|flat| evaluation.alike(flat)).collect(),
        without_effect: idle.map(|k| search.parameters[k].name.clone()).collect(),
        correlated: evaluation.correlated(),
        residuals: search.residuals.clone(),
        start_residuals: search.first.clone(),
    })
}

impl Search<'_> {
    /// Whether a parameter is at an end of its range.
    fn is_at_bound(&self, k: usize) -> bool {
        let (bounds, value) = (self.parameters[k].bounds, self.point[k]);
        value <= bounds.low || value >= bounds.high
    }
}

/// Maximum magnitude of a list of numbers.
fn largest(all: &[f64]) -> f64 {
    all.iter().fold(0.0, |maximum, value| maximum.max(value.abs()))
}

/// Spread of the estimates around the best values.
struct Evaluation<'a> {
    search: &'a Search<'a>,
    normal: &'a Normal,
    /// Parameters with an effect that are not at an end of their range.
    free: Vec<usize>,
    variance: f64,
    spread: Spread,
}

impl<'a> Evaluation<'a> {
    fn new(search: &'a Search<'a>, normal: &'a Normal, free: Vec<usize>, variance: f64) -> Self {
        let spread = Spread::of(normal, &free);
        Self { search, normal, free, variance, spread }
    }

    fn name(&self, index: usize) -> String {
        self.search.parameters[self.free[index]].name.clone()
    }

    fn estimate(&self, k: usize, quantile: f64) -> Estimate {
        let parameter = &self.search.parameters[k];
        let value = self.search.point[k];
        let error = self.free.iter().position(|it| *it == k).and_then(|index| {
            let own = self.spread.inverse.as_ref()?[index][index];
            Some((self.variance * own).sqrt() / self.normal.matrix[k][k].sqrt())
        });
        Estimate {
            name: parameter.name.clone(),
            start: parameter.start,
            value,
            error,
            interval: error.map(|error| [value - quantile * error, value + quantile * error]),
            is_at_bound: self.search.is_at_bound(k),
            along: error.and_then(|_| self.along(k)),
            effect: value.abs() * largest(&self.search.slopes[k]),
        }
    }

    /// Changes of all values in the direction in which the sum of squares grows least when value
    /// `k` changes.
    fn along(&self, k: usize) -> Option<Vec<f64>> {
        let inverse = self.spread.inverse.as_ref()?;
        let own = self.free.iter().position(|it| *it == k)?;
        let mut all = vec![0.0; self.search.point.len()];
        for (index, other) in self.free.iter().enumerate() {
            let size = self.normal.matrix[*other][*other].sqrt();
            let share = inverse[own][index] / inverse[own][own].sqrt();
            all[*other] = self.variance.sqrt() * share / size;
        }
        Some(all)
    }

    /// Relative changes along a direction without effect.
    fn alike(&self, flat: &[f64]) -> Alike {
        let change = |index: usize| {
            let k = self.free[index];
            let value = self.search.point[k];
            let size = if value == 0.0 { 1.0 } else { value };
            flat[index] / (self.normal.matrix[k][k].sqrt() * size)
        };
        let maximum = (0..flat.len()).map(|i| change(i).abs()).fold(0.0, f64::max);
        let is_shown = |i: &usize| change(*i).abs() > SHARE * maximum;
        let shown: Vec<usize> = (0..flat.len()).filter(is_shown).collect();
        let first = shown.first().map_or(1.0, |index| change(*index));
        Alike { changes: shown.iter().map(|i| (self.name(*i), change(*i) / first)).collect() }
    }

    fn correlated(&self) -> Vec<Correlated> {
        let Some(inverse) = &self.spread.inverse else { return Vec::new() };
        let mut all = Vec::new();
        for (i, row) in inverse.iter().enumerate() {
            for j in 0..i {
                let coefficient = row[j] / (row[i] * inverse[j][j]).sqrt();
                if coefficient.abs() > HIGH {
                    all.push(Correlated { names: [self.name(j), self.name(i)], coefficient });
                }
            }
        }
        all
    }
}

/// Inverse of the normal matrix scaled to a unit diagonal, and directions without effect.
struct Spread {
    /// Inverse of the scaled matrix; `None` if there are directions without effect.
    inverse: Option<Vec<Vec<f64>>>,
    flat: Vec<Vec<f64>>,
}

impl Spread {
    fn of(normal: &Normal, free: &[usize]) -> Self {
        let count = free.len();
        let scale: Vec<f64> = free.iter().map(|&k| normal.matrix[k][k].sqrt()).collect();
        let mut matrix = Matrix::zeros(count);
        for i in 0..count {
            for j in 0..count {
                matrix.add(i, j, normal.matrix[free[i]][free[j]] / (scale[i] * scale[j]));
            }
        }
        let modes = symmetric(matrix);
        let maximum = modes.iter().map(|(value, _)| *value).fold(0.0, f64::max);
        let is_flat = |value: f64| value.is_nan() || value <= FLAT * maximum;
        let flat: Vec<Vec<f64>> = modes
            .iter()
            .filter(|(value, _)| is_flat(*value))
            .map(|(_, vector)| vector.clone())
            .collect();
        let entry = |i: usize, j: usize| {
            modes.iter().map(|(value, vector)| vector[i] * vector[j] / value).sum::<f64>()
        };
        let rows = || (0..count).map(|i| (0..count).map(|j| entry(i, j)).collect()).collect();
        let inverse = flat.is_empty().then(rows);
        Self { inverse, flat }
    }
}

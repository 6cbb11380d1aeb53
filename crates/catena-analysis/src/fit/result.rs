//! Result of a fit: estimates with intervals, and parameters that the data cannot tell apart.

use super::derivative::Derivatives;
use super::student::two_sided;
use super::{FitError, Normal, Search, squares};
use crate::modes::eigen::{Matrix, symmetric};

/// Probability that an interval covers the true value.
const CONFIDENCE: f64 = 0.95;
/// Ratio of eigenvalues of the scaled normal matrix below which a combination of parameters has no
/// effect on the data.
const FLAT: f64 = 1e-8;
/// Share of a parameter in such a combination that counts.
const SHARE: f64 = 0.05;
/// Correlation of two estimates above which they are reported.
const HIGH: f64 = 0.98;

/// Estimate of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Name of the parameter.
    pub name: String,
    /// First value.
    pub start: f64,
    /// Best value.
    pub value: f64,
    /// Standard error. `None` if the data do not determine it.
    pub error: Option<f64>,
    /// Interval that covers the true value with a probability of 95 %, if deviations are
    /// independent and of one size.
    pub interval: Option<[f64; 2]>,
    /// Whether the value is at an end of its range.
    pub is_at_bound: bool,
}

/// Parameters that the data cannot tell apart: changes by these shares together have no effect.
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
    /// Numbers that depend on any parameter.
    pub numbers: usize,
    /// Numbers minus parameters.
    pub freedom: usize,
    /// Root of the mean squared residual of these numbers.
    pub rms: f64,
    /// Root of the mean squared residual of all numbers at the start values.
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
}

/// Evaluates a finished search.
pub(super) fn fitted(search: &Search<'_>, slopes: &Derivatives) -> Result<Fitted, FitError> {
    let parameters = search.parameters;
    // Numbers that no parameter changes say nothing about them, and would make intervals too
    // narrow where they are exact, such as the start of a run.
    let depends = |row: &usize| slopes.iter().any(|column| column[*row] != 0.0);
    let rows: Vec<usize> = (0..search.residuals.len()).filter(depends).collect();
    let count = parameters.len();
    if rows.len() <= count {
        return Err(FitError::TooFew { numbers: rows.len(), parameters: count });
    }
    let residuals: Vec<f64> = rows.iter().map(|row| search.residuals[*row]).collect();
    let normal = Normal::of(slopes, &search.residuals);
    let is_at_bound = |k: usize| {
        let (bounds, value) = (parameters[k].bounds, search.point[k]);
        value <= bounds.low || value >= bounds.high
    };
    let has_effect = |k: &usize| normal.matrix[*k][*k] > 0.0;
    let free: Vec<usize> = (0..count).filter(|k| has_effect(k) && !is_at_bound(*k)).collect();
    let spread = Spread::of(&normal, &free);
    let freedom = rows.len() - count;
    let variance = squares(&residuals) / freedom as f64;
    let quantile = two_sided(CONFIDENCE, freedom as f64);
    let estimate = |k: usize| {
        let value = search.point[k];
        let error = free.iter().position(|it| *it == k).and_then(|index| {
            let own = spread.inverse.as_ref()?[index][index];
            Some((variance * own).sqrt() / normal.matrix[k][k].sqrt())
        });
        Estimate {
            name: parameters[k].name.clone(),
            start: parameters[k].start,
            value,
            error,
            interval: error.map(|error| [value - quantile * error, value + quantile * error]),
            is_at_bound: is_at_bound(k),
        }
    };
    let name = |index: usize| parameters[free[index]].name.clone();
    let relative = |flat: &[f64]| {
        let change = |index: usize| {
            let k = free[index];
            let size = if search.point[k] == 0.0 { 1.0 } else { search.point[k] };
            flat[index] / (normal.matrix[k][k].sqrt() * size)
        };
        let shown: Vec<usize> = (0..flat.len()).filter(|i| flat[*i].abs() > SHARE).collect();
        let first = shown.first().map_or(1.0, |index| change(*index));
        Alike { changes: shown.iter().map(|i| (name(*i), change(*i) / first)).collect() }
    };
    let pairs = |inverse: &Vec<Vec<f64>>| {
        let mut all = Vec::new();
        for i in 0..free.len() {
            for j in 0..i {
                let coefficient = inverse[i][j] / (inverse[i][i] * inverse[j][j]).sqrt();
                if coefficient.abs() > HIGH {
                    all.push(Correlated { names: [name(j), name(i)], coefficient });
                }
            }
        }
        all
    };
    let all = search.residuals.len().max(1) as f64;
    Ok(Fitted {
        estimates: (0..count).map(estimate).collect(),
        numbers: rows.len(),
        freedom,
        rms: (squares(&residuals) / rows.len() as f64).sqrt(),
        start_rms: (search.start_squares / all).sqrt(),
        iterations: search.iterations,
        has_converged: search.has_converged,
        alike: spread.flat.iter().map(|flat| relative(flat)).collect(),
        without_effect: (0..count)
            .filter(|k| !has_effect(k))
            .map(|k| parameters[k].name.clone())
            .collect(),
        correlated: spread.inverse.as_ref().map_or(Vec::new(), pairs),
    })
}

/// Inverse of the normal matrix with a unit diagonal, and directions without effect.
struct Spread {
    /// `None` if there are such directions.
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
        let most = modes.iter().map(|(value, _)| *value).fold(0.0, f64::max);
        let is_flat = |value: f64| !(value > FLAT * most);
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

//! Ends of intervals if the sum of squares is not a parabola.
//!
//! At the ends of the linear interval of a value, the sum of squares extrapolated from the slopes
//! at the best values reaches the allowed limit. Two runs check this. If the actual sum differs
//! from the limit, the value is moved outward and the other values are fitted again, until the sum
//! reaches the limit. Bates and Watts, "Nonlinear Regression Analysis", chapter 6, describe such
//! profiles.

use super::search::Search;
use super::{Allowed, Fitted, Parameter, Residuals};

/// Bounds on the actual excess of the sum of squares at an end of a linear interval, as a share of
/// the allowed excess. Within these bounds the linear interval is accepted.
const LINEAR: std::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Ratio of successive distances of a value from the best value.
const FARTHER: f64 = 1.5;
/// Maximum number of distances that are tried.
const MAX: usize = 8;
/// Maximum number of iterations in which the other values are fitted.
const ITERATIONS: u64 = 8;

/// Returns the interval of each value whose linear interval is too short, with its ends where the
/// sum of squares reaches the allowed limit. `None` for other values. An end is infinite if the sum
/// of squares stays below the limit.
pub fn profiled(
    model: &dyn Residuals,
    parameters: &[Parameter],
    fitted: &Fitted,
    allowed: Allowed,
    step: &dyn Fn() -> bool,
) -> Vec<Option<[f64; 2]>> {
    let best: Vec<f64> = fitted.estimates.iter().map(|it| it.value).collect();
    let profile = ValueProfile { model, parameters, best, allowed, step };
    let mut lines: Vec<(usize, ProfileLine)> = Vec::new();
    for (k, it) in fitted.estimates.iter().enumerate() {
        let Some(along) = &it.along else { continue };
        for sign in [-1.0, 1.0] {
            let width = sign * allowed.excess.sqrt();
            lines.push((k, along.iter().map(|change| width * change).collect()));
        }
    }
    let points: Vec<Vec<f64>> = lines.iter().map(|(_, line)| profile.at(line, 1.0)).collect();
    let found = model.at(&points, model.parts() - 1);
    let mut all = vec![None; parameters.len()];
    for (side, ((k, line), found)) in lines.iter().zip(found).enumerate() {
        let is_linear = LINEAR.contains(&profile.excess(found.as_deref()));
        let is_inside = parameters[*k].bounds.contains(profile.best[*k] + line[*k]);
        if is_linear || !is_inside || !step() {
            continue;
        }
        let Some(end) = profile.end(*k, line) else { continue };
        let linear = [-1.0, 1.0].map(|sign| profile.best[*k] + sign * line[*k].abs());
        all[*k].get_or_insert(linear)[side % 2] = end;
    }
    all
}

/// Changes of all values from the best values to the end of a linear interval.
type ProfileLine = Vec<f64>;

struct ValueProfile<'a> {
    model: &'a dyn Residuals,
    parameters: &'a [Parameter],
    best: Vec<f64>,
    allowed: Allowed,
    step: &'a dyn Fn() -> bool,
}

impl ValueProfile<'_> {
    /// Point on a line, limited to the ranges of all values.
    fn at(&self, line: &[f64], share: f64) -> Vec<f64> {
        let value = |k: usize| {
            let best = self.best[k];
            self.parameters[k].bounds.limit(best, best + share * line[k])
        };
        (0..line.len()).map(value).collect()
    }

    /// Excess of the sum of squares over the minimum, as a share of the allowed excess; infinite if
    /// the run failed.
    fn excess(&self, residuals: Option<&[f64]>) -> f64 {
        let squares = residuals.map_or(f64::INFINITY, |all| all.iter().map(|it| it * it).sum());
        let Allowed { minimum, variance, excess, .. } = self.allowed;
        if squares.is_nan() { f64::INFINITY } else { (squares - minimum) / (excess * variance) }
    }

    /// Fits all values except value `k`, which is fixed. Moves the point to the fit, and returns
    /// the excess of the sum of squares there.
    fn refitted(&self, k: usize, point: &mut Vec<f64>) -> f64 {
        let fixed = Fixed { model: self.model, index: k, value: point[k] };
        let mut others = self.parameters.to_vec();
        others.remove(k);
        let mut start = point.clone();
        start.remove(k);
        if others.is_empty() {
            let found = fixed.at(&[start], 0).pop().flatten();
            return self.excess(found.as_deref());
        }
        let begun = Search::begin(&fixed, &others, 0, &start, &start);
        let Ok(mut search) = begun else { return f64::INFINITY };
        if search.run(ITERATIONS, self.step).is_err() {
            return f64::INFINITY;
        }
        point.clone_from(&search.point);
        point.insert(k, fixed.value);
        self.excess(Some(&search.residuals))
    }

    /// End of the accepted values along a line, beyond the end of the linear interval. `None` if
    /// the data accept no value beyond it.
    fn end(&self, k: usize, line: &[f64]) -> Option<f64> {
        let mut line = line.to_vec();
        let (mut share, mut inside) = (1.0, 0.0);
        for index in 0..=MAX {
            let mut point = self.at(&line, share);
            let is_at_end = point[k] != self.best[k] + share * line[k];
            let root = self.refitted(k, &mut point).max(0.0).sqrt();
            if root >= 1.0 && index == 0 {
                return None;
            }
            if root >= 1.0 {
                let before = share / FARTHER;
                let left = (1.0 - inside) / (root - inside);
                let left = if root.is_finite() { left } else { 1.0 };
                return Some(self.best[k] + (before + left * (share - before)) * line[k]);
            }
            if is_at_end {
                return Some(point[k]);
            }
            // The other values continue in the direction in which the last fit moved them.
            for (other, change) in line.iter_mut().enumerate().filter(|(other, _)| *other != k) {
                *change = (point[other] - self.best[other]) / share;
            }
            inside = root;
            share *= FARTHER;
        }
        Some(line[k].signum() * f64::INFINITY)
    }
}

/// A model with one fixed value.
struct Fixed<'a> {
    model: &'a dyn Residuals,
    index: usize,
    value: f64,
}

impl Residuals for Fixed<'_> {
    fn at(&self, points: &[Vec<f64>], _part: usize) -> Vec<Option<Vec<f64>>> {
        let full_point = |point: &Vec<f64>| {
            let mut point = point.clone();
            point.insert(self.index, self.value);
            point
        };
        let points: Vec<Vec<f64>> = points.iter().map(full_point).collect();
        self.model.at(&points, self.model.parts() - 1)
    }
}

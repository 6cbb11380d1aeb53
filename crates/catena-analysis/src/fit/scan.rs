//! Scan along each parameter for starts of searches near other local minima of the sum of squares.
//!
//! A search ends in a local minimum near its start. If runs depend strongly on a parameter, for
//! example on the length of a rope, there are many local minima. A scan is coarse and
//! deterministic. The scan also evaluates the beginning of the data, for which minima are wider.

use super::{Parameter, Residuals};

/// Ratio of the largest value of a scan to the start value, and of the start value to the smallest.
pub(super) const REACH: f64 = 2.0;
/// Total number of values on each side of the start, for all parameters together.
const VALUES: usize = 72;
/// Maximum number of values on each side of the start for one parameter.
const MAX_VALUES: usize = 36;
/// Maximum number of starts that are returned.
const STARTS: usize = 6;

/// Returns points from which other searches may begin, the best first. Each has one parameter
/// changed to a value at which the sum of squares is smaller than at the neighbouring values.
pub fn other_starts(model: &dyn Residuals, parameters: &[Parameter]) -> Vec<Vec<f64>> {
    let at: Vec<f64> = parameters.iter().map(|it| it.start).collect();
    let last = model.parts() - 1;
    let each = (VALUES / at.len().max(1)).clamp(4, MAX_VALUES);
    let growth = libm::exp(libm::log(REACH) / each as f64);
    let mut all: Vec<(f64, Vec<f64>)> = Vec::new();
    for (k, parameter) in parameters.iter().enumerate().filter(|(_, it)| it.start != 0.0) {
        let mut value = parameter.start / REACH;
        let mut points: Vec<Vec<f64>> = Vec::new();
        for _ in 0..=2 * each {
            if parameter.bounds.contains(value) {
                let mut point = at.clone();
                point[k] = value;
                points.push(point);
            }
            value *= growth;
        }
        let mut parts = vec![last, last / 2];
        parts.dedup();
        for part in parts {
            all.extend(valleys(model, &points, part));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut starts: Vec<Vec<f64>> = Vec::new();
    for (_, point) in all {
        if !starts.contains(&point) && point != at {
            starts.push(point);
        }
    }
    starts.truncate(STARTS);
    starts
}

/// Points of a line at which the mean square is smaller than at their neighbours. Each comes with
/// its mean square as a share of the mean square at the worst point, so that parts of the data can
/// be compared.
fn valleys(model: &dyn Residuals, points: &[Vec<f64>], part: usize) -> Vec<(f64, Vec<f64>)> {
    let mean = |found: &Option<Vec<f64>>| {
        let squares =
            |it: &Vec<f64>| it.iter().map(|x| x * x).sum::<f64>() / it.len().max(1) as f64;
        found.as_ref().map_or(f64::INFINITY, squares)
    };
    let costs: Vec<f64> = model.at(points, part).iter().map(mean).collect();
    let known = costs.iter().copied().filter(|cost| cost.is_finite());
    let worst = known.fold(f64::MIN_POSITIVE, f64::max);
    let cost = |index: Option<usize>| {
        index.and_then(|index| costs.get(index)).copied().unwrap_or(f64::INFINITY)
    };
    let is_valley = |index: &usize| {
        let own = costs[*index];
        own.is_finite() && own <= cost(index.checked_sub(1)) && own < cost(Some(index + 1))
    };
    let found = (0..points.len()).filter(is_valley);
    found.map(|index| (costs[index] / worst, points[index].clone())).collect()
}

//! Derivatives of residuals by parameters, from differences.

use super::{FitError, Parameter, Residuals};

/// Derivatives of all residuals by each parameter.
pub(super) type Derivatives = Vec<Vec<f64>>;

/// Step of a difference, relative to the parameter. The error of a central difference is its
/// square, and rounding adds the inverse of it times 1e-16.
const STEP: f64 = 1e-5;
/// Size of a parameter that is 0.
const SIZE_OF_ZERO: f64 = 1e-2;

/// Runs behind the derivative by one parameter.
#[derive(Clone, Copy)]
enum Difference {
    Central,
    /// On one side, where the other is outside of the bounds; with the sign of that side.
    OneSided(f64),
}

/// Computes the derivatives at a point. All runs are asked for together.
pub(super) fn derivatives(
    model: &dyn Residuals,
    parameters: &[Parameter],
    point: &[f64],
) -> Result<Derivatives, FitError> {
    let step = |k: usize| {
        let size = if point[k] == 0.0 { SIZE_OF_ZERO } else { point[k].abs() };
        STEP * size
    };
    let moved = |k: usize, steps: f64| {
        let mut other = point.to_vec();
        other[k] += steps * step(k);
        other
    };
    let kind = |k: usize| {
        let bounds = &parameters[k].bounds;
        let is_in = |value: f64| {
            let low = if bounds.is_open[0] { value > bounds.low } else { value >= bounds.low };
            let high = if bounds.is_open[1] { value < bounds.high } else { value <= bounds.high };
            low && high
        };
        match (is_in(point[k] - step(k)), is_in(point[k] + step(k))) {
            (false, _) => Difference::OneSided(1.0),
            (_, false) => Difference::OneSided(-1.0),
            _ => Difference::Central,
        }
    };
    let kinds: Vec<Difference> = (0..point.len()).map(kind).collect();
    let mut points = vec![point.to_vec()];
    for (k, kind) in kinds.iter().enumerate() {
        points.extend(match kind {
            Difference::Central => [moved(k, -1.0), moved(k, 1.0)],
            Difference::OneSided(sign) => [moved(k, *sign), moved(k, 2.0 * sign)],
        });
    }
    let found = model.at(&points);
    let missing = |k: usize| FitError::Derivative(parameters[k].name.clone());
    let here = found.first().and_then(Option::as_ref).ok_or(FitError::Start)?;
    let mut all = Vec::with_capacity(point.len());
    for (k, kind) in kinds.iter().enumerate() {
        let get = |at: usize| found.get(at).and_then(Option::as_ref).ok_or_else(|| missing(k));
        let (first, second) = (get(1 + 2 * k)?, get(2 + 2 * k)?);
        // The difference of the rounded values, not the one that was meant.
        let width = points[2 + 2 * k][k] - points[1 + 2 * k][k];
        let pairs = first.iter().zip(second);
        all.push(match kind {
            Difference::Central => pairs.map(|(a, b)| (b - a) / width).collect(),
            Difference::OneSided(_) => {
                let triples = pairs.zip(here);
                triples.map(|((a, b), now)| (4.0 * a - b - 3.0 * now) / (2.0 * width)).collect()
            }
        });
    }
    Ok(all)
}

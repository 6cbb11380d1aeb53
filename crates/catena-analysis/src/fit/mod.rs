//! Least squares: parameters that make a model agree with data, with intervals.
//!
//! The method is that of Levenberg and Marquardt, with derivatives from differences. Each iteration
//! asks for several points at once, so that a model can simulate them side by side. Press et al.,
//! "Numerical Recipes", chapter 15.5, describes the method, and Seber and Wild, "Nonlinear
//! Regression", chapter 5, the intervals.

mod derivative;
mod result;
pub mod student;

pub use result::{Alike, Correlated, Estimate, Fitted};

use derivative::{Derivatives, derivatives};

/// Range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Whether the ends themselves are excluded.
    pub is_open: [bool; 2],
}

impl Bounds {
    /// All numbers.
    pub const NONE: Self =
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, is_open: [false; 2] };

    /// Returns the value nearest to `to` that a step from `from` may reach. An excluded end is
    /// approached by halves.
    fn limit(&self, from: f64, to: f64) -> f64 {
        if to <= self.low && (self.is_open[0] || to < self.low) {
            return if self.is_open[0] { 0.5 * (from + self.low) } else { self.low };
        }
        if to >= self.high && (self.is_open[1] || to > self.high) {
            return if self.is_open[1] { 0.5 * (from + self.high) } else { self.high };
        }
        to
    }

    /// Whether a value is at an end of the range that a step along `way` would leave.
    fn holds(&self, value: f64, way: f64) -> bool {
        (value <= self.low && way < 0.0) || (value >= self.high && way > 0.0)
    }
}

/// Differences between data and a model.
pub trait Residuals {
    /// Returns the differences at each point. `None` where the model has no value, such as a run
    /// that diverges.
    fn at(&self, points: &[Vec<f64>]) -> Vec<Option<Vec<f64>>>;
}

/// Reason why a fit is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The model has no value at the start.
    #[error("the start values give no run: it diverges, or the scene refuses them")]
    Start,
    /// The model has no value near a point.
    #[error("no derivative by {0}: runs with slightly other values diverge")]
    Derivative(String),
    /// There are not more numbers than parameters.
    #[error(
        "too few numbers: {numbers} depend on what is varied, and a fit needs more than {parameters}"
    )]
    TooFew {
        /// Numbers that depend on any parameter.
        numbers: usize,
        /// Parameters.
        parameters: usize,
    },
}

/// A parameter of the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name in messages.
    pub name: String,
    /// First value.
    pub start: f64,
    /// Allowed values.
    pub bounds: Bounds,
}

/// Maximum number of iterations.
const MAX_ITERATIONS: u64 = 200;
/// Relative change of all parameters below which the fit has converged.
const CONVERGED: f64 = 1e-11;
/// Factors of the damping that an iteration tries.
const DAMPINGS: [f64; 4] = [0.0, 0.1, 1.0, 100.0];
/// Damping above which no step helps.
const MAX_DAMPING: f64 = 1e12;

/// Fits the parameters. `step` is called after each iteration; the fit ends when it returns false.
///
/// # Errors
/// The model has no value at the start or near a point, or there are too few numbers.
pub fn fit(
    model: &dyn Residuals,
    parameters: &[Parameter],
    step: &dyn Fn() -> bool,
) -> Result<Fitted, FitError> {
    let mut search = Search::begin(model, parameters)?;
    while search.iterations < MAX_ITERATIONS && !search.is_over {
        search.iterate()?;
        if !step() {
            break;
        }
    }
    search.end()
}

/// State of a fit.
struct Search<'a> {
    model: &'a dyn Residuals,
    parameters: &'a [Parameter],
    point: Vec<f64>,
    residuals: Vec<f64>,
    /// Residuals at the start values.
    first: Vec<f64>,
    damping: f64,
    iterations: u64,
    is_over: bool,
    has_converged: bool,
}

/// Sum of squares, in order.
fn squares(residuals: &[f64]) -> f64 {
    residuals.iter().map(|value| value * value).sum()
}

impl<'a> Search<'a> {
    fn begin(model: &'a dyn Residuals, parameters: &'a [Parameter]) -> Result<Self, FitError> {
        let point: Vec<f64> = parameters.iter().map(|it| it.start).collect();
        let first = model.at(std::slice::from_ref(&point)).pop().flatten();
        let residuals = first.filter(|all| squares(all).is_finite()).ok_or(FitError::Start)?;
        let first = residuals.clone();
        let (damping, iterations) = (1e-3, 0);
        let (is_over, has_converged) = (false, false);
        Ok(Self {
            model,
            parameters,
            point,
            residuals,
            first,
            damping,
            iterations,
            is_over,
            has_converged,
        })
    }

    /// Takes one step, or ends the search.
    fn iterate(&mut self) -> Result<(), FitError> {
        self.iterations += 1;
        let slopes = derivatives(self.model, self.parameters, &self.point)?;
        let normal = Normal::of(&slopes, &self.residuals);
        let is_free: Vec<bool> = (0..self.point.len())
            .map(|k| {
                let way = -normal.gradient[k];
                normal.matrix[k][k] > 0.0 && !self.parameters[k].bounds.holds(self.point[k], way)
            })
            .collect();
        let dampings = DAMPINGS.map(|factor| factor * self.damping);
        let trials: Vec<(f64, Vec<f64>)> = dampings
            .iter()
            .filter_map(|damping| {
                let step = normal.step(*damping, &is_free)?;
                let limited = |k: usize| {
                    self.parameters[k].bounds.limit(self.point[k], self.point[k] + step[k])
                };
                Some((*damping, (0..step.len()).map(limited).collect()))
            })
            .collect();
        let points: Vec<Vec<f64>> = trials.iter().map(|(_, point)| point.clone()).collect();
        let found = self.model.at(&points);
        let costs = found.iter().map(|it| it.as_ref().map_or(f64::INFINITY, |it| squares(it)));
        let best = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let now = squares(&self.residuals);
        let moved = |point: &[f64]| {
            let share = |(a, b): (&f64, &f64)| (a - b).abs() / a.abs().max(b.abs()).max(1e-300);
            self.point.iter().zip(point).map(share).fold(0.0, f64::max)
        };
        let smallest = points.first().map_or(0.0, |point| moved(point));
        match best.filter(|(_, cost)| *cost < now) {
            Some((index, _)) => {
                self.has_converged = moved(&points[index]) < CONVERGED;
                self.damping = trials[index].0.max(1e-9);
                self.point.clone_from(&points[index]);
                if let Some(Some(residuals)) = found.into_iter().nth(index) {
                    self.residuals = residuals;
                }
                self.is_over = self.has_converged;
            }
            // At the minimum, rounding decides whether a step helps.
            None if smallest < 1e3 * CONVERGED || now == 0.0 => {
                (self.is_over, self.has_converged) = (true, true);
            }
            None => {
                self.damping *= 1e4;
                self.is_over = self.damping > MAX_DAMPING;
                // Without any descent the point is a minimum as far as runs can tell.
                self.has_converged = self.is_over && smallest < 1e-6;
            }
        }
        Ok(())
    }

    fn end(self) -> Result<Fitted, FitError> {
        let slopes = derivatives(self.model, self.parameters, &self.point)?;
        result::fitted(&self, &slopes)
    }
}

/// Normal equations of a step.
struct Normal {
    matrix: Vec<Vec<f64>>,
    gradient: Vec<f64>,
}

impl Normal {
    fn of(slopes: &Derivatives, residuals: &[f64]) -> Self {
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let matrix = slopes.iter().map(|a| slopes.iter().map(|b| inner(a, b)).collect()).collect();
        let gradient = slopes.iter().map(|a| inner(a, residuals)).collect();
        Self { matrix, gradient }
    }

    /// Solves for a step of the free parameters with damping, by Cholesky's method. `None` if the
    /// matrix is singular.
    fn step(&self, damping: f64, is_free: &[bool]) -> Option<Vec<f64>> {
        let free: Vec<usize> = (0..is_free.len()).filter(|k| is_free[*k]).collect();
        let scale: Vec<f64> = free.iter().map(|&k| self.matrix[k][k].sqrt()).collect();
        let count = free.len();
        // Scaled to a unit diagonal, so that units do not matter.
        let mut lower = vec![vec![0.0; count]; count];
        for i in 0..count {
            for j in 0..=i {
                let mut sum = self.matrix[free[i]][free[j]] / (scale[i] * scale[j]);
                if i == j {
                    sum += damping;
                }
                let known = lower[i].iter().zip(&lower[j]).take(j);
                sum -= known.map(|(a, b)| a * b).sum::<f64>();
                if i == j {
                    // Below this, the difference of nearly equal numbers is rounding.
                    if sum.is_nan() || sum <= 1e-13 {
                        return None;
                    }
                    lower[i][i] = sum.sqrt();
                } else {
                    lower[i][j] = sum / lower[j][j];
                }
            }
        }
        let mut solution: Vec<f64> =
            (0..count).map(|i| -self.gradient[free[i]] / scale[i]).collect();
        for i in 0..count {
            let before: f64 = (0..i).map(|k| lower[i][k] * solution[k]).sum();
            solution[i] = (solution[i] - before) / lower[i][i];
        }
        for i in (0..count).rev() {
            let after: f64 = (i + 1..count).map(|k| lower[k][i] * solution[k]).sum();
            solution[i] = (solution[i] - after) / lower[i][i];
        }
        let mut step = vec![0.0; is_free.len()];
        for (index, k) in free.iter().enumerate() {
            step[*k] = solution[index] / scale[index];
        }
        step.iter().all(|value| value.is_finite()).then_some(step)
    }
}

//! Least squares fit of the parameters of a model to data, with confidence intervals.
//!
//! Uses the Levenberg-Marquardt method, with derivatives from finite differences. Each iteration
//! requests several points at once, so that a model can simulate them in parallel. A model with
//! parts is first fitted to the beginning of the data. This takes less time and makes it less
//! probable that the search ends in a wrong local minimum. Sources: Press et al., "Numerical
//! Recipes", chapter 15.5, for the method; Bates and Watts, "Nonlinear Regression Analysis",
//! chapter 2, for the convergence criterion; Seber and Wild, "Nonlinear Regression", chapter 5, for
//! the intervals.

mod accepted;
mod derivative;
mod normal;
mod profile;
mod result;
mod scan;
mod search;
pub mod student;

pub use accepted::{Accepted, Allowed, accepted};
pub use profile::profiled;
pub use result::{Alike, Correlated, Estimate, Fitted};
pub use scan::other_starts;

use search::Search;

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
    /// Bounds that allow all numbers.
    pub const NONE: Self =
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, is_open: [false; 2] };

    /// Returns the value nearest to `to` within the bounds. If `to` is at or beyond an excluded
    /// end, returns the midpoint between `from` and that end.
    fn limit(&self, from: f64, to: f64) -> f64 {
        if to <= self.low && (self.is_open[0] || to < self.low) {
            return if self.is_open[0] { 0.5 * (from + self.low) } else { self.low };
        }
        if to >= self.high && (self.is_open[1] || to > self.high) {
            return if self.is_open[1] { 0.5 * (from + self.high) } else { self.high };
        }
        to
    }

    /// Whether a value is in the range.
    pub fn contains(&self, value: f64) -> bool {
        let low = if self.is_open[0] { value > self.low } else { value >= self.low };
        let high = if self.is_open[1] { value < self.high } else { value <= self.high };
        low && high
    }

    /// Whether a value is at an end of the range and a step in `direction` would leave the range.
    fn holds(&self, value: f64, direction: f64) -> bool {
        (value <= self.low && direction < 0.0) || (value >= self.high && direction > 0.0)
    }
}

/// Differences between data and a model.
pub trait Residuals {
    /// Number of parts of the data, at least 1. Each part starts at the beginning of the data and
    /// is contained in the next part; the last part has all data.
    fn parts(&self) -> usize {
        1
    }

    /// Share of all data that a part contains.
    fn share(&self, _part: usize) -> f64 {
        1.0
    }

    /// Minimum variance of a residual, such as the rounding variance of printed data. A closer
    /// agreement is by chance and does not make estimates more accurate.
    fn least_variance(&self) -> f64 {
        0.0
    }

    /// Returns the differences between a part of the data and the model at each point. `None` if
    /// the model has no result at a point, as when a run diverges.
    fn at(&self, points: &[Vec<f64>], part: usize) -> Vec<Option<Vec<f64>>>;
}

/// Reason why a fit is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The model has no result at the start values.
    #[error(
        "no run with the start values is possible: it diverges, or the scene does not allow these \
         values; choose other start values"
    )]
    Start,
    /// The model has no result near a point.
    #[error(
        "the derivative with respect to {0} is unknown: runs with slightly different values diverge"
    )]
    Derivative(String),
    /// There are at most as many data as parameters.
    #[error(
        "too few data: {numbers} of them depend on the varied fields, but the fit needs more than \
         {parameters}"
    )]
    TooFew {
        /// Number of data that depend on at least one parameter.
        numbers: usize,
        /// Number of parameters.
        parameters: usize,
    },
}

/// A parameter of the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name in messages.
    pub name: String,
    /// Start value of the search.
    pub start: f64,
    /// Allowed values.
    pub bounds: Bounds,
}

/// Maximum number of iterations.
const MAX_ITERATIONS: u64 = 200;
/// Maximum number of iterations for a part of the data.
const MAX_ITERATIONS_OF_PART: u64 = 12;
/// Initial number of parts by which the fitted data grow, as long as the previous fit predicts the
/// longer part.
const JUMP: usize = 8;
/// Maximum growth of the mean square from a part to the next one; with more growth the next part is
/// too long.
const GROWTH: f64 = 4.0;
/// Share of the sum of squares at the start values; a part with a smaller sum of squares is never
/// too long.
const EXPLAINED: f64 = 1e-4;

/// Fits the parameters. `step` is called after each iteration; the fit ends when it returns false.
///
/// # Errors
/// The model has no result at the start or near a point, or there are too few numbers.
pub fn fit(
    model: &dyn Residuals,
    parameters: &[Parameter],
    step: &dyn Fn() -> bool,
) -> Result<Fitted, FitError> {
    let start: Vec<f64> = parameters.iter().map(|it| it.start).collect();
    let last = model.parts() - 1;
    let begun = match nearer(model, parameters, &start, step) {
        // The beginning of the data may not determine the parameters.
        Err(_) if last > 0 => Search::begin(model, parameters, last, &start, &start),
        begun => begun,
    };
    let mut search = begun?;
    let is_led = search.point != start;
    if !search.run(MAX_ITERATIONS, step)? || search.has_converged || !is_led {
        return result::fitted(&search);
    }
    // The fit of the beginning may lead to a wrong minimum.
    let mut other = Search::begin(model, parameters, last, &start, &start)?;
    other.iterations = search.iterations;
    other.run(MAX_ITERATIONS, step)?;
    search.iterations = other.iterations;
    result::fitted(if other.cost() < search.cost() { &other } else { &search })
}

/// Fits increasing parts of the data. Returns the search that begins with all data.
fn nearer<'a>(
    model: &'a dyn Residuals,
    parameters: &'a [Parameter],
    start: &[f64],
    step: &dyn Fn() -> bool,
) -> Result<Search<'a>, FitError> {
    let last = model.parts() - 1;
    let mut search = Search::begin(model, parameters, 0, start, start)?;
    let mut jump = JUMP;
    while search.part < last {
        search = match search.run(MAX_ITERATIONS_OF_PART, step)? {
            true => next_part(&search, start, last, &mut jump)?,
            false => Search::begin(model, parameters, last, &search.point, start)?,
        };
    }
    Ok(search)
}

/// Begins a search with a longer part of the data, `jump` parts further. If the current fit does
/// not predict it, `jump` is halved, since later motion depends more strongly on the parameters.
fn next_part<'a>(
    search: &Search<'a>,
    start: &[f64],
    last: usize,
    jump: &mut usize,
) -> Result<Search<'a>, FitError> {
    let Search { model, parameters, part, iterations, .. } = *search;
    loop {
        let longer = (part + *jump).min(last);
        let mut next = Search::begin(model, parameters, longer, &search.point, start)?;
        let is_acceptable = next.mean_square() <= GROWTH * search.mean_square()
            || next.cost() <= EXPLAINED * next.first_cost();
        if is_acceptable || *jump == 1 {
            next.iterations = iterations;
            return Ok(next);
        }
        *jump /= 2;
    }
}

//! Convergence of the iterations of a step, for methods that correct lengths.
//!
//! The same step of a run is repeated with increasing numbers of iterations. This gives the error
//! after each iteration without a change of the method. The error is the maximum difference between
//! the length of a spring and its converged length, relative to its rest length. Lengths after
//! [`LIMIT`] iterations count as converged.

use super::budget::{CoreTime, StudyBudget};
use catena_sim::{Outcome, Setup, Simulation};
use std::sync::Arc;

/// Error after a number of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationPoint {
    /// Number of iterations of the step.
    pub iterations: u32,
    /// Maximum difference between a length and its converged value, relative to the rest length.
    pub error: f64,
    /// Maximum difference between a length and the rest length, relative to the rest length.
    pub residual: f64,
}

/// Convergence of the iterations of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Simulated time at the start of the step.
    pub time: f64,
    /// Number of iterations that the scene sets.
    pub own: u32,
    /// Points in ascending order of iterations.
    pub points: Vec<IterationPoint>,
    /// Factor on the error per iteration; `None` if fewer than three points show it.
    pub rate: Option<f64>,
    /// Maximum difference between a converged length and the rest length, relative to the rest
    /// length.
    pub left: f64,
}

/// Reason why there is no convergence to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIterations {
    /// The method does not iterate.
    None,
    /// The run diverges before the step.
    Lost,
    /// The runs would exceed the budget.
    Work,
}

/// Numbers of iterations that are tried in addition to the scene's own number.
const TRIED: [u32; 22] =
    [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128, 192];
/// Number of iterations after which lengths count as converged.
pub const LIMIT: u32 = 20_000;
/// Error that counts as rounding.
const ROUNDING: f64 = 1e-13;
/// Minimum number of points in a fit.
const FITTED: usize = 3;

/// Measures how the iterations of a method converge, in the step after `frames` frames.
///
/// # Errors
/// Returns the reason why there is nothing to measure.
pub fn convergence(
    setup: &Setup,
    frames: u64,
    maximum: CoreTime,
) -> Result<Convergence, NoIterations> {
    let own = setup.method.iterations().ok_or(NoIterations::None)?;
    let mut budget = StudyBudget::new(maximum);
    let with = |iterations: u32| -> Option<Arc<Setup>> {
        let method = setup.method.with_iterations(iterations)?;
        Some(Arc::new(Setup { method, ..setup.clone() }))
    };
    let limit = with(LIMIT).ok_or(NoIterations::None)?;
    let before = frames as f64 * setup.substeps as f64;
    if !budget.spend(before, setup.step_cost()) {
        return Err(NoIterations::Work);
    }
    let mut run = Simulation::new(Arc::new(setup.clone()));
    (0..frames).for_each(|_| run.advance_frame());
    if run.outcome() != Outcome::Fine || run.refusal().is_some() {
        return Err(NoIterations::Lost);
    }
    let (start, time) = (run.checkpoint(), run.state().t);
    let lengths_after = |setup: Arc<Setup>| {
        let mut run = Simulation::new(setup);
        run.restore(&start);
        run.step();
        lengths(run.setup(), &run.state().x)
    };
    if !budget.spend(1.0, limit.step_cost()) {
        return Err(NoIterations::Work);
    }
    let end = lengths_after(limit);
    let mut points = Vec::new();
    let mut tried = TRIED.to_vec();
    tried.push(own);
    tried.sort_unstable();
    tried.dedup();
    for iterations in tried {
        let Some(setup) = with(iterations).filter(|setup| budget.spend(1.0, setup.step_cost()))
        else {
            break;
        };
        let lengths = lengths_after(setup);
        let error = greatest(&lengths, &end);
        points.push(IterationPoint { iterations, error, residual: from_rest(&lengths) });
        if error <= ROUNDING {
            break;
        }
    }
    Ok(Convergence { time, own, rate: rate(&points), left: from_rest(&end), points })
}

/// Length of each held spring that can move, divided by its rest length.
fn lengths(setup: &Setup, x: &[f64]) -> Vec<f64> {
    let model = &setup.model;
    let movable = model.held().iter().filter(|it| !(model.pinned[it.a] && model.pinned[it.b]));
    movable.map(|spring| model.span(x, spring).1 / spring.rest_length).collect()
}

/// Maximum difference between two lists of lengths; infinite if a value is not finite.
fn greatest(a: &[f64], b: &[f64]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    apart.fold(
        0.0,
        |maximum, apart| if apart.is_finite() { apart.max(maximum) } else { f64::INFINITY },
    )
}

/// Maximum difference between relative lengths and 1.
fn from_rest(lengths: &[f64]) -> f64 {
    greatest(lengths, &vec![1.0; lengths.len()])
}

/// Factor on the error per iteration, from a least squares fit of its logarithm over the last half
/// of the points above rounding.
fn rate(points: &[IterationPoint]) -> Option<f64> {
    let logs: Vec<[f64; 2]> = points
        .iter()
        .filter(|point| point.error > 10.0 * ROUNDING && point.error.is_finite())
        .map(|point| [f64::from(point.iterations), libm::log(point.error)])
        .collect();
    let fitted = &logs[logs.len() / 2..];
    if fitted.len() < FITTED {
        return None;
    }
    let count = fitted.len() as f64;
    let mean = [0, 1].map(|axis| fitted.iter().map(|log| log[axis]).sum::<f64>() / count);
    let [mut xx, mut xy] = [0.0; 2];
    for log in fitted {
        let [x, y] = [log[0] - mean[0], log[1] - mean[1]];
        xx += x * x;
        xy += x * y;
    }
    Some(libm::exp(xy / xx))
}

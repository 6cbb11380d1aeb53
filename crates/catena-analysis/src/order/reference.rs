//! Reference of a study of order: the duration T of all runs, and the positions at its end.
//!
//! T ends when some node has moved by a quarter of the body's length. Ropes that swing farther
//! become so sensitive to small errors that no step would be short enough. T also ends after a
//! number of periods of the highest mode, which limits it for stiff bodies. The reference is
//! Runge-Kutta 4 with a step that is halved until positions stop changing.

use super::run::{distance, run, size};
use crate::stability::predict::spectrum_at;
use catena_sim::{Method, Setup, Simulation, method::with_defaults};
use std::sync::Arc;

/// Distance that a node may move, as a share of the body's length.
pub const MAX_DISPLACEMENT: f64 = 0.25;
/// Maximum of ω_max T.
pub const MAX_RADIANS: f64 = 400.0;
/// Value of ω_max dt in the run that determines T.
const SEARCH: f64 = 0.25;
/// Value of ω_max dt for the longest step.
const LONGEST: f64 = 2.0;
/// Reference error that is small enough to stop, as a share of the body's length.
const EXACT: f64 = 1e-13;
/// Maximum accepted reference error, as a share of the body's length. Above it, T is halved.
const FINE: f64 = 1e-11;
/// Maximum number of times that T is halved.
const HALVINGS: u32 = 6;
/// Minimum factor by which halving the step reduces the change in a convergent run. The theoretical
/// factor is 16; with a smaller factor than this, the change is rounding error.
const CONVERGES: f64 = 4.0;
/// Maximum work of the reference for one duration: steps times nodes times force evaluations.
const MAX_WORK: u64 = 80_000_000;

/// Duration of all runs, and accuracy of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceRun {
    /// Duration T.
    pub time: f64,
    /// Product ω_max T.
    pub radians: f64,
    /// Maximum distance that a node has moved at T, as a share of the body's length.
    pub displacement: f64,
    /// Number of steps of the reference.
    pub steps: u64,
    /// Distance between the reference and a run with half its steps, as a share of the body's
    /// length. The error of the reference is smaller.
    pub error: f64,
}

impl ReferenceRun {
    /// Number of steps of the coarsest run, about one per two radians of the highest mode.
    pub(super) fn fewest_steps(&self) -> u64 {
        ((self.radians / LONGEST).ceil() as u64).next_power_of_two().max(8)
    }
}

/// Reason why no order can be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoOrder {
    /// No restoring force acts, or the initial state is not finite.
    Loose,
    /// Nothing moves.
    Still,
    /// The reference does not become accurate enough within its work limit.
    Inexact {
        /// Smallest error reached, as a share of the body's length.
        error: f64,
    },
    /// The body is too large for a reference with enough steps.
    Large,
}

/// Chooses T and computes the positions at T, with `share` times the default work limit.
pub(super) fn choose(setup: &Setup, share: f64) -> Result<(ReferenceRun, Vec<f64>), NoOrder> {
    let omega = spectrum_at(setup, &setup.initial, 1e-6).omega;
    if !(omega.is_finite() && omega > 0.0) {
        return Err(NoOrder::Loose);
    }
    let method = with_defaults("Rk4").ok_or(NoOrder::Loose)?;
    let maximum = affordable(setup, share);
    if maximum < (4.0 * MAX_RADIANS / SEARCH) as u64 {
        return Err(NoOrder::Large);
    }
    let mut time = moving_time(setup, &method, omega)?;
    let mut minimum = f64::INFINITY;
    for _ in 0..=HALVINGS {
        let fewest =
            ReferenceRun { time, radians: omega * time, displacement: 0.0, steps: 0, error: 0.0 };
        let (steps, error, x) = converged(setup, &method, time, fewest.fewest_steps(), maximum);
        if error <= FINE {
            let displacement = distance(setup, &x, &setup.initial.x);
            return Ok((ReferenceRun { displacement, steps, error, ..fewest }, x));
        }
        minimum = minimum.min(error);
        time *= 0.5;
    }
    Err(NoOrder::Inexact { error: minimum })
}

/// Maximum number of steps in one reference run.
fn affordable(setup: &Setup, share: f64) -> u64 {
    // All shorter runs together cost as much as the longest one.
    (share * MAX_WORK as f64) as u64 / (2 * 4 * size(setup))
}

/// Time at which some node has first moved by [`MAX_DISPLACEMENT`], or the maximum duration.
fn moving_time(setup: &Setup, method: &Arc<dyn Method>, omega: f64) -> Result<f64, NoOrder> {
    let dt = SEARCH / omega;
    let mut run = Simulation::new(Arc::new(Setup {
        method: Arc::clone(method),
        frame_time: dt,
        substeps: 1,
        ..setup.clone()
    }));
    let mut displacement = 0.0_f64;
    let steps = (MAX_RADIANS / SEARCH) as u64;
    for step in 1..=steps {
        run.step();
        displacement = displacement.max(distance(setup, &run.state().x, &setup.initial.x));
        if displacement >= MAX_DISPLACEMENT {
            return Ok(step as f64 * dt);
        }
    }
    if displacement > 0.0 { Ok(steps as f64 * dt) } else { Err(NoOrder::Still) }
}

/// Doubles the number of steps until positions change only by rounding, up to `maximum` steps.
/// Returns the number of steps, the last change, and the positions at the end.
fn converged(
    setup: &Setup,
    method: &Arc<dyn Method>,
    time: f64,
    fewest: u64,
    maximum: u64,
) -> (u64, f64, Vec<f64>) {
    let mut steps = fewest;
    let mut x = run(setup, method, time, steps).0;
    let mut change = f64::INFINITY;
    while steps <= maximum / 2 {
        let finer = run(setup, method, time, 2 * steps).0;
        let now = distance(setup, &x, &finer);
        // If the change stops decreasing, the coarser run is as accurate.
        let is_rounding = now < FINE && now * CONVERGES > change;
        if is_rounding && now > change {
            break;
        }
        (steps, x, change) = (2 * steps, finer, now);
        if is_rounding || change <= EXACT {
            break;
        }
    }
    (steps, change, x)
}

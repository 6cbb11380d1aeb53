//! The time that runs are compared over, and the run that they are compared with.
//!
//! The time is that of a motion: until some node has moved by a quarter of the body's length. Ropes
//! that swing further soon depend on the smallest error, and no step would be short enough. Stiff
//! bodies move through many periods of their highest mode by then, and their time ends after some
//! of these. The reference is Runge-Kutta 4, its step halved until that moves nothing any more.

use super::{distance, run, size};
use crate::analysis::stability::predict::spectrum_at;
use crate::sim::{Method, Setup, Simulation, method::with_defaults};
use std::sync::Arc;

/// How far a node moves, as a share of the body's length.
pub const WAY: f64 = 0.25;
/// ω_max T at the most.
pub const MOST_RADIANS: f64 = 400.0;
/// ω_max dt of the run that the time is read off, and of the longest step.
const SEARCH: f64 = 0.25;
const LONGEST: f64 = 2.0;
/// Errors of the reference, as a share of the body's length: below the first none is sought, and
/// above the second the time is halved.
const EXACT: f64 = 1e-13;
const FINE: f64 = 1e-11;
/// How often.
const HALVINGS: u32 = 6;
/// Where halving the step divides the change by less than this, what is left of it is rounding; a
/// run that converges divides it by 16.
const CONVERGES: f64 = 4.0;
/// Steps times nodes times evaluations of forces that the runs of the reference may take for one
/// time.
const MOST_WORK: u64 = 80_000_000;

/// The time that all runs take, and the run that they are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// T.
    pub time: f64,
    /// ω_max T.
    pub radians: f64,
    /// How far a node has moved by then at the most, as a share of the body's length.
    pub way: f64,
    /// Steps of the reference.
    pub steps: u64,
    /// How far the reference is from itself with half the steps, as a share of the body's length.
    /// Its own error is less.
    pub error: f64,
}

impl Span {
    /// Steps of the coarsest run: about one for two radians of the highest mode.
    pub(super) fn fewest_steps(&self) -> u64 {
        ((self.radians / LONGEST).ceil() as u64).next_power_of_two().max(8)
    }
}

/// Why no order can be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// No force pulls anything back, or the start is not finite.
    Loose,
    /// Nothing moves.
    Still,
    /// The reference is not exact enough with the work that it may take; how exact it is.
    Inexact {
        /// As a share of the body's length.
        error: f64,
    },
    /// The body is too large for a reference of so many steps.
    Large,
}

/// The time, and positions at its end.
pub(super) fn choose(setup: &Setup) -> Result<(Span, Vec<f64>), Reason> {
    let omega = spectrum_at(setup, &setup.initial, 1e-6).omega;
    if !(omega.is_finite() && omega > 0.0) {
        return Err(Reason::Loose);
    }
    let method = with_defaults("Rk4").ok_or(Reason::Loose)?;
    if affordable(setup) < (4.0 * MOST_RADIANS / SEARCH) as u64 {
        return Err(Reason::Large);
    }
    let mut time = moving_time(setup, &method, omega)?;
    let mut least = f64::INFINITY;
    for _ in 0..=HALVINGS {
        let fewest = Span { time, radians: omega * time, way: 0.0, steps: 0, error: 0.0 };
        let (steps, error, x) = converged(setup, &method, time, fewest.fewest_steps());
        if error <= FINE {
            let way = distance(setup, &x, &setup.initial.x);
            return Ok((Span { way, steps, error, ..fewest }, x));
        }
        least = least.min(error);
        time *= 0.5;
    }
    Err(Reason::Inexact { error: least })
}

/// Steps of the longest run of the reference.
fn affordable(setup: &Setup) -> u64 {
    // A run costs as much as all shorter ones together.
    MOST_WORK / (2 * 4 * size(setup))
}

/// When a node has first moved by its share of the body's length, or the time is over.
fn moving_time(setup: &Setup, method: &Arc<dyn Method>, omega: f64) -> Result<f64, Reason> {
    let dt = SEARCH / omega;
    let mut run = Simulation::new(Arc::new(Setup {
        method: Arc::clone(method),
        frame_time: dt,
        substeps: 1,
        ..setup.clone()
    }));
    let mut way = 0.0_f64;
    let steps = (MOST_RADIANS / SEARCH) as u64;
    for step in 1..=steps {
        run.step();
        way = way.max(distance(setup, &run.state().x, &setup.initial.x));
        if way >= WAY {
            return Ok(step as f64 * dt);
        }
    }
    if way > 0.0 { Ok(steps as f64 * dt) } else { Err(Reason::Still) }
}

/// Doubles the steps until that changes no more than rounding: steps, the last change, positions at
/// the end.
fn converged(
    setup: &Setup,
    method: &Arc<dyn Method>,
    time: f64,
    fewest: u64,
) -> (u64, f64, Vec<f64>) {
    let most = affordable(setup);
    let mut steps = fewest;
    let mut x = run(setup, method, time, steps).0;
    let mut change = f64::INFINITY;
    while 2 * steps <= most {
        let finer = run(setup, method, time, 2 * steps).0;
        let now = distance(setup, &x, &finer);
        // Where it no longer falls, the coarser run is as good.
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

//! How long a step may be: predicted from the spectrum of M⁻¹K, and measured by runs.

pub mod map;
pub mod measure;
pub mod oscillator;
mod passing;
pub mod predict;
mod propagation;
mod warning;

pub use warning::warning;

use crate::analysis::budget::{Amount, Budget};
use crate::sim::Setup;
use measure::{Measured, Trial};
use predict::Prediction;

/// What is known about the longest stable step of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The step that the scene takes.
    pub dt: f64,
    /// From the spectrum; `None` where the method integrates no springs or chooses its own step.
    pub predicted: Option<Prediction>,
    /// From runs; `None` where the method chooses its own step, and where the budget allows no run.
    pub measured: Option<Measured>,
    /// Whether a run of the film with the scene's own step does not diverge; `None` where the budget does not allow it.
    pub film: Option<bool>,
    /// What textbooks write beside it, for the body's greatest stiffness, smallest mass and shortest spring.
    pub textbook: Textbook,
}

/// Bounds that lecture notes print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Textbook {
    /// 2/√(k/m), the limit of semi-implicit Euler and Verlet for one mass on one spring.
    pub one_spring: f64,
    /// l/√(k/μ) with μ = m/l, taken by its numbers. Its unit is that of a time only if k stands for a force, E A = k l;
    /// then it is √(m/k).
    pub wave: f64,
}

impl Textbook {
    /// The bounds of a body; infinite where it has no springs.
    pub fn of(setup: &Setup) -> Self {
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let mass = least(&mut setup.model.mass.iter().copied());
        let springs = &setup.model.springs;
        let stiffness = springs.iter().map(|spring| spring.stiffness).fold(0.0, f64::max);
        let length = least(&mut springs.iter().map(|spring| spring.rest_length));
        let wave =
            if length.is_finite() { length / (stiffness * length / mass).sqrt() } else { length };
        Self { one_spring: 2.0 / (stiffness / mass).sqrt(), wave }
    }
}

/// Simulated time that a run has to survive: the film, and at least this many periods of the highest mode.
const LEAST_PERIODS: f64 = 400.0;

/// What the runs of a prediction may take.
pub const PREDICTING: Amount = Amount { seconds: 1.0 };
/// What the runs of a measurement may take.
pub const MEASURING: Amount = Amount { seconds: 3.0 };

/// Predicts and measures. `film_time` is that of all frames.
pub fn stability(setup: &Setup, gravity: &[f64], has_reference: bool, film_time: f64) -> Stability {
    let textbook = Textbook::of(setup);
    let (dt, film) = (setup.dt(), None);
    let known = Stability { dt, predicted: None, measured: None, film, textbook };
    if setup.chooses_its_step() {
        return known;
    }
    let mut budget = Budget::new(PREDICTING);
    let predicted = predict::predict_film(setup, gravity, has_reference, film_time, &mut budget);
    let omega = predicted.map(|found| found.highest.omega);
    let period = omega.map_or(0.0, |omega| 2.0 * std::f64::consts::PI / omega);
    let time = film_time.max(LEAST_PERIODS * period).max(dt);
    let limit = predicted.and_then(|found| found.longest_step).filter(|step| step.is_finite());
    let mut budget = Budget::new(MEASURING);
    let Some(trial) = Trial::new(setup, omega, time, &mut budget) else {
        return Stability { predicted, ..known };
    };
    let film = Trial { time: film_time, strain: setup.strain_limit };
    let film = film.survives_with(setup, setup.substeps, &mut budget);
    let measured = measure::measure(setup, limit.unwrap_or(dt), trial, &mut budget);
    Stability { predicted, measured: Some(measured), film, ..known }
}

//! How long a step may be: predicted from the spectrum of M⁻¹K, and measured by runs.

pub mod map;
pub mod measure;
pub mod oscillator;
mod passing;
pub mod predict;
mod propagation;
mod warning;

pub use warning::{warning, warning_amount};

use crate::analysis::budget::{Amount, Budget};
use crate::sim::Setup;
use measure::{Measured, Trial};
use predict::Prediction;

/// What is known about the longest stable step of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// What runs might take.
    pub amounts: Amounts,
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

/// What the runs of a study of stability may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amounts {
    /// Those of a prediction.
    pub predicting: Amount,
    /// Those of a measurement.
    pub measuring: Amount,
}

impl Amounts {
    /// For one body alone.
    pub const ONE: Self =
        Self { predicting: Amount { seconds: 1.0 }, measuring: Amount { seconds: 3.0 } };

    /// For each of so many bodies: as much as one alone may take, as long as all together take no
    /// more than twelve of them.
    pub fn among(bodies: usize) -> Self {
        let share = |amount: Amount| amount.shared(bodies.max(12)).times(12.0);
        Self { predicting: share(Self::ONE.predicting), measuring: share(Self::ONE.measuring) }
    }
}

/// Predicts and measures. `film_time` is that of all frames.
pub fn stability(setup: &Setup, film_time: f64, amounts: Amounts) -> Stability {
    let textbook = Textbook::of(setup);
    let (dt, film) = (setup.dt(), None);
    let known = Stability { amounts, dt, predicted: None, measured: None, film, textbook };
    if setup.chooses_its_step() {
        return known;
    }
    let mut budget = Budget::new(amounts.predicting);
    let predicted = predict::predict_film(setup, film_time, &mut budget);
    let omega = predicted.map(|found| found.highest.omega);
    let period = omega.map_or(0.0, |omega| 2.0 * std::f64::consts::PI / omega);
    let time = film_time.max(LEAST_PERIODS * period).max(dt);
    let limit = predicted.and_then(|found| found.longest_step).filter(|step| step.is_finite());
    let mut budget = Budget::new(amounts.measuring);
    // Where small motions are stable at any step, a run is lost when it diverges, and not when it
    // is stretched.
    let is_limited = |found: &Prediction| found.longest_step.is_none_or(f64::is_finite);
    let limited_omega = predicted.filter(is_limited).and(omega);
    let Some(trial) = Trial::new(setup, limited_omega, time, &mut budget) else {
        return Stability { predicted, ..known };
    };
    let film = Trial { time: film_time, strain: setup.strain_limit };
    let film = film.survives_with(setup, setup.substeps, &mut budget);
    let measured = measure::measure(setup, limit.unwrap_or(dt), trial, &mut budget);
    Stability { predicted, measured: Some(measured), film, ..known }
}

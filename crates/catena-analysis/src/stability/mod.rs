//! Longest stable step: predicted from the spectrum of M⁻¹K, and measured by runs.

mod equilibrium;
mod held;
pub mod map;
pub mod measure;
pub mod oscillator;
pub mod predict;
mod prediction;
pub mod region;
mod stiffest;
mod warning;

pub use equilibrium::max_work as max_work_at_rest;
pub use held::max_work as max_work_of_held;
pub use warning::{held_limit, warning, warning_amount, warning_counted};

use crate::budget::{CoreTime, StudyBudget};
use crate::stability::prediction::Prediction;
use catena_sim::Setup;
use measure::{Guess, MeasuredLimit, SurvivalTest, Trials};

/// Result of a stability study of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// Budgets of the study.
    pub amounts: StabilityTimes,
    /// Time step of the scene.
    pub dt: f64,
    /// Simulated time of all frames.
    pub film_time: f64,
    /// Predicted limit: from the spectrum, or from growth and tension under methods that enforce
    /// lengths. `None` if nothing limits the step, or the method chooses its own step.
    pub predicted: Option<Prediction>,
    /// Limit measured by runs; `None` if the method chooses its own step, or the budget allows no
    /// run.
    pub measured: Option<MeasuredLimit>,
    /// Whether a run of all frames with the scene's own step survives; `None` if the budget does
    /// not allow it.
    pub film: Option<bool>,
    /// Textbook bounds for the body's maximum stiffness, minimum mass and shortest spring.
    pub textbook: TextbookBounds,
}

/// Bounds as printed in lecture notes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextbookBounds {
    /// Limit 2/√(k/m) of semi-implicit Euler and Verlet for one mass on one spring.
    pub one_spring: f64,
    /// Numerical value of l/√(k/μ) with μ = m/l. Its unit is a time only if k is a force, E A = k
    /// l; it then equals √(m/k).
    pub wave: f64,
}

impl TextbookBounds {
    /// Computes the bounds of a body; infinite if it has no springs.
    pub fn of(setup: &Setup) -> Self {
        let minimum = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let mass = minimum(&mut setup.model.mass.iter().copied());
        let springs = &setup.model.springs;
        let stiffness = springs.iter().map(|spring| spring.stiffness).fold(0.0, f64::max);
        let length = minimum(&mut springs.iter().map(|spring| spring.rest_length));
        let wave =
            if length.is_finite() { length / (stiffness * length / mass).sqrt() } else { length };
        Self { one_spring: 2.0 / (stiffness / mass).sqrt(), wave }
    }
}

/// Cost of a whole search for the longest stable step, as a number of runs at that step.
const RUNS_OF_SEARCH: f64 = 24.0;

impl Stability {
    /// Study time in seconds that is probably sufficient to measure the longest step of the setup.
    /// `None` if no longest step is known.
    pub fn enough(&self, setup: &Setup) -> Option<f64> {
        let measured = self.measured.and_then(|found| found.survived);
        let predicted = self.predicted.and_then(|found| found.longest_step);
        let step = measured.or(predicted).filter(|step| step.is_finite())?;
        let omega = self.predicted.map_or(0.0, |found| found.highest.omega);
        let periods =
            if omega > 0.0 { MIN_PERIODS * 2.0 * std::f64::consts::PI / omega } else { 0.0 };
        let run = measure::run_time(setup, step, self.film_time.max(periods));
        Some(StabilityTimes::seconds_to_measure_for(RUNS_OF_SEARCH * run.seconds))
    }

    /// Study time in seconds whose share for measuring is the budget of this study.
    pub fn study_time(&self) -> f64 {
        StabilityTimes::seconds_to_measure_for(self.amounts.measuring.seconds)
    }
}

/// Minimum number of periods of the highest mode that a run must survive, in addition to the time
/// of all frames.
pub const MIN_PERIODS: f64 = 400.0;

/// Budgets of a stability study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StabilityTimes {
    /// Budget of a prediction.
    pub predicting: CoreTime,
    /// Budget of a measurement.
    pub measuring: CoreTime,
}

impl StabilityTimes {
    /// Budgets for a single body.
    pub const ONE: Self =
        Self { predicting: CoreTime { seconds: 1.0 }, measuring: CoreTime { seconds: 3.0 } };

    /// Divides a total of `seconds` into both budgets in the proportion of [`StabilityTimes::ONE`].
    pub fn of_seconds(seconds: f64) -> Self {
        let Self { predicting, measuring } = Self::ONE;
        let factor = seconds / (predicting.seconds + measuring.seconds);
        Self { predicting: predicting.times(factor), measuring: measuring.times(factor) }
    }

    /// Total study time in seconds if the share for measuring is `seconds`.
    fn seconds_to_measure_for(seconds: f64) -> f64 {
        let Self { predicting, measuring } = Self::ONE;
        seconds * (predicting.seconds + measuring.seconds) / measuring.seconds
    }

    /// Budgets per body in a scene of `bodies` bodies. Each body gets [`StabilityTimes::ONE`]; with
    /// more than twelve bodies, all of them share twelve times this amount.
    pub fn among(bodies: usize) -> Self {
        let share = |amount: CoreTime| amount.shared(bodies.max(12)).times(12.0);
        Self { predicting: share(Self::ONE.predicting), measuring: share(Self::ONE.measuring) }
    }
}

/// Predicts and measures the longest stable step. `film_time` is the simulated time of all frames.
pub fn stability(setup: &Setup, film_time: f64, amounts: StabilityTimes) -> Stability {
    let study = StepStudy::new(setup, film_time, amounts);
    study.found(&mut Trials::within(amounts.measuring))
}

/// Studies several setups as [`stability`] does, with their runs in parallel. Each subject is a
/// setup and its `film_time`.
pub fn stability_of_all(subjects: &[(&Setup, f64)], amounts: StabilityTimes) -> Vec<Stability> {
    measure::side_by_side(&studies(subjects, amounts), amounts.measuring, StepStudy::found)
}

/// Longest surviving step of each setup, as [`stability_of_all`] would measure it. Runs for other
/// results are omitted, so the budget suffices for more. `None` if no step survives, the method
/// chooses its own step, or the budget allows no run.
pub fn longest_steps_of_all(
    subjects: &[(&Setup, f64)],
    amounts: StabilityTimes,
) -> Vec<Option<f64>> {
    measure::side_by_side(&studies(subjects, amounts), amounts.measuring, StepStudy::longest_step)
}

fn studies<'a>(subjects: &[(&'a Setup, f64)], amounts: StabilityTimes) -> Vec<StepStudy<'a>> {
    subjects.iter().map(|(setup, film_time)| StepStudy::new(setup, *film_time, amounts)).collect()
}

/// Study of the longest stable step, with everything known before the measuring runs.
struct StepStudy<'a> {
    setup: &'a Setup,
    film_time: f64,
    known: Stability,
}

impl<'a> StepStudy<'a> {
    fn new(setup: &'a Setup, film_time: f64, amounts: StabilityTimes) -> Self {
        let textbook = TextbookBounds::of(setup);
        let has_step = !setup.chooses_its_step();
        let mut budget = StudyBudget::new(amounts.predicting);
        let predicted =
            has_step.then(|| predict::predict_film(setup, film_time, &mut budget)).flatten();
        let (dt, film) = (setup.dt(), None);
        let known = Stability { amounts, dt, film_time, predicted, measured: None, film, textbook };
        Self { setup, film_time, known }
    }

    fn found(&self, trials: &mut Trials) -> Stability {
        let Self { setup, film_time, known } = *self;
        let Some(trial) = self.trial(trials) else { return known };
        let film = SurvivalTest { time: film_time, strain: setup.strain_limit };
        let film = film.survives_with(setup, setup.substeps, trials);
        let measured = measure::measure(setup, self.guess(), trial, trials);
        Stability { measured: Some(measured), film, ..known }
    }

    fn longest_step(&self, trials: &mut Trials) -> Option<f64> {
        let trial = self.trial(trials)?;
        measure::longest_step(self.setup, self.guess(), trial, trials)
    }

    /// Creates the test that runs have to survive, by a first run in `trials`; `None` if no run is
    /// possible.
    fn trial(&self, trials: &mut Trials) -> Option<SurvivalTest> {
        let Self { setup, film_time, known: Stability { predicted, dt, .. } } = *self;
        if setup.chooses_its_step() {
            return None;
        }
        // Without integrated springs, no mode has to oscillate.
        let integrates = setup.method.info().limit.is_some();
        let predicted = predicted.filter(|_| integrates);
        let omega = predicted.map(|found| found.highest.omega);
        let period = omega.map_or(0.0, |omega| 2.0 * std::f64::consts::PI / omega);
        let time = film_time.max(MIN_PERIODS * period).max(dt);
        // If small motions are stable at any step, only divergence counts, not strain.
        let is_limited = |found: &Prediction| found.longest_step.is_none_or(f64::is_finite);
        let limited_omega = predicted.filter(is_limited).and(omega);
        SurvivalTest::new(setup, limited_omega, time, trials)
    }

    /// Initial guess of the search for the longest step.
    fn guess(&self) -> Guess {
        let limit = self.known.predicted.and_then(|found| found.longest_step);
        match limit.filter(|step| step.is_finite()) {
            Some(step) => Guess::Predicted(step),
            None => Guess::Any(self.known.dt),
        }
    }
}

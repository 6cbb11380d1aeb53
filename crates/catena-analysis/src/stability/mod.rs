//! The longest stable step: predicted from the spectrum of M⁻¹K, and measured by runs.

mod amplification;
mod changing;
mod equilibrium;
mod growth;
mod held;
pub mod map;
pub mod measure;
pub mod oscillator;
pub mod predict;
mod stiffest;
mod tension;
pub mod trials;
mod warning;

pub use equilibrium::most_work as most_work_at_rest;
pub use held::most_work as most_work_of_held;
pub use warning::{warning, warning_amount};

use crate::budget::{CoreTime, StudyBudget};
use catena_sim::Setup;
use measure::{Guess, MeasuredLimit, SurvivalTest};
use predict::Prediction;
use trials::Trials;

/// What a study found about the longest stable step of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The budgets of its runs.
    pub amounts: StabilityTimes,
    /// The step that the scene takes.
    pub dt: f64,
    /// The time of all frames.
    pub film_time: f64,
    /// From the spectrum, or under methods that hold lengths from the growth of a step and from
    /// tension; `None` if nothing limits the step, or the method chooses its own.
    pub predicted: Option<Prediction>,
    /// From runs; `None` if the method chooses its own step, or the budget allows no run.
    pub measured: Option<MeasuredLimit>,
    /// Whether a run of all frames with the scene's own step does not diverge; `None` if the budget
    /// does not allow it.
    pub film: Option<bool>,
    /// Bounds of textbooks, for the body's greatest stiffness, smallest mass and shortest spring.
    pub textbook: TextbookBounds,
}

/// Bounds that lecture notes print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextbookBounds {
    /// 2/√(k/m), the limit of semi-implicit Euler and Verlet for one mass on one spring.
    pub one_spring: f64,
    /// l/√(k/μ) with μ = m/l, by its numbers. Its unit is a time only if k stands for a force,
    /// E A = k l; then it is √(m/k).
    pub wave: f64,
}

impl TextbookBounds {
    /// The bounds of a body; infinite if it has no springs.
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

/// A run has to survive the time of all frames, and at least this many periods of the highest mode.
pub const LEAST_PERIODS: f64 = 400.0;

/// The budgets of a study of stability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StabilityTimes {
    /// For a prediction.
    pub predicting: CoreTime,
    /// For a measurement.
    pub measuring: CoreTime,
}

impl StabilityTimes {
    /// The budgets of one body alone.
    pub const ONE: Self =
        Self { predicting: CoreTime { seconds: 1.0 }, measuring: CoreTime { seconds: 3.0 } };

    /// The budgets of each of so many bodies: those of one alone for up to twelve bodies, and equal
    /// shares of twelve times as much for more.
    pub fn among(bodies: usize) -> Self {
        let share = |amount: CoreTime| amount.shared(bodies.max(12)).times(12.0);
        Self { predicting: share(Self::ONE.predicting), measuring: share(Self::ONE.measuring) }
    }
}

/// Predicts and measures the longest stable step. `film_time` is the time of all frames.
pub fn stability(setup: &Setup, film_time: f64, amounts: StabilityTimes) -> Stability {
    let study = Study::new(setup, film_time, amounts);
    study.found(&mut Trials::within(amounts.measuring))
}

/// The same of several setups, with their runs side by side.
pub fn stability_of_all(subjects: &[(&Setup, f64)], amounts: StabilityTimes) -> Vec<Stability> {
    trials::side_by_side(&studies(subjects, amounts), amounts.measuring, Study::found)
}

/// The longest step that survives, of several setups: that of [`stability_of_all`] without the runs
/// that tell more than this step, so that a budget reaches farther. `None` where no step survives,
/// the method chooses its own, or the budget allows no run.
pub fn longest_steps_of_all(
    subjects: &[(&Setup, f64)],
    amounts: StabilityTimes,
) -> Vec<Option<f64>> {
    trials::side_by_side(&studies(subjects, amounts), amounts.measuring, Study::longest_step)
}

fn studies<'a>(subjects: &[(&'a Setup, f64)], amounts: StabilityTimes) -> Vec<Study<'a>> {
    subjects.iter().map(|(setup, film_time)| Study::new(setup, *film_time, amounts)).collect()
}

/// A study of the longest stable step, with all that is known without the runs that measure it.
struct Study<'a> {
    setup: &'a Setup,
    film_time: f64,
    known: Stability,
}

impl<'a> Study<'a> {
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

    /// The test that runs have to survive; `None` if there can be no run.
    fn trial(&self, trials: &mut Trials) -> Option<SurvivalTest> {
        let Self { setup, film_time, known: Stability { predicted, dt, .. } } = *self;
        if setup.chooses_its_step() {
            return None;
        }
        // Without springs that are integrated no mode has to swing.
        let integrates = setup.method.info().limit.is_some();
        let predicted = predicted.filter(|_| integrates);
        let omega = predicted.map(|found| found.highest.omega);
        let period = omega.map_or(0.0, |omega| 2.0 * std::f64::consts::PI / omega);
        let time = film_time.max(LEAST_PERIODS * period).max(dt);
        // If small motions are stable at any step, only divergence counts, and not stretching.
        let is_limited = |found: &Prediction| found.longest_step.is_none_or(f64::is_finite);
        let limited_omega = predicted.filter(is_limited).and(omega);
        SurvivalTest::new(setup, limited_omega, time, trials)
    }

    /// Where the search for the longest step begins.
    fn guess(&self) -> Guess {
        let limit = self.known.predicted.and_then(|found| found.longest_step);
        match limit.filter(|step| step.is_finite()) {
            Some(step) => Guess::Predicted(step),
            None => Guess::Any(self.known.dt),
        }
    }
}

//! Map of the substeps and stiffnesses that a body survives, with the boundary predicted from the
//! spectrum.

use super::{
    StabilityTimes,
    measure::{SurvivalTest, Trials},
    predict::predict_film,
};
use crate::budget::{CoreTime, StudyBudget};
use catena_sim::Setup;
use rayon::prelude::*;

/// Survival of a body over substeps and stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityMap {
    /// Substeps per frame, ascending.
    pub substeps: Vec<u64>,
    /// Stiffness of the first spring, ascending by a constant factor. All springs are scaled alike.
    pub stiffness: Vec<f64>,
    /// Whether each run survived: one row of all substeps per stiffness.
    pub survived: Vec<bool>,
    /// Required substeps per frame at each stiffness by the spectrum. `None` if no number suffices,
    /// or any does.
    pub predicted: Vec<Option<f64>>,
    /// Simulated time that each run had to survive.
    pub time: f64,
    /// Run of the body as it is, for all frames; `None` if the budget does not allow it.
    pub film: Option<FilmRun>,
}

/// Run of a body for all frames of its scene, with its own step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmRun {
    /// Simulated time of all frames.
    pub time: f64,
    /// Whether it survives, as a render judges it.
    pub survived: bool,
}

impl FilmRun {
    /// Runs a setup for a time within a budget. `None` if the budget does not allow it.
    pub fn of(setup: &Setup, time: f64, budget: CoreTime) -> Option<Self> {
        let test = SurvivalTest { time, strain: setup.strain_limit };
        let mut trials = Trials::within(budget);
        let survived = test.survives_with(setup, setup.substeps, &mut trials)?;
        Some(Self { time, survived })
    }
}

/// Copies a setup with the stiffness of all springs multiplied by a factor.
pub fn stiffened(setup: &Setup, factor: f64) -> Setup {
    let mut setup = setup.clone();
    setup.model.springs.iter_mut().for_each(|spring| spring.stiffness *= factor);
    setup
}

impl StabilityMap {
    /// Runs every pair, each on one thread, and calls `each` after every run. Returns `None` if a
    /// run would exceed its budget in `amounts`.
    pub fn measure(
        setup: &Setup,
        substeps: Vec<u64>,
        factors: &[f64],
        time: f64,
        amounts: StabilityTimes,
        each: &(dyn Fn() + Sync),
    ) -> Option<Self> {
        let body = |&factor: &f64| {
            let body = stiffened(setup, factor);
            let mut budget = StudyBudget::new(amounts.predicting);
            let found = predict_film(&body, time, &mut budget);
            let omega = found.map(|found| found.highest.omega);
            let mut trials = Trials::within(amounts.measuring);
            let trial = SurvivalTest::new(&body, omega, time, &mut trials)?;
            Some((body, trial, found.and_then(|found| found.longest_step)))
        };
        let bodies: Vec<(Setup, SurvivalTest, Option<f64>)> =
            factors.par_iter().map(body).collect::<Option<_>>()?;
        let cells: Vec<(&Setup, SurvivalTest, u64)> = bodies
            .iter()
            .flat_map(|(body, trial, _)| substeps.iter().map(move |&n| (body, *trial, n)))
            .collect();
        let predicted = bodies
            .iter()
            .map(|(body, _, step)| {
                step.filter(|step| step.is_finite()).map(|step| body.frame_time / step)
            })
            .collect();
        let survived = cells
            .par_iter()
            .map(|(body, trial, substeps)| {
                let mut trials = Trials::within(amounts.measuring);
                let survived = trial.survives_with(body, *substeps, &mut trials);
                each();
                survived
            })
            .collect::<Option<_>>()?;
        let first = setup.model.springs.first().map_or(0.0, |spring| spring.stiffness);
        let stiffness = factors.iter().map(|factor| factor * first).collect();
        Some(Self { substeps, stiffness, survived, predicted, time, film: None })
    }
}

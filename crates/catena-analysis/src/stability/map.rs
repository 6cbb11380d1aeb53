//! The map of pairs of substeps and stiffness that a body survives, with the boundary that the
//! spectrum predicts.

use super::{StabilityTimes, measure::SurvivalTest, predict::predict_film, trials::Trials};
use crate::budget::StudyBudget;
use catena_sim::Setup;
use rayon::prelude::*;

/// Stable and unstable over substeps and stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityMap {
    /// Substeps a frame, rising.
    pub substeps: Vec<u64>,
    /// Stiffness of the first spring, rising by equal factors; all springs are scaled alike.
    pub stiffness: Vec<f64>,
    /// Whether the run survived, a row of all substeps for each stiffness.
    pub survived: Vec<bool>,
    /// The substeps that the spectrum demands at each stiffness; `None` if no number suffices, or
    /// every one does.
    pub predicted: Vec<Option<f64>>,
    /// Simulated time that runs had to survive.
    pub time: f64,
}

/// The body with the stiffness of all springs multiplied by a factor.
pub fn stiffened(setup: &Setup, factor: f64) -> Setup {
    let mut setup = setup.clone();
    setup.model.springs.iter_mut().for_each(|spring| spring.stiffness *= factor);
    setup
}

impl StabilityMap {
    /// Runs every pair, each run in one thread, and calls `each` after it. `None` if a run would
    /// exceed its budget in `amounts`.
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
        Some(Self { substeps, stiffness, survived, predicted, time })
    }
}

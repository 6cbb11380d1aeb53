//! Which pairs of substeps and stiffness a body survives, with the line that the spectrum predicts between them.

use super::{Amounts, measure::Trial, predict::predict_film};
use crate::analysis::budget::Budget;
use crate::sim::Setup;
use rayon::prelude::*;

/// Stable and unstable over substeps and stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Substeps a frame, rising.
    pub substeps: Vec<u64>,
    /// Stiffness of the first spring, rising by equal factors. All springs are scaled alike.
    pub stiffness: Vec<f64>,
    /// Whether the run survived, one row of substeps after the other for each stiffness.
    pub survived: Vec<bool>,
    /// Substeps that the spectrum asks for at each stiffness; `None` where no number of them is enough or every one is.
    pub predicted: Vec<Option<f64>>,
    /// Simulated time that had to be survived.
    pub time: f64,
}

/// The same body with all springs so many times as stiff.
pub fn stiffened(setup: &Setup, factor: f64) -> Setup {
    let mut setup = setup.clone();
    setup.model.springs.iter_mut().for_each(|spring| spring.stiffness *= factor);
    setup
}

impl Map {
    /// Runs every pair. Cells are shared out over threads, each run being one thread's. `None`
    /// where a run would take more than `amounts` allow it.
    pub fn measure(
        setup: &Setup,
        substeps: Vec<u64>,
        factors: &[f64],
        time: f64,
        amounts: Amounts,
    ) -> Option<Self> {
        let body = |&factor: &f64| {
            let body = stiffened(setup, factor);
            let mut budget = Budget::new(amounts.predicting);
            let found = predict_film(&body, time, &mut budget);
            let omega = found.map(|found| found.highest.omega);
            let trial = Trial::new(&body, omega, time, &mut Budget::new(amounts.measuring))?;
            Some((body, trial, found.and_then(|found| found.longest_step)))
        };
        let bodies: Vec<(Setup, Trial, Option<f64>)> =
            factors.par_iter().map(body).collect::<Option<_>>()?;
        let cells: Vec<(&Setup, Trial, u64)> = bodies
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
                trial.survives_with(body, *substeps, &mut Budget::new(amounts.measuring))
            })
            .collect::<Option<_>>()?;
        let first = setup.model.springs.first().map_or(0.0, |spring| spring.stiffness);
        let stiffness = factors.iter().map(|factor| factor * first).collect();
        Some(Self { substeps, stiffness, survived, predicted, time })
    }
}

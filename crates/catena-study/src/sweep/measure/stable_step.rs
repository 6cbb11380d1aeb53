//! Measure: the longest stable step of a body.

use super::{Ended, Measure, Measuring, PlannedMeasuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_analysis::stability::{MIN_PERIODS, StabilityTimes, longest_steps_of_all};
use catena_analysis::{
    budget::{CoreTime, StudyBudget},
    stability::predict::{predict_at_start, predict_film, predict_film_counted},
    stability::{max_work_at_rest, max_work_of_held},
};
use catena_sim::Setup;
use std::sync::Arc;

/// Approximate fixed work of a prediction, in nanoseconds of one core.
const PREDICTION: u128 = 450_000;
/// Approximate work of a prediction per node and per spring, in nanoseconds of one core.
const PREDICTED_PART: u128 = 2000;
/// Number of runs near the longest step in a measurement, if theory predicts a limit. Variants then
/// have individual steps.
const RUNS_AT_LIMIT: f64 = 9.0;
/// Cost of a measurement in runs with the scene's step, if theory predicts no limit: steps double
/// from the scene's step.
const RUNS_AT_ANY: f64 = 2.5;

/// Work of a prediction in nanoseconds of one core. Only the prediction itself shows the work of
/// its searches; with `is_bound`, their maximum counts instead.
fn work_of_prediction(setup: &Setup, film_time: f64, is_bound: bool) -> u128 {
    let parts = (setup.model.nodes() + setup.model.springs.len()) as u128;
    let fixed = PREDICTION + PREDICTED_PART * parts;
    if is_bound {
        let searches = match setup.method.info().limit {
            None => max_work_of_held(),
            Some(limit) if limit > 0.0 && limit.is_finite() => max_work_at_rest(setup),
            Some(_) => CoreTime { seconds: 0.0 },
        };
        return fixed + (1e9 * searches.seconds) as u128;
    }
    let amount = StabilityTimes::ONE.predicting;
    let (mut budget, mut searches) = (StudyBudget::new(amount), 0);
    predict_film_counted(setup, film_time, &mut budget, &mut searches);
    let searches = u128::from(searches) + u128::from(budget.spent_of(amount));
    fixed + searches
}

/// Measure of the longest step: predicted, or measured by runs.
#[derive(Clone, Copy)]
pub(super) struct StableStepMeasure {
    pub(super) runs: bool,
}

impl StableStepMeasure {
    /// Values of these runs; several are measured in parallel.
    fn of(self, run_ends: &[&RunEnd<'_>]) -> Vec<Vec<Value>> {
        let film = |end: &RunEnd<'_>| end.frames as f64 * end.setup.frame_time;
        if self.runs {
            let subjects: Vec<_> = run_ends.iter().map(|end| (&**end.setup, film(end))).collect();
            let survived = longest_steps_of_all(&subjects, StabilityTimes::ONE).into_iter();
            return survived.map(|step| vec![Value::real(step)]).collect();
        }
        let predicted = |end: &&RunEnd<'_>| {
            let mut budget = StudyBudget::new(StabilityTimes::ONE.predicting);
            let has_step = !end.setup.chooses_its_step();
            let found = has_step.then(|| predict_film(end.setup, film(end), &mut budget)).flatten();
            let step = found.and_then(|found| found.longest_step);
            vec![Value::real(has_step.then(|| end.setup.dt())), Value::real(step)]
        };
        run_ends.iter().map(predicted).collect()
    }
}

impl Measure for StableStepMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        match self.runs {
            true => vec![Column::real("stable_step_measured")],
            false => ["dt", "stable_step_predicted"].map(Column::real).to_vec(),
        }
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(*self)
    }

    fn work(&self, run: &PlannedMeasuring<'_>) -> [u128; 2] {
        let PlannedMeasuring { setup, frames, a_frame, .. } = run;
        if setup.chooses_its_step() {
            return [0, 0];
        }
        let film_time = *frames as f64 * setup.frame_time;
        let predicting = work_of_prediction(setup, film_time, run.is_bound);
        if !self.runs {
            return [predicting, predicting];
        }
        let found = predict_at_start(setup);
        let omega = found.map_or(0.0, |found| found.highest.omega);
        let limit = found.and_then(|found| found.longest_step).filter(|step| step.is_finite());
        let period = if omega > 0.0 { 2.0 * std::f64::consts::PI / omega } else { 0.0 };
        let time = film_time.max(MIN_PERIODS * period);
        let (runs, step, a_frame) = match limit {
            Some(limit) => (RUNS_AT_LIMIT, limit, a_frame.alone),
            None => (RUNS_AT_ANY, setup.dt(), a_frame.together),
        };
        let steps = runs * time / step;
        let a_step = a_frame as f64 / setup.substeps as f64;
        let maximum = 1e9 * StabilityTimes::ONE.measuring.seconds;
        [predicting + (steps * a_step).min(maximum) as u128, predicting]
    }

    fn values(&self, runs: &mut [Ended<'_>]) -> Vec<Vec<Value>> {
        self.of(&runs.iter().map(|run| &run.end).collect::<Vec<_>>())
    }
}

impl Measuring for StableStepMeasure {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        self.of(&[end]).concat()
    }
}

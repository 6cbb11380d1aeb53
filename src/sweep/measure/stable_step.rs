//! The longest stable step of a body.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::analysis::stability::{StabilityTimes, stability};
use crate::analysis::{budget::StudyBudget, stability::predict::predict_film};
use crate::sim::Setup;
use crate::sweep::table::{Column, Value};
use std::sync::Arc;

/// The measure: predicted, or measured by runs.
#[derive(Clone, Copy)]
pub(super) struct StableStep {
    pub(super) runs: bool,
}

struct Body(StableStep, Arc<Setup>);

impl Measure for StableStep {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        match self.runs {
            true => vec![Column::real("stable_step_measured")],
            false => ["dt", "stable_step_predicted"].map(Column::real).to_vec(),
        }
    }

    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Body(*self, Arc::clone(setup)))
    }
}

impl Measuring for Body {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        let Self(StableStep { runs }, setup) = self;
        let film = end.frames as f64 * setup.frame_time;
        if *runs {
            let found = stability(setup, film, StabilityTimes::ONE).measured;
            return vec![Value::real(found.and_then(|found| found.survived))];
        }
        let mut budget = StudyBudget::new(StabilityTimes::ONE.predicting);
        let has_step = !setup.chooses_its_step();
        let found = has_step.then(|| predict_film(setup, film, &mut budget)).flatten();
        let step = found.and_then(|found| found.longest_step);
        vec![Value::real(has_step.then(|| setup.dt())), Value::real(step)]
    }
}

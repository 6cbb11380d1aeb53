//! Measure: work of a run.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure of work.
pub(super) struct WorkMeasure;

/// Work so far.
#[derive(Default)]
struct WorkSums {
    steps: u64,
    unconverged: u64,
    /// Force evaluations per step.
    evaluations: u64,
}

impl Measure for WorkMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["steps", "evaluations", "unconverged"].map(Column::whole).to_vec()
    }

    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring> {
        let evaluations = setup.method.cost().evaluations;
        Box::new(WorkSums { evaluations, ..WorkSums::default() })
    }
}

impl Measuring for WorkSums {
    fn observe_frame(&mut self, simulation: &Simulation) {
        if simulation.frame() > 0 {
            let report = simulation.report();
            self.steps += report.count;
            self.unconverged += report.unconverged;
        }
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let evaluations = self.steps.saturating_mul(self.evaluations);
        [self.steps, evaluations, self.unconverged].map(Value::Whole).to_vec()
    }
}

//! Measure: whether and when a run diverged.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{Outcome, Setup};
use std::sync::Arc;

/// Measure of divergence, which needs no state.
pub(super) struct Diverged;

impl Measure for Diverged {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["diverged_frame", "diverged_step"].map(Column::whole).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Self)
    }
}

impl Measuring for Diverged {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        match end.simulation.outcome() {
            Outcome::Diverged { frame, step } => vec![Value::Whole(frame), Value::Whole(step)],
            Outcome::Fine => vec![Value::None; 2],
        }
    }
}

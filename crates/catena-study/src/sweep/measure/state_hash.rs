//! Measure: hash of the last valid state, which links a row to the manifest of a render.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_base::hash::NumberHash;
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure of the hash; it stores the last valid state.
#[derive(Default)]
pub(super) struct StateHashMeasure;

#[derive(Default)]
struct LastState(Option<(f64, Vec<f64>, Vec<f64>)>);

impl Measure for StateHashMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        vec![Column::text("state_sha256")]
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::<LastState>::default()
    }
}

impl Measuring for LastState {
    fn observe_frame(&mut self, simulation: &Simulation) {
        let state = simulation.state();
        let (t, x, v) = self.0.get_or_insert_default();
        *t = state.t;
        x.clone_from(&state.x);
        v.clone_from(&state.v);
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let Some((t, x, v)) = &self.0 else { return vec![Value::None] };
        let mut hash = NumberHash::default();
        hash.add(&[*t]);
        hash.add(x);
        hash.add(v);
        vec![Value::Text(hash.finish())]
    }
}

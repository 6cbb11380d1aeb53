//! Measure: kinetic and potential energy of a run.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure of energy.
pub(super) struct Energy;

/// Energy at the start and in the last frame, and the maximum deviation from the start.
#[derive(Default)]
struct Energies {
    start: Option<f64>,
    now: f64,
    farthest: f64,
}

impl Measure for Energy {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["energy_start", "energy_end", "energy_drift"].map(Column::real).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::<Energies>::default()
    }
}

impl Measuring for Energies {
    fn frame(&mut self, simulation: &Simulation) {
        self.now = simulation.energy().total();
        let start = *self.start.get_or_insert(self.now);
        self.farthest = self.farthest.max((self.now - start).abs());
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let Some(start) = self.start else { return vec![Value::None; 3] };
        [start, self.now, self.farthest].map(Value::Real).to_vec()
    }
}

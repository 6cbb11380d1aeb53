//! Measures: kinetic and potential energy of a run, and its energy balance.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{
    Setup, Simulation,
    run::ledger::{Balance, Gains},
};
use std::sync::Arc;

/// Measure of energy.
pub(super) struct EnergyMeasure;

/// Energy at the start and in the last frame, and the maximum deviation from the start.
#[derive(Default)]
struct EnergyExtremes {
    start: Option<f64>,
    now: f64,
    farthest: f64,
}

impl Measure for EnergyMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["energy_start", "energy_end", "energy_drift"].map(Column::real).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::<EnergyExtremes>::default()
    }
}

impl Measuring for EnergyExtremes {
    fn observe_frame(&mut self, simulation: &Simulation) {
        self.now = simulation.energy().total();
        let start = *self.start.get_or_insert(self.now);
        self.farthest = self.farthest.max((self.now - start).abs());
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let Some(start) = self.start else { return vec![Value::None; 3] };
        [start, self.now, self.farthest].map(Value::Real).to_vec()
    }
}

/// Measure of the energy ledger.
pub(super) struct LedgerMeasure;

/// Sums so far, in the order of the columns.
#[derive(Default)]
struct Sums([f64; COLUMNS.len()]);

const COLUMNS: [&str; 8] = [
    "gain_anchors",
    "gain_colliders",
    "gain_damping",
    "gain_contact",
    "gain_external",
    "gain_yielding",
    "gain_method",
    "residual",
];

impl Measure for LedgerMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        COLUMNS.map(Column::real).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::<Sums>::default()
    }

    fn prepare(&self, simulation: &mut Simulation) {
        simulation.keep_ledger();
    }
}

impl Measuring for Sums {
    fn observe_frame(&mut self, simulation: &Simulation) {
        if simulation.frame() == 0 {
            return;
        }
        let Some(frame) = simulation.ledger().map(|ledger| ledger.frame) else { return };
        let Balance { gains, .. } = frame;
        let Gains { anchors, colliders, damping, contact, external, yielding, method } = gains;
        let residual = frame.residual();
        let all = [anchors, colliders, damping, contact, external, yielding, method, residual];
        self.0.iter_mut().zip(all).for_each(|(sum, gain)| *sum += gain);
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        self.0.map(Value::Real).to_vec()
    }
}

//! Measure: strain of the springs, and length of the body.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{Setup, Simulation, body::measure};
use std::sync::Arc;

/// Measure of strain.
pub(super) struct StrainMeasure;

/// Maximum values so far, and last values.
struct Reached {
    strain: [f64; 2],
    length: [f64; 2],
}

impl Measure for StrainMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["strain_max", "strain_end", "length_max", "length_end"].map(Column::real).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Reached { strain: [f64::NEG_INFINITY; 2], length: [f64::NEG_INFINITY; 2] })
    }
}

impl Measuring for Reached {
    fn observe_frame(&mut self, simulation: &Simulation) {
        let (model, x) = (&simulation.setup().model, &simulation.state().x);
        let strain = measure::greatest_strain(model, simulation.springs(), x);
        let length = measure::length(model, simulation.springs(), x);
        self.strain = [self.strain[0].max(strain), strain];
        self.length = [self.length[0].max(length), length];
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let [strain, length] = [self.strain, self.length];
        // A body without springs has no strain.
        let value = |number: f64| Value::real(Some(number).filter(|number| number.is_finite()));
        [strain[0], strain[1], length[0], length[1]].map(value).to_vec()
    }
}

//! Measure: distance from the motion of another program that the scene names as `reference`.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_scene::recorded::{Distances, Reference};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure of the distance.
pub(super) struct ReferenceErrorMeasure;

/// Distances so far.
struct Compared {
    reference: Option<Arc<Reference>>,
    sum: Distances,
}

impl Measure for ReferenceErrorMeasure {
    fn check(&self, shape: Shape) -> Result<(), String> {
        let message = "no body has a `reference`, whose motion this measure compares: add \
                       `reference: (file: \"data.csv\")` to the scene, or remove the measure";
        if shape.has_reference { Ok(()) } else { Err(message.into()) }
    }

    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["reference_max", "reference_rms"].map(Column::real).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Compared { reference: None, sum: Distances::default() })
    }

    fn begin_compared(
        &self,
        _setup: &Arc<Setup>,
        reference: Option<&Arc<Reference>>,
    ) -> Box<dyn Measuring> {
        Box::new(Compared { reference: reference.cloned(), sum: Distances::default() })
    }
}

impl Measuring for Compared {
    fn observe_frame(&mut self, simulation: &Simulation) {
        let Some(reference) = &self.reference else { return };
        let (x, nodes) = (&simulation.state().x, simulation.setup().model.nodes());
        self.sum.add(&reference.motion.compare(simulation.frame(), x, nodes));
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        // A body has no distance if it has no reference, or if the reference has none of the
        // frames.
        let rms = self.sum.rms();
        vec![Value::real(rms.map(|_| self.sum.largest)), Value::real(rms)]
    }
}

//! Adams-Bashforth-Moulton of order 2: Adams-Bashforth predicts, Adams-Moulton corrects once (PECE).
//!
//! Order 2, two evaluations of forces a step, started with RK4; stable for ωdt < 1.2871 on an undamped oscillator.
//! Source: Moulton 1926; the weights stand in multistep.rs.

use super::multistep::{Form, Run};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamsBashforthMoulton2 {}

impl AdamsBashforthMoulton2 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "AdamsBashforthMoulton2",
        title: "Adams-Bashforth-Moulton 2",
        summary: "Adams-Bashforth 2 predicts, Adams-Moulton 2 corrects once",
        order: Some(2),
        damped_order: Some(2),
        limit: Some(1.2871),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for AdamsBashforthMoulton2 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(2)
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run::new(Form::BashforthMoulton, 2, model, initial))
    }
}

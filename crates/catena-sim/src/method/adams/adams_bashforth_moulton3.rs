//! Adams-Bashforth-Moulton of order 3: Adams-Bashforth predicts, Adams-Moulton corrects once (PECE).
//!
//! Order 3, two evaluations of forces a step, started with RK4; growing a little on an undamped oscillator at any step (limit 0).
//! Source: Moulton 1926; the weights stand in multistep.rs.

use super::multistep::{Form, Run};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamsBashforthMoulton3 {}

impl AdamsBashforthMoulton3 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "AdamsBashforthMoulton3",
        title: "Adams-Bashforth-Moulton 3",
        summary: "Adams-Bashforth 3 predicts, Adams-Moulton 3 corrects once",
        order: Some(3),
        damped_order: Some(3),
        limit: Some(0.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for AdamsBashforthMoulton3 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(2)
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run::new(Form::BashforthMoulton, 3, model, initial))
    }
}

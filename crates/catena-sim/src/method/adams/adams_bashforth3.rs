//! Adams-Bashforth of order 3: x and v from the slopes of the last 3 steps, started with RK4.
//!
//! Order 3, limit on the imaginary axis 0.7236, one evaluation of forces a step.
//! Source: Bashforth and Adams 1883; the weights stand in multistep.rs.

use super::multistep::{Form, Run};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamsBashforth3 {}

impl AdamsBashforth3 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "AdamsBashforth3",
        title: "Adams-Bashforth 3",
        summary: "slopes of the last 3 steps; stable below dt = 0.72/ω",
        order: Some(3),
        damped_order: Some(3),
        limit: Some(0.7236),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for AdamsBashforth3 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(1)
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run::new(Form::Bashforth, 3, model, initial))
    }
}

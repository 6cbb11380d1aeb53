//! Adams-Bashforth of order 4: x and v from the slopes of the last 4 steps, started with RK4.
//!
//! Order 4, limit on the imaginary axis 0.4299, one evaluation of forces a step.
//! Source: Bashforth and Adams 1883; the weights stand in multistep.rs.

use super::multistep::{Form, Run};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamsBashforth4 {}

impl AdamsBashforth4 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "AdamsBashforth4",
        title: "Adams-Bashforth 4",
        summary: "slopes of the last 4 steps; stable below dt = 0.43/ω",
        order: Some(4),
        damped_order: Some(4),
        limit: Some(0.4299),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for AdamsBashforth4 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(1)
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run::new(Form::Bashforth, 4, model, initial))
    }
}

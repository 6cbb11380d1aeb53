//! Adams-Bashforth of order 2: x and v from the slopes of the last 2 steps, started with RK4.
//!
//! Order 2, limit on the imaginary axis 0, one evaluation of forces a step.
//! Source: Bashforth and Adams 1883; the weights stand in multistep.rs.

use super::multistep::{Form, Run};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamsBashforth2 {}

impl AdamsBashforth2 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "AdamsBashforth2",
        title: "Adams-Bashforth 2",
        summary: "slopes of the last 2 steps; it grows a little at any step",
        order: Some(2),
        damped_order: Some(2),
        limit: Some(0.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for AdamsBashforth2 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(1)
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run::new(Form::Bashforth, 2, model, initial))
    }
}

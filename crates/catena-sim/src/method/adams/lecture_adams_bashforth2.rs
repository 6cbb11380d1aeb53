//! Adams-Bashforth 2 as lecture notes print it: the velocity by the formula, then x' = x + v' dt with the new velocity.
//!
//! Order 1, since the position sees only one slope; stable for ωdt < √2 on an undamped oscillator, which it damps. It is
//! here to be compared with AdamsBashforth2.
//! Source: lecture notes on rope simulation; the weights stand in multistep.rs.

use super::multistep::{Form, Run};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LectureAdamsBashforth2 {}

impl LectureAdamsBashforth2 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "LectureAdamsBashforth2",
        title: "Adams-Bashforth 2, lecture notes",
        summary: "Adams-Bashforth 2 for the velocity only, positions with the new velocity; first order",
        order: Some(1),
        damped_order: Some(1),
        limit: Some(std::f64::consts::SQRT_2),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for LectureAdamsBashforth2 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(1)
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run::new(Form::Lecture, 2, model, initial))
    }
}

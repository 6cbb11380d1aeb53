//! The classical Runge-Kutta method with four stages.
//!
//! Order 4, stable for ωdt < 2√2 = 2.8284 on an undamped oscillator, which it damps: at ωdt = 1 by 0.9939050 a step.
//! Source: Kutta 1901; Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", II.1.

use super::tableau::{self, Tableau};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rk4 {}

impl Rk4 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Rk4",
        title: "Runge-Kutta 4",
        summary: "four slopes a step, the classical weights; damps a little, stable below dt = 2.83/ω",
        order: Some(4),
        damped_order: Some(4),
        limit: Some(2.0 * std::f64::consts::SQRT_2),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for Rk4 {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(4)
    }

    fn start(&self, _model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(tableau::Run::new(TABLEAU, initial))
    }
}

pub(crate) const TABLEAU: Tableau = Tableau {
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
};

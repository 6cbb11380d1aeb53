//! Heun's method: the mean of the slopes at both ends, the second found by explicit Euler.
//!
//! Order 2. Its limit on the imaginary axis is 0: an undamped oscillator grows by √(1 + (ωdt)⁴/4) a step.
//! Source: Heun 1900; Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", II.1.

use super::tableau::{self, Tableau};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heun {}

impl Heun {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Heun",
        title: "Heun",
        summary: "the mean of the slopes at both ends of a step; gains a little energy at any step",
        order: Some(2),
        damped_order: Some(2),
        limit: Some(0.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for Heun {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(2)
    }

    fn start(&self, _model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(tableau::Run::new(TABLEAU, initial))
    }
}

const TABLEAU: Tableau = Tableau { a: &[&[], &[1.0]], b: &[0.5, 0.5], c: &[0.0, 1.0] };

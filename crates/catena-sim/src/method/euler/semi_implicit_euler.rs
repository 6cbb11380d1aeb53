//! Semi-implicit (symplectic) Euler: v' = v + a(x, v) dt, then x' = x + v' dt with the new v.
//!
//! Order 1, stable for ωdt < 2. Without damping v² + ω²x² - ω²dt·x·v stays constant on an oscillator, so energy
//! wobbles but does not drift. Source: GAMES101 assignment 8; Hairer, Lubich, Wanner, "Geometric Numerical
//! Integration", I.1.2.

use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::kernel::{Drift, EulerKernel};
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemiImplicitEuler {}

impl SemiImplicitEuler {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "SemiImplicitEuler",
        title: "Semi-implicit Euler",
        summary: "velocity first, then position with the new velocity; stable below dt = 2/ω",
        order: Some(1),
        damped_order: Some(1),
        limit: Some(2.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for SemiImplicitEuler {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost { rope_kernel: Some(2), sheet_kernel: Some(3), ..Cost::evaluations(1) }
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run { a: vec![0.0; initial.x.len()], kernel: EulerKernel::new(model) })
    }
}

struct Run {
    a: Vec<f64>,
    kernel: EulerKernel,
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        system.accelerations(state, &mut self.a);
        for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&self.a) {
            *v += a * dt;
            *x += *v * dt;
        }
    }

    fn burst(
        &mut self,
        system: &System<'_>,
        start: &State,
        end: &mut State,
        dt: f64,
        count: u64,
    ) -> bool {
        self.kernel.burst(system, (start, end), (dt, count), Drift::NewVelocity)
    }
}

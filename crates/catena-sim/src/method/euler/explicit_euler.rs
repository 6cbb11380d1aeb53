//! Explicit (forward) Euler: x' = x + v dt with the old v, then v' = v + a(x, v) dt.
//!
//! Order 1. Its limit on the imaginary axis is 0: an undamped oscillator grows by √(1 + (ωdt)²) a step at any
//! dt, so every undamped rope explodes in the end. Source: Euler 1768; GAMES101 assignment 8.

use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::kernel::{Drift, EulerKernel};
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplicitEuler {}

impl ExplicitEuler {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "ExplicitEuler",
        title: "Explicit Euler",
        summary: "position with the old velocity, then velocity; gains energy at any step",
        order: Some(1),
        damped_order: Some(1),
        limit: Some(0.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for ExplicitEuler {
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
            *x += *v * dt;
            *v += a * dt;
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
        self.kernel.burst(system, (start, end), (dt, count), Drift::OldVelocity)
    }
}

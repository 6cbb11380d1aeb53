//! Velocity Verlet, kick-drift-kick: v½ = v + a dt/2, x' = x + v½ dt, v' = v½ + a(x', v½) dt/2.
//!
//! Order 2, stable for ωdt < 2, symplectic: ω_num/ω = (2/x) asin(x/2) with x = ωdt. With drag the order holds only to the
//! extent that the velocity at half a step stands in for the one at its end.
//! Source: Swope, Andersen, Berens, Wilson 1982.

use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VelocityVerlet {}

impl VelocityVerlet {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "VelocityVerlet",
        title: "Velocity Verlet",
        summary: "half a kick, a drift, half a kick; keeps energy, stable below dt = 2/ω",
        order: Some(2),
        damped_order: Some(1),
        limit: Some(2.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[],
    };
}

impl Method for VelocityVerlet {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(2)
    }

    fn start(&self, _model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run { a: vec![0.0; initial.x.len()] })
    }
}

struct Run {
    a: Vec<f64>,
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        system.accelerations(state, &mut self.a);
        for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&self.a) {
            *v += 0.5 * dt * a;
            *x += *v * dt;
        }
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.a);
        for (v, a) in state.v.iter_mut().zip(&self.a) {
            *v += 0.5 * dt * a;
        }
    }
}

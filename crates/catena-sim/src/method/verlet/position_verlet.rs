//! Position Verlet: x_{n+1} = 2 x_n - x_{n-1} + a_n dt², all forces included.
//!
//! Order 2, stable for ωdt < 2, the same positions as velocity Verlet. It starts with x_{-1} = x - v dt + a dt²/2, which
//! the classroom's force Verlet leaves out. The reported velocity is (x_{n+1} - x_n)/dt + a_{n+1} dt/2.
//! Source: Verlet 1967.

use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{Displaced, Integrator, Method, MethodInfo};
use serde::Deserialize;

/// The method; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionVerlet {}

impl PositionVerlet {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "PositionVerlet",
        title: "Position Verlet",
        summary: "each position from the last two; keeps energy, stable below dt = 2/ω",
        order: Some(2),
        damped_order: Some(2),
        limit: Some(2.0),
        holds_lengths: false,
        velocity_carries: false,
        options: &[],
    };
}

impl Method for PositionVerlet {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(2)
    }

    fn start(&self, _model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        Box::new(Run { last: Vec::new(), a: vec![0.0; initial.x.len()] })
    }
}

struct Run {
    /// Positions one step back; empty before the first step and after a jump.
    last: Vec<f64>,
    a: Vec<f64>,
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        system.accelerations(state, &mut self.a);
        if self.last.is_empty() {
            let start = state.x.iter().zip(&state.v).zip(&self.a);
            self.last = start.map(|((x, v), a)| x - v * dt + 0.5 * a * dt * dt).collect();
        }
        for ((last, a), (x, v)) in
            self.last.iter_mut().zip(&self.a).zip(state.x.iter_mut().zip(&mut state.v))
        {
            let before = *x;
            *x = before + (before - *last) + a * dt * dt;
            *v = (*x - before) / dt;
            *last = before;
        }
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.a);
        for (v, a) in state.v.iter_mut().zip(&self.a) {
            *v += 0.5 * dt * a;
        }
    }

    /// The method starts anew. The velocity in the state is that at its time, not the last displacement over dt.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {
        self.last.clear();
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.extend_from_slice(&self.last);
    }

    fn restore(&mut self, memory: &[f64]) {
        self.last = memory.to_vec();
    }
}

//! Position Verlet: x_{n+1} = 2 x_n - x_{n-1} + a_n dt², with all forces.
//!
//! Order 2, stable for ωdt < 2, with the positions of velocity Verlet. The method starts with
//! x_{-1} = x - v dt + a dt²/2; force Verlet omits the last term. The reported velocity is
//! (x_{n+1} - x_n)/dt + a_{n+1} dt/2. Source: Verlet 1967.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::arithmetic::{add_multiple, wide};
use crate::method::{Displaced, Integrator, rows::method_rows};

method_rows! {
    /// Position Verlet: computes each position from the last two positions.
    PositionVerlet {
        title: "Position Verlet",
        summary: "each position from the last two; conserves energy, stable below dt = 2/ω",
        order: 2,
        damped_order: 2,
        limit: 2.0,
        velocity_carries: false,
        cost: Cost::evaluations(2).reusing(),
        start: |_, _, initial| PositionVerletState { last: Vec::new(), a: vec![0.0; initial.x.len()] },
    }
}

struct PositionVerletState {
    /// Positions one step earlier; empty before the first step and after a jump.
    last: Vec<f64>,
    a: Vec<f64>,
}

impl Integrator for PositionVerletState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        if !system.repeats() {
            system.accelerations(state, &mut self.a);
        }
        if self.last.is_empty() {
            let start = state.x.iter().zip(&state.v).zip(&self.a);
            self.last = start.map(|((x, v), a)| x - v * dt + 0.5 * a * dt * dt).collect();
        }
        let Self { last, a } = self;
        wide(
            #[inline(always)]
            || {
                let nodes = last.iter_mut().zip(&*a).zip(state.x.iter_mut().zip(&mut state.v));
                for ((last, a), (x, v)) in nodes {
                    let before = *x;
                    *x = before + (before - *last) + a * dt * dt;
                    *v = (*x - before) / dt;
                    *last = before;
                }
            },
        );
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.a);
        add_multiple(&mut state.v, 0.5 * dt, &self.a);
    }

    /// Returns 0: a step uses the forces at its start.
    fn share_of_lengths(&self) -> f64 {
        0.0
    }

    /// Restarts the method, because the velocity in the state is not the last displacement over dt.
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

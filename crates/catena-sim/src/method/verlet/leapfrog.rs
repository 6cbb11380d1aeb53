//! Leapfrog: velocities are offset from positions by half a step. v_{n+½} = v_{n-½} + a_n dt,
//! x_{n+1} = x_n + v_{n+½} dt.
//!
//! Order 2, stable for ωdt < 2, with the positions of velocity Verlet. The method starts with
//! v_{-½} = v - a dt/2. The reported velocity is v_{n+½} + a_{n+1} dt/2, at the time of the
//! position. Forces that depend on velocity use this value. Sources: Hockney 1970; Feynman,
//! "Lectures on Physics", I.9-6.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::arithmetic::wide;
use crate::method::{Displaced, Integrator, rows::method_rows};

method_rows! {
    /// Leapfrog: velocities offset from positions by half a step.
    Leapfrog {
        title: "Leapfrog",
        summary: "velocities half a step apart from positions; conserves energy, stable below dt = 2/ω",
        order: 2,
        damped_order: 2,
        limit: 2.0,
        velocity_carries: false,
        cost: Cost::evaluations(2).reusing(),
        start: |_, _, initial| LeapfrogState { half: Vec::new(), a: vec![0.0; initial.x.len()] },
    }
}

struct LeapfrogState {
    /// Velocities half a step earlier; empty before the first step and after a jump.
    half: Vec<f64>,
    a: Vec<f64>,
}

impl Integrator for LeapfrogState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        if !system.repeats() {
            system.accelerations(state, &mut self.a);
        }
        if self.half.is_empty() {
            self.half = state.v.iter().zip(&self.a).map(|(v, a)| v - 0.5 * dt * a).collect();
        }
        let Self { half, a } = self;
        wide(
            #[inline(always)]
            || {
                let nodes = half.iter_mut().zip(&*a).zip(state.x.iter_mut().zip(&mut state.v));
                for ((half, a), (x, v)) in nodes {
                    *half += dt * a;
                    *x += *half * dt;
                    *v = *half;
                }
            },
        );
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.a);
        let Self { half, a } = self;
        wide(
            #[inline(always)]
            || {
                for ((v, half), a) in state.v.iter_mut().zip(&*half).zip(&*a) {
                    *v = half + 0.5 * dt * a;
                }
            },
        );
    }

    /// Returns 0: a step uses the forces at its start.
    fn share_of_lengths(&self) -> f64 {
        0.0
    }

    /// Restarts the method. If the new velocity were taken as the velocity half a step earlier,
    /// each contact would add half a step of acceleration.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {
        self.half.clear();
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.extend_from_slice(&self.half);
    }

    fn restore(&mut self, memory: &[f64]) {
        self.half = memory.to_vec();
    }
}

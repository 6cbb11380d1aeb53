//! Störmer-Verlet, drift-kick-drift: x½ = x + v dt/2, v' = v + a(x½, v) dt, x' = x½ + v' dt/2.
//!
//! Order 2, stable for ωdt < 2, symplectic, one evaluation of forces per step. Forces that depend
//! on velocity use its value at the start of the step. Source: Hairer, Lubich, Wanner, "Geometric
//! Numerical Integration", I.1.4.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::arithmetic::add_multiple;
use crate::method::{Integrator, rows::method_rows};

method_rows! {
    /// Störmer-Verlet: half a drift, a kick, half a drift.
    StormerVerlet {
        title: "Störmer-Verlet",
        summary: "half a drift, a kick, half a drift; conserves energy, stable below dt = 2/ω",
        order: 2,
        damped_order: 1,
        limit: 2.0,
        velocity_carries: true,
        cost: Cost::evaluations(1),
        start: |_, _, initial| StormerVerletState { a: vec![0.0; initial.x.len()] },
    }
}

struct StormerVerletState {
    a: Vec<f64>,
}

impl Integrator for StormerVerletState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        drift_kick_drift(system, state, dt, &mut self.a);
    }
}

/// Takes one step and advances the time of the state; `a` receives the accelerations.
pub(crate) fn drift_kick_drift(system: &System<'_>, state: &mut State, dt: f64, a: &mut [f64]) {
    let drift = |state: &mut State| {
        add_multiple(&mut state.x, 0.5 * dt, &state.v);
        state.t += 0.5 * dt;
        system.hold(state);
    };
    drift(state);
    system.accelerations(state, a);
    add_multiple(&mut state.v, dt, a);
    drift(state);
}

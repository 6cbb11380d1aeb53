//! Velocity Verlet, kick-drift-kick: v½ = v + a dt/2, x' = x + v½ dt, v' = v½ + a(x', v½) dt/2.
//!
//! Order 2, stable for ωdt < 2, symplectic: ω_num/ω = (2/x) asin(x/2) with x = ωdt. With drag the
//! order is 1, because the velocity at half a step replaces the one at its end. Source: Swope,
//! Andersen, Berens, Wilson 1982.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::arithmetic::{add_multiple, kick_and_drift};
use crate::method::{Integrator, without_options::methods_without_options};

methods_without_options! {
    /// Velocity Verlet: half a kick, a drift, half a kick.
    VelocityVerlet {
        title: "Velocity Verlet",
        summary: "half a kick, a drift, half a kick; conserves energy, stable below dt = 2/ω",
        order: 2,
        damped_order: 1,
        limit: 2.0,
        velocity_carries: true,
        cost: Cost::evaluations(2).reusing(),
        start: |_, initial| VelocityVerletState { a: vec![0.0; initial.x.len()] },
    }
}

struct VelocityVerletState {
    a: Vec<f64>,
}

impl Integrator for VelocityVerletState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        if !system.repeats() {
            system.accelerations(state, &mut self.a);
        }
        kick_and_drift(&mut state.x, &mut state.v, 0.5 * dt, &self.a, dt);
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.a);
        add_multiple(&mut state.v, 0.5 * dt, &self.a);
    }
}

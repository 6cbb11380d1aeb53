//! Euler's methods: one evaluation of forces per step, at its start.
//!
//! The two methods differ in the velocity that moves positions. With the old velocity an undamped
//! oscillator grows by √(1 + (ωdt)²) per step at any dt, so every undamped rope diverges. With the
//! new velocity v² + ω²x² - ω²dt·x·v is constant on an oscillator, so energy oscillates but does
//! not drift. Sources: Euler 1768; GAMES101 assignment 8; Hairer, Lubich, Wanner, "Geometric
//! Numerical Integration", I.1.2.

use super::arithmetic::{add_multiple, kick_and_drift};
use super::{Integrator, rows::method_rows};
use crate::body::{Model, State};
use crate::budget::{Cost, Item};
use crate::force::System;
use crate::kernel::{EulerKernel, PositionUpdate};

method_rows! {
    /// Explicit (forward) Euler: x' = x + v dt with the old v, then v' = v + a(x, v) dt.
    ExplicitEuler {
        title: "Explicit Euler",
        summary: "position with the old velocity, then velocity; gains energy at every step size",
        order: 1,
        damped_order: 1,
        limit: 0.0,
        velocity_carries: true,
        cost: COST,
        start: |_, model, initial| EulerState::new(PositionUpdate::OldVelocity, model, initial),
    }

    /// Semi-implicit (symplectic) Euler: v' = v + a(x, v) dt, then x' = x + v' dt with the new v.
    /// Stable for ωdt < 2.
    SemiImplicitEuler {
        title: "Semi-implicit Euler",
        summary: "velocity first, then position with the new velocity; stable below dt = 2/ω",
        order: 1,
        damped_order: 1,
        limit: 2.0,
        velocity_carries: true,
        cost: COST,
        start: |_, model, initial| EulerState::new(PositionUpdate::NewVelocity, model, initial),
    }
}

const COST: Cost = Cost {
    rope_kernel: Some(Item::KernelNumber),
    sheet_kernel: Some(Item::SheetNumber),
    ..Cost::evaluations(1)
};

struct EulerState {
    update: PositionUpdate,
    a: Vec<f64>,
    kernel: EulerKernel,
}

impl EulerState {
    fn new(update: PositionUpdate, model: &Model, initial: &State) -> Self {
        Self { update, a: vec![0.0; initial.x.len()], kernel: EulerKernel::new(model) }
    }
}

impl Integrator for EulerState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        system.accelerations(state, &mut self.a);
        match self.update {
            PositionUpdate::OldVelocity => {
                add_multiple(&mut state.x, dt, &state.v);
                add_multiple(&mut state.v, dt, &self.a);
            }
            PositionUpdate::NewVelocity => {
                kick_and_drift(&mut state.x, &mut state.v, dt, &self.a, dt);
            }
        }
    }

    /// Returns 1: the method uses only the forces at the start of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }

    fn follows_forces(&self) -> bool {
        true
    }

    fn burst(
        &mut self,
        system: &System<'_>,
        start: &State,
        end: &mut State,
        dt: f64,
        count: u64,
    ) -> bool {
        self.kernel.burst(system, start, end, dt, count, self.update)
    }
}

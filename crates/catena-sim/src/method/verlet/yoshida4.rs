//! Yoshida's composition of three drift-kick-drift steps of w₁ dt, w₀ dt, w₁ dt with
//! w₁ = 1/(2 - ∛2), w₀ = 1 - 2 w₁.
//!
//! Order 4, symplectic, stable for ωdt < 1.573 on an undamped oscillator. The middle step runs
//! backwards in time. Source: Yoshida 1990, "Construction of higher order symplectic integrators".

use super::stormer_verlet::drift_kick_drift;
use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::{Integrator, rows::method_rows};

method_rows! {
    /// Yoshida's composition of order 4.
    Yoshida4 {
        title: "Yoshida 4",
        summary: "three Störmer-Verlet steps, the middle one backwards; conserves energy, stable below dt = 1.57/ω",
        order: 4,
        damped_order: 1,
        limit: 1.573,
        velocity_carries: true,
        cost: Cost::evaluations(3),
        start: |_, _, initial| Yoshida4State { a: vec![0.0; initial.x.len()] },
    }
}

/// Length of the first and the last part of a step, w₁ = 1/(2 - ∛2), to within one unit in the last
/// place.
const W1: f64 = 1.351_207_191_959_657_8;
/// Length of the middle part of a step, w₀ = 1 - 2 w₁; below 0.
const W0: f64 = 1.0 - 2.0 * W1;

struct Yoshida4State {
    a: Vec<f64>,
}

impl Integrator for Yoshida4State {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        for weight in [W1, W0, W1] {
            drift_kick_drift(system, state, weight * dt, &mut self.a);
        }
    }
}

//! Predictor-corrector of lecture notes: Euler predicts, and the trapezoidal rule corrects.
//!
//! The prediction is a step of semi-implicit Euler: v_p = v + a dt, x_p = x + v_p dt. Then v' = v +
//! (a + a_p) dt/2 with the acceleration a_p at the prediction, and x' = x + (v + v') dt/2 with the
//! corrected velocity. Some notes call this method Adams-Bashforth-Moulton. The real method of that
//! name uses formulas of several steps, see
//! [`AdamsBashforthMoulton2`](super::AdamsBashforthMoulton2). If the corrector uses the predicted
//! slopes for both x and v, the method is [`Heun`](super::Heun).
//!
//! With u = (ωdt)², a step on an undamped oscillator has the trace 2 - u + u²/4 and the determinant
//! 1 - u²/4. Order 2, stable for ωdt < √2; the amplitude shrinks by √(1 - u²/4) per step, 0.99216
//! at ωdt = 0.5.

use super::Integrator;
use super::arithmetic::{combine, kick_and_drift};
use super::rows::method_rows;
use crate::body::State;
use crate::budget::Cost;
use crate::force::System;

/// Weights of the trapezoidal rule.
const TRAPEZOID: &[f64] = &[0.5, 0.5];

method_rows! {
    /// Predictor-corrector of lecture notes: semi-implicit Euler predicts, then the trapezoidal
    /// rule corrects v with both a, and x with the old and the corrected v. On an undamped
    /// oscillator, the method is stable for ωdt < √2 and damps the motion.
    LecturePredictorCorrector {
        title: "Predictor-corrector, lecture notes",
        summary: "semi-implicit Euler predicts, trapezoids correct, for positions with the corrected v; Heun is the textbook form",
        order: 2,
        damped_order: 2,
        limit: std::f64::consts::SQRT_2,
        velocity_carries: true,
        cost: Cost::evaluations(2),
        start: |_, _, initial| PredictorCorrectorState::new(initial),
    }
}

/// Workspace of a run.
struct PredictorCorrectorState {
    start: State,
    /// Accelerations at the start and at the prediction.
    a: [Vec<f64>; 2],
}

impl PredictorCorrectorState {
    fn new(initial: &State) -> Self {
        let zeros = vec![0.0; initial.x.len()];
        Self { start: initial.clone(), a: [zeros.clone(), zeros] }
    }
}

impl Integrator for PredictorCorrectorState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let Self { start, a: [a, predicted] } = self;
        start.clone_from(state);
        system.accelerations(state, a);
        kick_and_drift(&mut state.x, &mut state.v, dt, a, dt);
        state.t += dt;
        system.hold(state);
        system.accelerations(state, predicted);
        combine(&mut state.v, &start.v, dt, TRAPEZOID, &[&a[..], &predicted[..]]);
        combine(&mut state.x, &start.x, dt, TRAPEZOID, &[&start.v[..], &state.v[..]]);
    }
}

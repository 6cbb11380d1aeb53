//! Explicit Runge-Kutta methods on x' = v, v' = a(t, x, v), from their tableaus. Not a method itself.
//!
//! Stage i is taken at t + c_i h, x + h Σ a_ij v_j, v + h Σ a_ij a_j; the step is x + h Σ b_i v_i, v + h Σ b_i a_i.

use super::Integrator;
use crate::sim::{State, System};

/// The numbers of a method (Butcher 1963).
#[derive(Clone, Copy, Debug)]
pub(super) struct Tableau {
    /// Row i has i numbers.
    pub(super) a: &'static [&'static [f64]],
    pub(super) b: &'static [f64],
    pub(super) c: &'static [f64],
}

/// A tableau at work.
pub(super) struct Run {
    tableau: Tableau,
    stage: State,
    /// Velocities and accelerations of the stages.
    v: Vec<Vec<f64>>,
    a: Vec<Vec<f64>>,
}

impl Run {
    pub(super) fn new(tableau: Tableau, initial: &State) -> Self {
        let stages = vec![vec![0.0; initial.x.len()]; tableau.b.len()];
        Self { tableau, stage: initial.clone(), v: stages.clone(), a: stages }
    }
}

/// y + h Σ w_i k_i, into `out`.
fn combine(out: &mut [f64], y: &[f64], h: f64, weights: &[f64], k: &[Vec<f64>]) {
    out.copy_from_slice(y);
    for (weight, k) in weights.iter().zip(k) {
        for (value, k) in out.iter_mut().zip(k) {
            *value += h * weight * k;
        }
    }
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let Tableau { a, b, c } = self.tableau;
        for i in 0..b.len() {
            combine(&mut self.stage.x, &state.x, dt, a[i], &self.v);
            combine(&mut self.stage.v, &state.v, dt, a[i], &self.a);
            self.stage.t = state.t + c[i] * dt;
            system.hold(&mut self.stage);
            self.v[i].copy_from_slice(&self.stage.v);
            system.accelerations(&self.stage, &mut self.a[i]);
        }
        combine(&mut self.stage.x, &state.x, dt, b, &self.v);
        combine(&mut self.stage.v, &state.v, dt, b, &self.a);
        state.x.copy_from_slice(&self.stage.x);
        state.v.copy_from_slice(&self.stage.v);
    }
}

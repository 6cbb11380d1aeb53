//! A run of an explicit Runge-Kutta method on x' = v, v' = a(t, x, v), from its tableau.
//!
//! Stage i is taken at t + c_i h, x + h Σ a_ij v_j, v + h Σ a_ij a_j; the step is x + h Σ b_i
//! v_i, v + h Σ b_i a_i.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::Integrator;

/// The coefficients of a method (Butcher 1963).
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Tableau {
    /// Row i has i numbers.
    pub(crate) a: &'static [&'static [f64]],
    pub(crate) b: &'static [f64],
    pub(crate) c: &'static [f64],
}

impl Tableau {
    /// The cost of a step: one evaluation of forces for each stage.
    pub(super) const fn cost(&self) -> Cost {
        Cost::evaluations(self.b.len() as u64)
    }
}

/// The stages of a Runge-Kutta method in a run.
pub(in crate::method) struct RungeKuttaState {
    tableau: Tableau,
    stage: State,
    /// Velocities and accelerations of the stages.
    v: Vec<Vec<f64>>,
    a: Vec<Vec<f64>>,
}

impl RungeKuttaState {
    pub(crate) fn new(tableau: Tableau, initial: &State) -> Self {
        let stages = vec![vec![0.0; initial.x.len()]; tableau.b.len()];
        Self { tableau, stage: initial.clone(), v: stages.clone(), a: stages }
    }

    /// Computes the slopes of all stages from index `first` on. Those before it must be known.
    pub(crate) fn evaluate(&mut self, system: &System<'_>, state: &State, dt: f64, first: usize) {
        let Tableau { a, b, c } = self.tableau;
        for i in first..b.len() {
            combine(&mut self.stage.x, &state.x, dt, a[i], &self.v);
            combine(&mut self.stage.v, &state.v, dt, a[i], &self.a);
            self.stage.t = state.t + c[i] * dt;
            system.hold(&mut self.stage);
            self.v[i].copy_from_slice(&self.stage.v);
            system.accelerations(&self.stage, &mut self.a[i]);
        }
    }

    /// The state of the last stage.
    pub(crate) fn last_stage(&self) -> &State {
        &self.stage
    }

    /// Makes the last stage of this step the first of the next one, for methods in which they are
    /// the same.
    pub(crate) fn first_is_last(&mut self) {
        let last = self.v.len() - 1;
        self.v.swap(0, last);
        self.a.swap(0, last);
    }

    /// x and v = h Σ w_i k_i of positions and of velocities.
    pub(crate) fn difference(&self, h: f64, weights: &[f64], x: &mut [f64], v: &mut [f64]) {
        for (out, slopes) in [(x, &self.v), (v, &self.a)] {
            out.fill(0.0);
            add(out, h, weights, slopes);
        }
    }
}

/// out = y + h Σ w_i k_i.
fn combine(out: &mut [f64], y: &[f64], h: f64, weights: &[f64], k: &[Vec<f64>]) {
    out.copy_from_slice(y);
    add(out, h, weights, k);
}

/// out += h Σ w_i k_i.
fn add(out: &mut [f64], h: f64, weights: &[f64], k: &[Vec<f64>]) {
    for (weight, k) in weights.iter().zip(k) {
        for (value, k) in out.iter_mut().zip(k) {
            *value += h * weight * k;
        }
    }
}

impl Integrator for RungeKuttaState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.evaluate(system, state, dt, 0);
        let b = self.tableau.b;
        combine(&mut self.stage.x, &state.x, dt, b, &self.v);
        combine(&mut self.stage.v, &state.v, dt, b, &self.a);
        state.x.copy_from_slice(&self.stage.x);
        state.v.copy_from_slice(&self.stage.v);
    }
}

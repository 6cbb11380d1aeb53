//! A run of an explicit Runge-Kutta method on x' = v, v' = a(t, x, v), from its tableau.
//!
//! Stage i is taken at t + c_i h, x + h Σ a_ij v_j, v + h Σ a_ij a_j; the step is x + h Σ b_i
//! v_i, v + h Σ b_i a_i.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::Integrator;
use crate::method::arithmetic::{advance, combine};

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
            // The velocities of a stage are written to where they are kept.
            std::mem::swap(&mut self.stage.v, &mut self.v[i]);
            combine(&mut self.stage.v, &state.v, dt, a[i], &self.a);
            self.stage.t = state.t + c[i] * dt;
            system.hold(&mut self.stage);
            system.accelerations(&self.stage, &mut self.a[i]);
            std::mem::swap(&mut self.stage.v, &mut self.v[i]);
        }
    }

    /// Positions and velocities of the last stage.
    pub(crate) fn last_stage(&self) -> (&[f64], &[f64]) {
        (&self.stage.x, self.v.last().map_or(&[], |v| &**v))
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
            advance(out, h, weights, slopes);
        }
    }
}

impl Integrator for RungeKuttaState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.evaluate(system, state, dt, 0);
        let b = self.tableau.b;
        advance(&mut state.x, dt, b, &self.v);
        advance(&mut state.v, dt, b, &self.a);
    }
}

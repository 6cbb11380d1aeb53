//! Runs an explicit Runge-Kutta method on x' = v, v' = a(t, x, v), from its tableau.
//!
//! Stage i is evaluated at t + c_i h, x + h Σ a_ij v_j, v + h Σ a_ij a_j. The step is x + h Σ b_i
//! v_i, v + h Σ b_i a_i.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::Integrator;
use crate::method::arithmetic::{advance, combine, weighted};
use std::ops::Range;

/// The coefficients of a method (Butcher 1963).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tableau {
    /// Rows of coefficients. Row i has i numbers, unless its place defines another range.
    pub(crate) a: &'static [&'static [f64]],
    pub(crate) b: &'static [f64],
    pub(crate) c: &'static [f64],
    /// Storage of the slopes, for a tableau with many zeros; empty if slope i has index i.
    pub(crate) places: &'static [StagePlace],
}
crate::identity!(Tableau { a, b, c, places });

/// Storage of the slope of a stage, and the slopes that the stage uses. Slopes that later rows do
/// not need are overwritten. The order makes the slopes of each row adjacent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StagePlace {
    /// Index at which the slope of the stage is stored. The row of the stage may start with the
    /// slope that it overwrites.
    pub(crate) kept: usize,
    /// Index of the slope that the first number of the row belongs to.
    pub(crate) from: usize,
}
crate::identity!(StagePlace { kept, from });

impl Tableau {
    /// Cost of a step: one evaluation of forces per stage.
    pub(super) const fn cost(&self) -> Cost {
        Cost::evaluations(self.c.len() as u64)
    }

    fn place(&self, stage: usize) -> StagePlace {
        self.places.get(stage).copied().unwrap_or(StagePlace { kept: stage, from: 0 })
    }

    /// Number of stored slopes.
    fn slopes(&self) -> usize {
        (0..self.c.len()).map(|stage| self.place(stage).kept + 1).max().unwrap_or(0)
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
        let slopes = vec![vec![0.0; initial.x.len()]; tableau.slopes()];
        Self { tableau, stage: initial.clone(), v: slopes.clone(), a: slopes }
    }

    /// Computes the slopes of these stages. Earlier slopes must be known.
    pub(crate) fn evaluate(
        &mut self,
        system: &System<'_>,
        state: &State,
        dt: f64,
        stages: Range<usize>,
    ) {
        for i in stages {
            let kept = self.move_to(i, system, state, dt);
            // The velocities of a stage are stored by a swap.
            std::mem::swap(&mut self.stage.v, &mut self.v[kept]);
            system.accelerations(&self.stage, &mut self.a[kept]);
            std::mem::swap(&mut self.stage.v, &mut self.v[kept]);
        }
    }

    /// Computes positions and velocities of a stage from the slopes before it. Returns the index of
    /// its slope.
    pub(crate) fn move_to(
        &mut self,
        i: usize,
        system: &System<'_>,
        state: &State,
        dt: f64,
    ) -> usize {
        let Tableau { a, c, .. } = self.tableau;
        let StagePlace { kept, from } = self.tableau.place(i);
        combine(&mut self.stage.x, &state.x, dt, a[i], &self.v[from..]);
        std::mem::swap(&mut self.stage.v, &mut self.v[kept]);
        combine(&mut self.stage.v, &state.v, dt, a[i], &self.a[from..]);
        self.stage.t = state.t + c[i] * dt;
        system.hold(&mut self.stage);
        std::mem::swap(&mut self.stage.v, &mut self.v[kept]);
        kept
    }

    /// Positions and velocities of the last stage.
    pub(crate) fn last_stage(&self) -> (&[f64], &[f64]) {
        let last = self.tableau.place(self.tableau.c.len() - 1).kept;
        (&self.stage.x, &self.v[last])
    }

    /// Makes the last stage of this step the first stage of the next step, for methods in which the
    /// two are equal.
    pub(crate) fn first_is_last(&mut self) {
        let last = self.v.len() - 1;
        self.v.swap(0, last);
        self.a.swap(0, last);
    }

    /// Computes x and v = h Σ w_i k_i of positions and of velocities, with the slopes k_i from
    /// index `from` on.
    pub(crate) fn difference(
        &self,
        h: f64,
        from: usize,
        weights: &[f64],
        x: &mut [f64],
        v: &mut [f64],
    ) {
        weighted(x, h, weights, &self.v[from..]);
        weighted(v, h, weights, &self.a[from..]);
    }
}

impl Integrator for RungeKuttaState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.evaluate(system, state, dt, 0..self.tableau.c.len());
        let b = self.tableau.b;
        advance(&mut state.x, dt, b, &self.v);
        advance(&mut state.v, dt, b, &self.a);
    }
}

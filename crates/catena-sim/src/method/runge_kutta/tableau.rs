//! A run of an explicit Runge-Kutta method on x' = v, v' = a(t, x, v), from its tableau.
//!
//! Stage i is taken at t + c_i h, x + h Σ a_ij v_j, v + h Σ a_ij a_j; the step is x + h Σ b_i
//! v_i, v + h Σ b_i a_i.

use crate::body::State;
use crate::budget::Cost;
use crate::force::System;
use crate::method::Integrator;
use crate::method::arithmetic::{advance, combine, weighted};
use std::ops::Range;

/// The coefficients of a method (Butcher 1963).
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Tableau {
    /// Row i has i numbers, or those that its place says.
    pub(crate) a: &'static [&'static [f64]],
    pub(crate) b: &'static [f64],
    pub(crate) c: &'static [f64],
    /// Where slopes are kept, for a tableau of many zeros; empty if slope i is number i.
    pub(crate) places: &'static [Place],
}

/// Where the slope of a stage is kept, and which slopes lead to the stage. Slopes that later rows
/// do not need are overwritten, and the order of the others is such that each row has neighbours.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Place {
    /// The number of its slope. The row itself may begin with the slope that it overwrites.
    pub(crate) kept: usize,
    /// The slope to which the first number of its row belongs.
    pub(crate) from: usize,
}

impl Tableau {
    /// The cost of a step: one evaluation of forces for each stage.
    pub(super) const fn cost(&self) -> Cost {
        Cost::evaluations(self.c.len() as u64)
    }

    fn place(&self, stage: usize) -> Place {
        self.places.get(stage).copied().unwrap_or(Place { kept: stage, from: 0 })
    }

    /// How many slopes are kept.
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

    /// Computes the slopes of these stages. Those before them must be known.
    pub(crate) fn evaluate(
        &mut self,
        system: &System<'_>,
        state: &State,
        dt: f64,
        stages: Range<usize>,
    ) {
        for i in stages {
            let kept = self.move_to(i, system, state, dt);
            // The velocities of a stage are written to where they are kept.
            std::mem::swap(&mut self.stage.v, &mut self.v[kept]);
            system.accelerations(&self.stage, &mut self.a[kept]);
            std::mem::swap(&mut self.stage.v, &mut self.v[kept]);
        }
    }

    /// Computes positions and velocities of a stage from the slopes before it. Returns the number
    /// of its slope.
    pub(crate) fn move_to(
        &mut self,
        i: usize,
        system: &System<'_>,
        state: &State,
        dt: f64,
    ) -> usize {
        let Tableau { a, c, .. } = self.tableau;
        let Place { kept, from } = self.tableau.place(i);
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

    /// Makes the last stage of this step the first of the next one, for methods in which they are
    /// the same.
    pub(crate) fn first_is_last(&mut self) {
        let last = self.v.len() - 1;
        self.v.swap(0, last);
        self.a.swap(0, last);
    }

    /// x and v = h Σ w_i k_i of positions and of velocities, k_i being the slopes from number
    /// `from` on.
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

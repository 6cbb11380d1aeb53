//! What the Adams methods share: slopes of the last steps, and a start with RK4 while there are too few. Not a method
//! itself.

use crate::body::{Model, State};
use crate::force::System;
use crate::method::{
    Displaced, Integrator,
    runge_kutta::{rk4, tableau},
};

/// Weights of the newest slope first (Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", III.1).
const BASHFORTH: [&[f64]; 3] = [
    &[3.0 / 2.0, -1.0 / 2.0],
    &[23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0],
    &[55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0],
];

/// The same for the implicit formulas, the first weight belonging to the slope at the new time.
const MOULTON: [&[f64]; 3] = [
    &[1.0 / 2.0, 1.0 / 2.0],
    &[5.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0],
    &[9.0 / 24.0, 19.0 / 24.0, -5.0 / 24.0, 1.0 / 24.0],
];

/// What is done with the explicit formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It is the step.
    Bashforth,
    /// It predicts; the implicit formula corrects once (predict, evaluate, correct, evaluate).
    BashforthMoulton,
    /// As lecture notes print it: the velocity by the formula, then x' = x + v' dt with the new velocity.
    Lecture,
}

/// A slope: v and a at one time.
#[derive(Clone, Debug, Default, PartialEq)]
struct Slope {
    v: Vec<f64>,
    a: Vec<f64>,
}

/// An Adams method at work.
pub(crate) struct Run {
    form: Form,
    order: usize,
    starter: tableau::Run,
    /// The newest first, `order` at the most.
    slopes: Vec<Slope>,
    /// Where the step began.
    start: State,
}

impl Run {
    /// `order` is 2, 3 or 4.
    pub(crate) fn new(form: Form, order: usize, _model: &Model, initial: &State) -> Self {
        let starter = tableau::Run::new(rk4::TABLEAU, initial);
        Self { form, order, starter, slopes: Vec::new(), start: initial.clone() }
    }

    fn slope(system: &System<'_>, state: &State) -> Slope {
        let mut slope = Slope { v: state.v.clone(), a: vec![0.0; state.v.len()] };
        system.accelerations(state, &mut slope.a);
        slope
    }
}

/// start + dt Σ w_i slope_i, into `state`.
fn advance<'a>(
    state: &mut State,
    start: &State,
    dt: f64,
    weights: &[f64],
    slopes: impl Iterator<Item = &'a Slope>,
) {
    state.x.copy_from_slice(&start.x);
    state.v.copy_from_slice(&start.v);
    for (weight, slope) in weights.iter().zip(slopes) {
        for ((x, v), (k, a)) in
            state.x.iter_mut().zip(&mut state.v).zip(slope.v.iter().zip(&slope.a))
        {
            *x += dt * weight * k;
            *v += dt * weight * a;
        }
    }
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.slopes.insert(0, Self::slope(system, state));
        self.slopes.truncate(self.order);
        if self.slopes.len() < self.order {
            self.starter.step(system, state, dt);
            return;
        }
        self.start.clone_from(state);
        advance(state, &self.start, dt, BASHFORTH[self.order - 2], self.slopes.iter());
        match self.form {
            Form::Bashforth => {}
            Form::Lecture => {
                for ((x, start), v) in state.x.iter_mut().zip(&self.start.x).zip(&state.v) {
                    *x = start + v * dt;
                }
            }
            Form::BashforthMoulton => {
                state.t += dt;
                system.hold(state);
                let predicted = Self::slope(system, state);
                let slopes = std::iter::once(&predicted).chain(&self.slopes);
                advance(state, &self.start, dt, MOULTON[self.order - 2], slopes);
            }
        }
    }

    /// Slopes from before a jump say nothing about what comes after it, so the method starts anew.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {
        self.slopes.clear();
    }

    fn save(&self, memory: &mut Vec<f64>) {
        for slope in &self.slopes {
            memory.extend_from_slice(&slope.v);
            memory.extend_from_slice(&slope.a);
        }
    }

    fn restore(&mut self, memory: &[f64]) {
        let n = self.start.x.len();
        let slope = |part: &[f64]| Slope { v: part[..n].to_vec(), a: part[n..].to_vec() };
        self.slopes = memory.chunks_exact(2 * n).map(slope).collect();
    }
}

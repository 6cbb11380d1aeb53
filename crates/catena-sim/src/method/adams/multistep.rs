//! A run of an Adams method: it keeps the slopes of the last steps, and takes steps of RK4 while
//! there are too few.

use crate::body::State;
use crate::force::System;
use crate::method::{
    Displaced, Integrator,
    runge_kutta::{RK4, RungeKuttaState},
};

/// What a method makes of the slopes. Explicit weights begin with the newest slope, implicit
/// weights with the one at the new time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Formula {
    /// The explicit formula is the step.
    Explicit(&'static [f64]),
    /// The explicit formula predicts and the implicit one corrects once.
    Corrected(&'static [f64], &'static [f64]),
    /// The explicit formula gives the velocity, then x' = x + v' dt with the new velocity.
    VelocityOnly(&'static [f64]),
}

impl Formula {
    fn explicit(self) -> &'static [f64] {
        match self {
            Self::Explicit(weights) | Self::Corrected(weights, _) | Self::VelocityOnly(weights) => {
                weights
            }
        }
    }
}

/// A slope: v and a at one time.
#[derive(Clone, Debug, Default, PartialEq)]
struct Slope {
    v: Vec<f64>,
    a: Vec<f64>,
}

/// What an Adams method remembers in a run.
pub(super) struct AdamsState {
    formula: Formula,
    starter: RungeKuttaState,
    /// The newest first, at most one for each explicit weight.
    slopes: Vec<Slope>,
    /// The state at the beginning of the step.
    start: State,
}

impl AdamsState {
    pub(super) fn new(formula: Formula, initial: &State) -> Self {
        let starter = RungeKuttaState::new(RK4, initial);
        Self { formula, starter, slopes: Vec::new(), start: initial.clone() }
    }

    fn slope(system: &System<'_>, state: &State) -> Slope {
        let mut slope = Slope { v: state.v.clone(), a: vec![0.0; state.v.len()] };
        system.accelerations(state, &mut slope.a);
        slope
    }
}

/// state = start + dt Σ w_i slope_i.
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

impl Integrator for AdamsState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let explicit = self.formula.explicit();
        self.slopes.insert(0, Self::slope(system, state));
        self.slopes.truncate(explicit.len());
        if self.slopes.len() < explicit.len() {
            self.starter.step(system, state, dt);
            return;
        }
        self.start.clone_from(state);
        advance(state, &self.start, dt, explicit, self.slopes.iter());
        match self.formula {
            Formula::Explicit(_) => {}
            Formula::VelocityOnly(_) => {
                for ((x, start), v) in state.x.iter_mut().zip(&self.start.x).zip(&state.v) {
                    *x = start + v * dt;
                }
            }
            Formula::Corrected(_, implicit) => {
                state.t += dt;
                system.hold(state);
                let predicted = Self::slope(system, state);
                let slopes = std::iter::once(&predicted).chain(&self.slopes);
                advance(state, &self.start, dt, implicit, slopes);
            }
        }
    }

    /// Slopes from before a jump do not describe the motion after it, so the method begins anew.
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

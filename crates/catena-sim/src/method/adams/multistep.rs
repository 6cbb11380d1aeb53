//! Runs Adams methods. A run stores the slopes of the last steps. Until there are enough slopes, it
//! takes steps of another method, such as RK4.

use super::{BASHFORTH_1, BASHFORTH_2, BASHFORTH_3, FirstSteps, MOULTON_2, MOULTON_3};
use crate::body::State;
use crate::force::System;
use crate::method::{
    Displaced, Integrator,
    arithmetic::{add_multiple, advance, combine},
    runge_kutta::{RK4, RungeKuttaState},
};

/// Use of the slopes. Explicit weights start with the newest slope, implicit weights with the slope
/// at the new time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Formula {
    /// The explicit formula gives the step.
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

impl Formula {
    /// Returns the formula for 1 to 3 slopes if there are fewer slopes than the method needs.
    /// `None` if Runge-Kutta steps are taken.
    fn with_slopes(self, count: usize, first_steps: FirstSteps) -> Option<Self> {
        let count = match first_steps {
            FirstSteps::RungeKutta => return None,
            FirstSteps::Euler => 1,
            FirstSteps::LowerOrders => count,
        };
        let explicit = [BASHFORTH_1, BASHFORTH_2, BASHFORTH_3][count - 1];
        Some(match self {
            Self::Corrected(..) if first_steps == FirstSteps::LowerOrders => {
                Self::Corrected(explicit, [MOULTON_2, MOULTON_2, MOULTON_3][count - 1])
            }
            Self::Explicit(_) | Self::Corrected(..) => Self::Explicit(explicit),
            Self::VelocityOnly(_) => Self::VelocityOnly(explicit),
        })
    }
}

/// A slope: v and a at one time.
#[derive(Clone, Debug, Default, PartialEq)]
struct Slope {
    v: Vec<f64>,
    a: Vec<f64>,
}

/// Memory of an Adams method during a run.
pub(super) struct AdamsState {
    formula: Formula,
    first_steps: FirstSteps,
    starter: RungeKuttaState,
    /// Slopes, newest first; at most one per explicit weight.
    slopes: Vec<Slope>,
    /// Positions and velocities at the start of the step.
    start: State,
    /// Predicted slope at the end of the step.
    predicted: Slope,
}

impl AdamsState {
    pub(super) fn new(formula: Formula, first_steps: FirstSteps, initial: &State) -> Self {
        let starter = RungeKuttaState::new(RK4, initial);
        let predicted = Slope::default();
        Self {
            formula,
            first_steps,
            starter,
            slopes: Vec::new(),
            start: initial.clone(),
            predicted,
        }
    }

    /// Computes the slope at a state and stores it as the newest one. Drops the oldest slope if
    /// there are more than the formula needs.
    fn remember(&mut self, system: &System<'_>, state: &State) {
        let mut slope = match self.slopes.len() < self.formula.explicit().len() {
            true => Slope::default(),
            false => self.slopes.pop().unwrap_or_default(),
        };
        slope.compute(system, state);
        self.slopes.insert(0, slope);
    }
}

impl Slope {
    /// Computes the slope at a state.
    fn compute(&mut self, system: &System<'_>, state: &State) {
        self.v.clone_from(&state.v);
        self.a.resize(state.v.len(), 0.0);
        system.accelerations(state, &mut self.a);
    }
}

/// Maximum number of slopes in a formula.
const MAX: usize = 4;

/// Positions and velocities of the first slopes, one per weight of a formula.
fn lists<'a>(slopes: impl Iterator<Item = &'a Slope>) -> ([&'a [f64]; MAX], [&'a [f64]; MAX]) {
    let mut lists = ([&[][..]; MAX], [&[][..]; MAX]);
    for (slope, (v, a)) in slopes.zip(lists.0.iter_mut().zip(&mut lists.1)) {
        (*v, *a) = (&slope.v, &slope.a);
    }
    lists
}

impl AdamsState {
    /// Takes a step with the newest slopes.
    fn apply(&mut self, formula: Formula, system: &System<'_>, state: &mut State, dt: f64) {
        let explicit = formula.explicit();
        if matches!(formula, Formula::Corrected(..)) {
            self.start.clone_from(state);
        }
        let (v, a) = lists(self.slopes.iter());
        advance(&mut state.v, dt, explicit, &a);
        match formula {
            Formula::Explicit(_) => advance(&mut state.x, dt, explicit, &v),
            Formula::VelocityOnly(_) => add_multiple(&mut state.x, dt, &state.v),
            Formula::Corrected(_, implicit) => {
                advance(&mut state.x, dt, explicit, &v);
                state.t += dt;
                system.hold(state);
                self.predicted.compute(system, state);
                let (v, a) = lists(std::iter::once(&self.predicted).chain(&self.slopes));
                combine(&mut state.x, &self.start.x, dt, implicit, &v);
                combine(&mut state.v, &self.start.v, dt, implicit, &a);
            }
        }
    }
}

impl Integrator for AdamsState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.remember(system, state);
        let (count, needed) = (self.slopes.len(), self.formula.explicit().len());
        if count >= needed {
            return self.apply(self.formula, system, state, dt);
        }
        match self.formula.with_slopes(count, self.first_steps) {
            Some(formula) => self.apply(formula, system, state, dt),
            None => self.starter.step(system, state, dt),
        }
    }

    /// Returns the weight of the predicted slope. In a corrector, the first slope is for a time
    /// before the time of the lengths, and the predicted slope for a time after it. With this share
    /// of the step for the lengths, both time differences cancel. Explicit formulas have no
    /// predicted slope.
    fn share_of_lengths(&self) -> f64 {
        match self.formula {
            Formula::Explicit(_) | Formula::VelocityOnly(_) => 0.0,
            Formula::Corrected(_, implicit) => implicit[0],
        }
    }

    /// Clears the slopes. Slopes from before a jump do not describe the motion after it, so the
    /// method restarts.
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

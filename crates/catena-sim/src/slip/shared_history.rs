//! Adams-Bashforth with one history for all masses: the "previous" slope of a mass is the slope of
//! the preceding mass in the loop. Only the first mass uses a slope of an earlier step.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::force::System;
use crate::method::{BASHFORTH_2, BASHFORTH_3, BASHFORTH_4, Displaced, Integrator, Method};
use serde::Deserialize;
use std::sync::Arc;

/// Shares the history of slopes among all masses.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedHistory {}
crate::identity!(SharedHistory {});

impl SharedHistory {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "SharedHistory",
        title: "one history for all masses",
        summary: "Adams-Bashforth whose previous slope is that of the previous mass in the loop",
        symptom: "my Adams-Bashforth rope blows up or crumples at steps at which Euler works",
        correct: "Each mass keeps the slopes of its own last steps.",
        options: &[],
    };
}

/// Formula of a method that supports the slip.
#[derive(Clone, Copy, Debug)]
struct Formula {
    name: &'static str,
    /// Weights of the slopes, newest first.
    weights: &'static [f64],
    /// Whether positions use the new velocity instead of the formula.
    is_of_velocity: bool,
}
crate::identity!(Formula { name, weights, is_of_velocity });

const FORMULAS: [Formula; 5] = [
    Formula { name: "AdamsBashforth2", weights: BASHFORTH_2, is_of_velocity: false },
    Formula { name: "AdamsBashforth3", weights: BASHFORTH_3, is_of_velocity: false },
    Formula { name: "AdamsBashforth4", weights: BASHFORTH_4, is_of_velocity: false },
    Formula { name: "LectureAdamsBashforth2", weights: BASHFORTH_2, is_of_velocity: true },
    Formula { name: "LectureAdamsBashforth3", weights: BASHFORTH_3, is_of_velocity: true },
];

impl Slip for SharedHistory {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &FORMULAS.map(|formula| formula.name))?;
        target.needs_fixed_steps(slip)?;
        let name = target.method.info().name;
        let formula = FORMULAS.into_iter().find(|formula| formula.name == name);
        target.replace_steps(slip, formula.unwrap_or(FORMULAS[0]))
    }
}

impl SlippedSteps for Formula {
    fn start(
        &self,
        _original: &Arc<dyn Method>,
        _model: &Model,
        initial: &State,
        _dt: f64,
    ) -> Box<dyn Integrator> {
        Box::new(SharedState { formula: *self, history: Vec::new(), a: vec![0.0; initial.x.len()] })
    }
}

/// Velocity and acceleration of one mass.
type Slope = [[f64; 3]; 2];

struct SharedState {
    formula: Formula,
    /// Slopes of the preceding masses, newest first; one fewer than `weights`.
    history: Vec<Slope>,
    a: Vec<f64>,
}

impl SharedState {
    /// Returns the weighted sum of the mass's own slope and the history. If the history is too
    /// short, returns the own slope, which is a step of explicit Euler.
    fn slope(&self, own: Slope) -> Slope {
        let weights = self.formula.weights;
        if self.history.len() + 1 < weights.len() {
            return own;
        }
        let mut sum = [[0.0; 3]; 2];
        for (weight, slope) in weights.iter().zip(std::iter::once(&own).chain(&self.history)) {
            for (sum, slope) in sum.iter_mut().flatten().zip(slope.iter().flatten()) {
                *sum += weight * slope;
            }
        }
        sum
    }
}

impl Integrator for SharedState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let model = system.model;
        let n = model.nodes();
        system.accelerations(state, &mut self.a);
        for node in (0..n).filter(|node| !model.pinned[*node]) {
            let of_node = |flat: &[f64]| {
                [0, 1, 2].map(|axis: usize| flat.get(axis * n + node).copied().unwrap_or(0.0))
            };
            let own = [of_node(&state.v), of_node(&self.a)];
            let [v, a] = self.slope(own);
            for axis in 0..model.axes {
                let at = axis * n + node;
                state.v[at] += dt * a[axis];
                let speed = if self.formula.is_of_velocity { state.v[at] } else { v[axis] };
                state.x[at] += dt * speed;
            }
            self.history.insert(0, own);
            self.history.truncate(self.formula.weights.len() - 1);
        }
    }

    /// Returns 1: the method uses no forces at the end of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }

    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {
        self.history.clear();
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.extend(self.history.iter().flatten().flatten());
    }

    fn restore(&mut self, memory: &[f64]) {
        let slope = |part: &[f64]| {
            let half = |from: usize| [part[from], part[from + 1], part[from + 2]];
            [half(0), half(3)]
        };
        self.history = memory.chunks_exact(6).map(slope).collect();
    }
}

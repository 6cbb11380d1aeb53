//! Runge-Kutta methods that estimate their own error and choose their steps accordingly.
//!
//! The tolerance divides each step of the scene into inner steps, as in step_size.rs. A run
//! remembers only the length of the next inner step.

use super::tableau::{RungeKuttaState, Tableau};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{
    Integrator, StepReport,
    step_size::{self, StepBounds, StepSize, Trial},
};

/// Mean number of slopes that a stage reads and writes, for the cost estimate.
const STAGES_READ: u64 = 3;

/// A formula with an error estimate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Embedded {
    /// Coefficients. The last row is `b`, so the last stage is the end of the step.
    pub(super) tableau: Tableau,
    pub(super) estimate: Estimate,
    /// Order of the error estimate plus one.
    pub(super) q: u32,
}

/// Computation of the error of a step from its slopes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Estimate {
    /// h Σ w_i k_i with the weights of the formula minus the weights of a formula of lower order.
    /// Needs the slope at the end, which is the first of the next step.
    Difference(&'static [f64]),
    /// Two differences, e of a higher order and f of a lower order, combined to e²/√(e² + 0.01 f²).
    /// The result is smaller than e and of a higher order. Neither difference needs the slope at
    /// the end.
    Pair {
        /// Index of the slope that the first weight belongs to.
        from: usize,
        higher: &'static [f64],
        lower: &'static [f64],
    },
}

impl Embedded {
    /// Cost of an inner step: one evaluation per stage, without the evaluation that two steps
    /// share.
    pub(super) const fn cost(&self) -> Cost {
        let evaluations = self.tableau.c.len() as u64 - 1;
        let cost = Cost::evaluations(evaluations).remembering(STAGES_READ * evaluations);
        Cost { is_open: true, ..cost }
    }

    /// Starts a run whose inner steps have at most this error, in rest lengths.
    pub(super) fn start(
        self,
        tolerance: f64,
        bounds: StepBounds,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let vectors = match self.estimate {
            Estimate::Difference(_) => 1,
            Estimate::Pair { .. } => 2,
        };
        let zeros = vec![0.0; initial.x.len()];
        Box::new(EmbeddedState {
            greatest: tolerance * model.rest_length(),
            method: self,
            size: StepSize::new(self.q, bounds, dt),
            stages: RungeKuttaState::new(self.tableau, initial),
            errors: vec![(zeros.clone(), zeros); vectors],
            report: StepReport::none(),
        })
    }
}

struct EmbeddedState {
    method: Embedded,
    /// Maximum error, as a length.
    greatest: f64,
    size: StepSize,
    stages: RungeKuttaState,
    /// Errors of positions and of velocities, one pair per difference of the estimate.
    errors: Vec<(Vec<f64>, Vec<f64>)>,
    report: StepReport,
}

impl Integrator for EmbeddedState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let mut size = self.size;
        let start = state.t;
        let mut inner = InnerStep { run: self, system, state, start, dt, h: 0.0, has_first: false };
        let report = size.advance(dt, &mut inner);
        (self.size, self.report) = (size, report);
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }

    // `displaced` needs no action: the length of the next step is only the start of a search.

    fn save(&self, memory: &mut Vec<f64>) {
        memory.push(self.size.next());
    }

    fn restore(&mut self, memory: &[f64]) {
        memory.iter().for_each(|next| self.size.set_next(*next));
    }
}

/// An inner step.
struct InnerStep<'a> {
    run: &'a mut EmbeddedState,
    system: &'a System<'a>,
    state: &'a mut State,
    /// Start time of the scene's step.
    start: f64,
    /// The scene's step.
    dt: f64,
    h: f64,
    /// Whether the first slope is known, from the last step or from a rejected attempt.
    has_first: bool,
}

impl Trial for InnerStep<'_> {
    fn attempt(&mut self, h: f64) -> f64 {
        let Self { run, system, state, .. } = self;
        let EmbeddedState { method, stages, errors, .. } = &mut **run;
        self.h = h;
        // The cost of a step includes the first attempt.
        if self.has_first && !system.charge(method.cost()) {
            return f64::NAN;
        }
        let (first, last) = (usize::from(self.has_first), method.tableau.c.len() - 1);
        let model = system.model;
        let error = match (method.estimate, &mut errors[..]) {
            (Estimate::Difference(weights), [(x, v), ..]) => {
                stages.evaluate(system, state, h, first..last + 1);
                stages.difference(h, 0, weights, x, v);
                step_size::greatest_error(model, x, v, self.dt)
            }
            (Estimate::Pair { from, higher, lower }, [e, f, ..]) => {
                stages.evaluate(system, state, h, first..last);
                stages.move_to(last, system, state, h);
                stages.difference(h, from, higher, &mut e.0, &mut e.1);
                stages.difference(h, from, lower, &mut f.0, &mut f.1);
                step_size::greatest_of_pairs(model, e, f, self.dt)
            }
            _ => f64::NAN,
        };
        self.has_first = true;
        error / run.greatest
    }

    fn keep(&mut self, done: f64) -> StepReport {
        let stages = &mut self.run.stages;
        let (x, v) = stages.last_stage();
        self.state.x.copy_from_slice(x);
        self.state.v.copy_from_slice(v);
        self.state.t = self.start + done;
        match self.run.method.estimate {
            Estimate::Difference(_) => stages.first_is_last(),
            // The slope at the end is computed only if a next step needs it.
            Estimate::Pair { .. } => self.has_first = false,
        }
        StepReport::one(self.h)
    }
}

//! SHAKE: Störmer's method for a body whose springs are rigid rods. The step without springs,
//! v' = v + a dt, x' = x + v' dt, is followed by corrections until every rod has its length.
//!
//! Rods are gone over in order. With s = x_b - x_a now and r the same at the start of the step,
//! δ = (|s|² - l²) / (2 (w_a + w_b) s·r), x_a += w_a δ r, x_b -= w_b δ r, w being inverse masses. They are exact when
//! every | |s|² - l² | ≤ 2 tolerance l². Corrections point along the old rods, as the forces of the rods do in Störmer's
//! recurrence; this is why energy does not drift. A chain of n rods needs about n² sweeps a decimal digit.
//! A rod whose s·r is almost 0 has turned by a right angle within the step and is left alone; such a step, or one that
//! needs more sweeps than allowed, is reported as not converged, and so is a taut chain between two pins.
//! The velocity is that of the middle of the step that led here, (x' - x)/dt. There is no stability limit from springs.
//! Source: Ryckaert, Ciccotti, Berendsen 1977.

use super::projection;
use super::reaction::{Listener, Reactions};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::StepReport;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;

/// The method, how exact it is and how long it tries.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shake {
    /// Greatest relative error of a length, above 0.
    pub tolerance: f64,
    /// Greatest number of sweeps a step, at least 1.
    pub iterations: u32,
}

impl Default for Shake {
    fn default() -> Self {
        Self { tolerance: 1e-10, iterations: 5000 }
    }
}

const TOLERANCE: OptionInfo = OptionInfo {
    name: "tolerance",
    summary: "greatest relative error of a length",
    default: "1e-10",
    range: "a number above 0",
};

const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    summary: "how many times a step may go over all springs to get there",
    default: "5000",
    range: "a whole number of at least 1",
};

/// Least s·r over l² with which a rod can still be corrected.
const LEAST_ALONG: f64 = 1e-6;

impl Shake {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Shake",
        title: "SHAKE",
        summary: "moves on without springs, then corrects along the old springs until every length is exact",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: true,
        velocity_carries: true,
        options: &[TOLERANCE, ITERATIONS],
    };
}

impl Method for Shake {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost { is_open: true, ..Cost::sweeps(1) }
    }

    fn check(&self) -> Result<(), BadOption> {
        TOLERANCE.check(self.tolerance > 0.0 && self.tolerance.is_finite())?;
        ITERATIONS.check(self.iterations >= 1)
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        let zeros = vec![0.0; initial.x.len()];
        Box::new(Run {
            method: self.clone(),
            weights: projection::weights(model),
            start: zeros.clone(),
            a: zeros,
            report: StepReport::one(dt),
            reactions: None,
        })
    }
}

struct Run {
    method: Shake,
    weights: Vec<f64>,
    start: Vec<f64>,
    a: Vec<f64>,
    report: StepReport,
    reactions: Option<Reactions>,
}

/// What a sweep did.
#[derive(Clone, Copy, Default)]
struct Sweep {
    /// It corrected a rod.
    has_moved: bool,
    /// It left a rod alone that is not exact.
    is_stuck: bool,
}

impl Run {
    /// |s|² - l², and whether that is exact enough.
    fn excess(&self, length: f64, rest_length: f64) -> (f64, bool) {
        let square = rest_length * rest_length;
        let excess = length * length - square;
        (excess, excess.abs() <= 2.0 * self.method.tolerance * square)
    }

    fn sweep(&self, system: &System<'_>, x: &mut [f64], listener: &mut impl Listener) -> Sweep {
        let model = system.model;
        let mut sweep = Sweep::default();
        for (_, rod, weight) in projection::movable(system, &self.weights) {
            let (s, length) = model.span(x, rod);
            let (excess, is_exact) = self.excess(length, rod.rest_length);
            if is_exact {
                continue;
            }
            let r = model.span(&self.start, rod).0;
            let along = s[0] * r[0] + s[1] * r[1] + s[2] * r[2];
            // Numbers that have run away end here too.
            if along.is_nan() || along <= LEAST_ALONG * rod.rest_length * rod.rest_length {
                sweep.is_stuck = true;
                continue;
            }
            let amount = excess / (2.0 * weight * along);
            projection::shift((model, &self.weights), x, rod, &r, amount, listener);
            sweep.has_moved = true;
        }
        sweep
    }

    /// Sweeps until every length is exact; whether that worked.
    fn satisfy(&self, system: &System<'_>, x: &mut [f64], listener: &mut impl Listener) -> bool {
        for _ in 0..self.method.iterations {
            let sweep = self.sweep(system, x, listener);
            if !sweep.has_moved {
                return !sweep.is_stuck;
            }
            if !system.goes_on(Cost::SWEEP) {
                return false;
            }
        }
        let mut rods = projection::movable(system, &self.weights);
        rods.all(|(_, rod, _)| self.excess(system.model.span(x, rod).1, rod.rest_length).1)
    }

    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    ) {
        self.start.copy_from_slice(&state.x);
        projection::predict(system, state, &mut self.a, dt);
        let unconverged = u64::from(!self.satisfy(system, &mut state.x, listener));
        projection::velocities(system.model, &self.start, state, dt);
        self.report = StepReport { unconverged, ..StepReport::one(dt) };
    }
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        match self.reactions.take() {
            None => self.advance(system, state, dt, &mut ()),
            Some(mut reactions) => {
                reactions.begin(system.model, dt);
                self.advance(system, state, dt, &mut reactions);
                self.reactions = Some(reactions);
            }
        }
    }

    fn keep_reactions(&mut self) {
        self.reactions = Some(Reactions::default());
    }

    fn reactions(&self) -> Option<&[f64]> {
        self.reactions.as_ref().map(Reactions::impulses)
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }
}

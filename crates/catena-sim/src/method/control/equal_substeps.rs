//! Divides each step of the scene into equal substeps whose number a rule chooses at its start.
//!
//! When the number changes, the method restarts with the velocity in the state; Adams methods then
//! take their first steps with Runge-Kutta 4. A step that needs more than 65536 substeps takes
//! 65536 and counts as unconverged.

use crate::body::{Model, State};
use crate::force::System;
use crate::method::{Displaced, Integrator, Method, StepReport};
use std::sync::Arc;

/// Maximum number of substeps.
const MAX: f64 = 65536.0;

/// A rule for the number of substeps.
pub(super) trait SubstepRule: Send {
    /// Number of substeps that the state requires within a step of `dt`; not rounded, not limited.
    fn wanted(&self, system: &System<'_>, state: &State, dt: f64) -> f64;
}

/// A method that runs in equal substeps.
pub(super) struct EqualSubsteps<R> {
    rule: R,
    method: Arc<dyn Method>,
    // The start of the run; needed to restart the method when its memory is restored.
    model: Model,
    initial: State,
    dt: f64,
    /// Number of substeps of the last step.
    count: u32,
    integrator: Box<dyn Integrator>,
    report: StepReport,
}

impl<R: SubstepRule> EqualSubsteps<R> {
    pub(super) fn new(
        rule: R,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Self {
        Self {
            rule,
            method: Arc::clone(method),
            model: model.clone(),
            initial: initial.clone(),
            dt,
            count: 1,
            integrator: method.start(model, initial, dt),
            report: StepReport::none(),
        }
    }

    fn start(&mut self, count: u32, state: &State) {
        self.count = count;
        self.integrator = self.method.start(&self.model, state, self.dt / f64::from(count));
    }
}

impl<R: SubstepRule> Integrator for EqualSubsteps<R> {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let wanted = self.rule.wanted(system, state, dt).ceil();
        // A non-finite state takes one substep.
        let count = wanted.clamp(1.0, MAX) as u32;
        let count = count.max(1);
        if count != self.count {
            self.start(count, state);
        }
        let (start, h) = (state.t, dt / f64::from(count));
        self.report = StepReport::none();
        let cost = self.method.cost();
        for substep in 1..=count {
            if substep > 1 && !system.charge(cost) {
                return;
            }
            self.integrator.step(system, state, h);
            state.t = start + dt * (f64::from(substep) / f64::from(count));
            if substep < count {
                system.hold(state);
            }
            self.report = self.report.and(self.integrator.report().unwrap_or(StepReport::one(h)));
        }
        self.report.unconverged += u64::from(wanted > MAX);
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }

    fn displaced(&mut self, what: &Displaced<'_>, dt: f64) {
        self.integrator.displaced(what, dt / f64::from(self.count));
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.push(f64::from(self.count));
        self.integrator.save(memory);
    }

    fn restore(&mut self, memory: &[f64]) {
        if let [count, rest @ ..] = memory {
            let initial = self.initial.clone();
            self.start(*count as u32, &initial);
            self.integrator.restore(rest);
        }
    }
}

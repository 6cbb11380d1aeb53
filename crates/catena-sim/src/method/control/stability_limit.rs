//! Divides steps into equal substeps below the stability limit, like a CFL condition.
//!
//! At the start of each step of the scene the control finds the highest mode of the body, u'' + γ
//! u' + ω² u = 0 (see spectrum.rs). With the limit λ of the method on the imaginary axis, the
//! maximum step is h = 2λ/(γ + √(γ² + 4ω²)). Without damping this is λ/ω. For λ = 2 it is the exact
//! limit of semi-implicit Euler with friction at the old velocity. The number of substeps is
//! dt/(safety · h), rounded up, at most 65536; a step that needs more counts as unconverged.
//!
//! The safety factor allows for states that become stiffer within a step. With strong damping a
//! method's limit may be smaller than h. When the number of substeps changes, the method restarts
//! with the velocity in the state; Adams methods then take their first steps with Runge-Kutta 4.
//! Source: Courant, Friedrichs, Lewy 1928.

use super::{Misfit, StepControl};
use crate::body::{Model, State};
use crate::force::System;
use crate::linear::spectrum;
use crate::method::{Displaced, Integrator, Method, StepReport};
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;
use std::sync::Arc;

/// Stability control with its safety factor.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StabilityLimit {
    /// Fraction of the maximum stable step, above 0 and at most 1.
    pub safety: f64,
}

impl Default for StabilityLimit {
    fn default() -> Self {
        Self { safety: 0.9 }
    }
}

const SAFETY: OptionInfo = OptionInfo {
    name: "safety",
    summary: "step size as a share of the longest stable step",
    default: "0.9",
    range: "a number above 0, at most 1",
    ..OptionInfo::PLAIN
};

/// Maximum number of substeps.
const MOST: f64 = 65536.0;
/// Relative accuracy of ω².
const EXACT: f64 = 1e-4;

impl StabilityLimit {
    pub(crate) const INFO: Info = Info {
        name: "StabilityLimit",
        summary: "equal substeps, short enough to keep the highest frequency of the body stable",
        options: &[SAFETY],
    };
}

impl StepControl for StabilityLimit {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        SAFETY.check(self.safety > 0.0 && self.safety <= 1.0)
    }

    fn allows(&self, method: &dyn Method) -> Result<(), Misfit> {
        let why = match method.info().limit {
            None => "it does not integrate spring forces, so it has no stability limit",
            Some(0.0) => "an undamped spring grows at any step, so no step is short enough",
            Some(limit) if limit.is_infinite() => {
                "it is stable at any step, so the control would change nothing"
            }
            Some(_) => return Ok(()),
        };
        let help = "leave step_control out and set `substeps`, or choose a method that has a limit above 0, such as VelocityVerlet";
        Err(Misfit { why, help })
    }

    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        Box::new(StabilityLimitState {
            method: Arc::clone(method),
            safe_limit: self.safety * method.info().limit.unwrap_or(0.0),
            model: model.clone(),
            initial: initial.clone(),
            dt,
            count: 1,
            integrator: method.start(model, initial, dt),
            report: StepReport::none(),
        })
    }
}

struct StabilityLimitState {
    method: Arc<dyn Method>,
    safe_limit: f64,
    // The start of the run; needed to restart the method when its memory is restored.
    model: Model,
    initial: State,
    dt: f64,
    /// Number of substeps of the last step.
    count: u32,
    integrator: Box<dyn Integrator>,
    report: StepReport,
}

impl StabilityLimitState {
    /// Number of substeps that the state requires.
    fn wanted(&self, system: &System<'_>, state: &State, dt: f64) -> f64 {
        let found = spectrum::largest_frequency_within(system, state, EXACT);
        let longest = spectrum::semi_implicit_limit(found.omega, found.damping.max(0.0));
        (dt / (0.5 * self.safe_limit * longest)).ceil()
    }

    fn start(&mut self, count: u32, state: &State) {
        self.count = count;
        self.integrator = self.method.start(&self.model, state, self.dt / f64::from(count));
    }
}

impl Integrator for StabilityLimitState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let wanted = self.wanted(system, state, dt);
        // A non-finite state takes one substep.
        let count = wanted.clamp(1.0, MOST) as u32;
        let count = count.max(1);
        if count != self.count {
            self.start(count, state);
        }
        let (start, h) = (state.t, dt / f64::from(count));
        self.report = StepReport::none();
        let cost = self.method.cost();
        for substep in 1..=count {
            if substep > 1 && !system.goes_on(cost) {
                return;
            }
            self.integrator.step(system, state, h);
            state.t = start + dt * (f64::from(substep) / f64::from(count));
            if substep < count {
                system.hold(state);
            }
            self.report = self.report.and(self.integrator.report().unwrap_or(StepReport::one(h)));
        }
        self.report.unconverged += u64::from(wanted > MOST);
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

//! Extended position based dynamics: as position based dynamics, with springs that give way by their compliance α, the
//! inverse of a stiffness, independently of iterations and dt.
//!
//! Each of `substeps` steps of h = dt/substeps predicts v' = v + a h, x' = x + v' h and then goes
//! over all springs in order, `iterations` times. With C = L - l and α̃ = α/h² the paper has Δλ =
//! (-C - α̃ λ)/(w_a + w_b + α̃), x_b += w_b Δλ u, x_a -= w_a Δλ u, u = (x_b - x_a)/L, w being
//! inverse masses and λ 0 at the start of a step, not of an iteration. Here it is written with the
//! tension T = -λ/h²: ΔT = (C - α T)/(h² (w_a + w_b) + α), which has no quotient that can overflow.
//! At rest the tensions carry the weight below them whatever the iterations; once these have
//! converged T = C/α, and the body hangs as the elastic one. Until then it hangs longer. What is
//! left is measured at the end of a substep: |C - α T|, the paper's |C + α̃ λ|, is how much longer
//! a spring is than its tension makes it. A substep that leaves more than [`TOLERANCE`] of a rest
//! length anywhere is reported as not converged. In time it is the implicit Euler method: order 1
//! for what it integrates, stable at any dt, and it damps. Springs are Hooke's; other laws do not
//! enter. Source: Macklin, Müller, Chentanez 2016, "XPBD"; substeps: Macklin et al. 2019, "Small
//! Steps in Physics Simulation".

use super::projection;
use super::{
    reaction::{Listener, Reactions},
    tether::{TETHERS, Tethers},
};
use crate::body::{Model, Spring, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::StepReport;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;

/// The method and its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Xpbd {
    /// Stretch per force of every spring, at least 0; `None` takes the inverse of each spring's stiffness.
    pub compliance: Option<f64>,
    /// Sweeps a substep, at least 1.
    pub iterations: u32,
    /// Steps within a step, at least 1.
    pub substeps: u32,
    /// Whether long-range tethers hold nodes to their pins. Then the body cannot hang longer than at rest.
    pub tethers: bool,
}

impl Default for Xpbd {
    fn default() -> Self {
        Self { compliance: None, iterations: 10, substeps: 1, tethers: false }
    }
}

const COMPLIANCE: OptionInfo = OptionInfo {
    name: "compliance",
    summary: "stretch per force of every spring; left out, the inverse of each spring's stiffness",
    default: OptionInfo::LEFT_OUT,
    range: "a number of at least 0",
};

const SUBSTEPS: OptionInfo = OptionInfo {
    name: "substeps",
    summary: "how many steps it takes within each step",
    default: "1",
    range: "a whole number of at least 1",
};

/// The greatest |C - α T| of a converged spring as a share of its rest length. Lengths are right to
/// a thousandth then, which is less than a pixel for a body that is drawn a thousand pixels long.
const TOLERANCE: f64 = 1e-3;

impl Xpbd {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Xpbd",
        title: "XPBD",
        summary: "PBD with compliant springs: hangs as the elastic rope once iterations have converged, longer before",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: false,
        velocity_carries: true,
        options: &[COMPLIANCE, projection::ITERATIONS, SUBSTEPS, TETHERS],
    };
}

impl Method for Xpbd {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::sweeps(u64::from(self.iterations) * (1 + u64::from(self.tethers)))
            .times(u64::from(self.substeps))
    }

    fn check(&self) -> Result<(), BadOption> {
        COMPLIANCE.check(self.compliance.is_none_or(|alpha| alpha >= 0.0 && alpha.is_finite()))?;
        projection::ITERATIONS.check(self.iterations >= 1)?;
        SUBSTEPS.check(self.substeps >= 1)
    }

    fn holds_lengths(&self) -> bool {
        self.tethers || self.compliance == Some(0.0)
    }

    fn inner_steps(&self) -> u32 {
        self.substeps
    }

    fn stiffness_of(&self, spring: &Spring) -> f64 {
        self.compliance.map_or(spring.stiffness, |alpha| 1.0 / alpha)
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        let zeros = vec![0.0; initial.x.len()];
        let compliance = |spring: &Spring| self.compliance.unwrap_or(1.0 / spring.stiffness);
        Box::new(Run {
            iterations: self.iterations,
            substeps: self.substeps,
            compliance: model.held().iter().map(compliance).collect(),
            tension: vec![0.0; model.held],
            tethers: self.tethers.then(|| Tethers::new(model)),
            weights: projection::weights(model),
            start: zeros.clone(),
            a: zeros,
            report: StepReport::many(dt / f64::from(self.substeps), u64::from(self.substeps)),
            reactions: None,
        })
    }
}

struct Run {
    iterations: u32,
    substeps: u32,
    /// α of each held spring.
    compliance: Vec<f64>,
    /// T of each held spring in the last substep.
    tension: Vec<f64>,
    tethers: Option<Tethers>,
    weights: Vec<f64>,
    start: Vec<f64>,
    a: Vec<f64>,
    /// The last step's.
    report: StepReport,
    reactions: Option<Reactions>,
}

impl Run {
    /// One sweep over all springs. A spring without length has no direction and is left alone.
    fn sweep(&mut self, system: &System<'_>, x: &mut [f64], h: f64, listener: &mut impl Listener) {
        let square = h * h;
        for (j, spring, weight) in projection::movable(system, &self.weights) {
            let (d, length) = system.model.span(x, spring);
            if length == 0.0 {
                continue;
            }
            let (alpha, tension) = (self.compliance[j], &mut self.tension[j]);
            let excess = length - spring.rest_length;
            let change = (excess - alpha * *tension) / (square * weight + alpha);
            *tension += change;
            let amount = square * change / length;
            projection::shift((system.model, &self.weights), x, spring, &d, amount, listener);
        }
    }

    /// Whether the multipliers have converged: what each spring that can move is too long for its
    /// tension. Numbers that have run away have not.
    fn has_converged(&self, system: &System<'_>, x: &[f64]) -> bool {
        projection::movable(system, &self.weights).all(|(j, spring, _)| {
            let excess = system.model.span(x, spring).1 - spring.rest_length;
            let residual = excess - self.compliance[j] * self.tension[j];
            residual.abs() <= TOLERANCE * spring.rest_length
        })
    }

    /// Says whether it converged.
    fn substep(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        h: f64,
        listener: &mut impl Listener,
    ) -> bool {
        self.start.copy_from_slice(&state.x);
        projection::predict(system, state, &mut self.a, h);
        self.tension.fill(0.0);
        for _ in 0..self.iterations {
            self.sweep(system, &mut state.x, h, listener);
            if let Some(tethers) = &mut self.tethers {
                tethers.apply(system, &mut state.x, listener);
            }
        }
        projection::velocities(system.model, &self.start, state, h);
        self.has_converged(system, &state.x)
    }

    /// The substep of a step.
    fn inner(&self, dt: f64) -> f64 {
        dt / f64::from(self.substeps)
    }

    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    ) {
        let h = self.inner(dt);
        self.report = StepReport::many(h, u64::from(self.substeps));
        for _ in 0..self.substeps {
            self.report.unconverged += u64::from(!self.substep(system, state, h, listener));
        }
    }
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        match self.reactions.take() {
            None => self.advance(system, state, dt, &mut ()),
            Some(mut reactions) => {
                reactions.begin(system.model, self.inner(dt));
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

    fn tensions(&self) -> Option<&[f64]> {
        Some(&self.tension)
    }
}

//! Implicit midpoint: v' = v + h a(x_m, v_m, t + h/2) and x' = x + h v_m, with x_m = (x + x')/2 and
//! v_m = (v + v')/2.
//!
//! Order 2, symplectic, stable at any step size on an undamped oscillator, whose amplitude is
//! constant. This holds for small motions. Stiff springs that rotate far within a step gain energy,
//! for example with one step per frame on the example rope. Implicit Euler is suitable for such
//! steps.
//!
//! The unknown is δ = v_m - v. Newton's method finds the root of R = M δ - h/2 f(x + h/2 (v + δ),
//! v + δ); its matrix is M - h/2 D - h²/4 K. A correction is halved until the next correction with
//! the same matrix is smaller. Unlike a test of the residual, this natural monotonicity test
//! tolerates the quick stretching of a stiff spring. If the test fails, the matrix omits the
//! transverse stiffness of compressed springs. The method has converged when a correction moves
//! positions by less than the tolerance times their size. Sources: Hairer, Lubich, Wanner,
//! "Geometric Numerical Integration", II.1; Deuflhard 2004, "Newton Methods for Nonlinear
//! Problems", 3.3.

use crate::body::{Model, State, vector::norm};
use crate::budget::Cost;
use crate::force::System;
use crate::linear::{Kind, Limits, LinearSystem, Weights};
use crate::method::StepReport;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;

/// The method, with the limits of Newton's method.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImplicitMidpoint {
    /// Maximum correction of positions at convergence, relative to their size; 1e-15 to 0.1.
    pub tolerance: f64,
    /// Maximum number of corrections per step, 1 to 1000000.
    pub iterations: u64,
}
crate::identity!(ImplicitMidpoint { tolerance, iterations });

impl Default for ImplicitMidpoint {
    fn default() -> Self {
        Self { tolerance: 1e-12, iterations: 50 }
    }
}

const TOLERANCE: OptionInfo = OptionInfo {
    name: "tolerance",
    summary: "relative correction of positions at which Newton's method stops",
    default: "1e-12",
    range: "a number from 1e-15 to 0.1",
    ..OptionInfo::PLAIN
};

const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    summary: "maximum number of Newton iterations per step",
    default: "50",
    range: "a whole number from 1 to 1000000",
    ..OptionInfo::PLAIN
};

/// Limits of an iterative linear solver. Newton's method corrects the remaining error.
const INNER: Limits = Limits { tolerance: 1e-6, iterations: 1000 };

/// Cost of the forces and a linear system at one point; each correction needs two of these.
const TRIAL: Cost = Cost { solutions: 1, ..Cost::evaluations(1) };

/// Maximum number of times that a correction is halved.
const HALVINGS: u32 = 6;

impl ImplicitMidpoint {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "ImplicitMidpoint",
        title: "Implicit midpoint",
        summary: "solves for the midpoint of the step; small oscillations neither grow nor decay at any step size",
        order: Some(2),
        damped_order: Some(2),
        limit: Some(f64::INFINITY),
        holds_lengths: false,
        velocity_carries: true,
        options: &[TOLERANCE, ITERATIONS],
    };
}

impl Method for ImplicitMidpoint {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost { is_open: true, ..TRIAL.times(2) }
    }

    fn check(&self) -> Result<(), BadOption> {
        TOLERANCE.check((1e-15..=0.1).contains(&self.tolerance))?;
        ITERATIONS.check((1..=1_000_000).contains(&self.iterations))
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        let zeros = vec![0.0; initial.x.len()];
        Box::new(ImplicitMidpointState {
            options: self.clone(),
            linear: LinearSystem::new(model, INNER),
            middle: initial.clone(),
            delta: zeros.clone(),
            correction: zeros.clone(),
            next: zeros.clone(),
            trial: zeros.clone(),
            residual: zeros,
            report: StepReport::one(dt),
        })
    }
}

struct ImplicitMidpointState {
    options: ImplicitMidpoint,
    linear: LinearSystem,
    /// State at the middle of the step, for the last evaluated δ.
    middle: State,
    delta: Vec<f64>,
    correction: Vec<f64>,
    /// The correction that follows `trial`.
    next: Vec<f64>,
    trial: Vec<f64>,
    /// Negative residual, -R.
    residual: Vec<f64>,
    report: StepReport,
}

/// Result of a correction.
enum Outcome {
    /// The correction is within the tolerance and was applied.
    Converged,
    /// The correction was applied, but is not within the tolerance.
    Made,
    /// No fraction of the correction improves the result. The smallest fraction was tried last.
    Useless,
    /// No correction exists: numbers are not finite, or the matrix is singular.
    Failed,
}

impl ImplicitMidpointState {
    /// Computes the middle of the step and -R for δ in `trial`.
    fn evaluate(&mut self, system: &System<'_>, start: &State, dt: f64) {
        let model = system.model;
        let n = model.nodes();
        let Self { middle, trial, residual, .. } = self;
        middle.t = start.t + 0.5 * dt;
        let starts = start.x.iter().zip(&start.v).zip(&*trial);
        let ends = middle.x.iter_mut().zip(&mut middle.v);
        for (((start_x, start_v), delta), (x, v)) in starts.zip(ends) {
            *v = start_v + delta;
            *x = start_x + 0.5 * dt * *v;
        }
        system.hold(middle);
        system.accelerations(middle, residual);
        for (residual, trial) in residual.chunks_exact_mut(n).zip(trial.chunks_exact(n)) {
            let nodes = model.mass.iter().zip(&model.pinned);
            for ((residual, trial), (mass, is_pinned)) in residual.iter_mut().zip(trial).zip(nodes)
            {
                let excess = 0.5 * dt * *residual - trial;
                *residual = if *is_pinned { 0.0 } else { mass * excess };
            }
        }
    }

    /// Whether a correction of velocities moves positions by less than the tolerance.
    fn is_small(&self, correction: f64, dt: f64) -> bool {
        let size = norm(&self.middle.x) + 0.5 * dt * norm(&self.middle.v);
        0.5 * dt * correction <= self.options.tolerance * size
    }

    /// Performs one correction of Newton's method. `middle` and `residual` belong to `delta` before
    /// and after it.
    fn correct(&mut self, system: &System<'_>, start: &State, dt: f64, kind: Kind) -> Outcome {
        let weights = Weights { by_v: 0.5 * dt, by_x: 0.25 * dt * dt };
        self.linear.assemble(system, &self.middle, weights, kind, None);
        let is_exact = self.linear.solve_for(system, &self.residual, &mut self.correction);
        let size = norm(&self.correction);
        if !size.is_finite() || (!is_exact && kind == Kind::Full) {
            return Outcome::Failed;
        }
        if self.is_small(size, dt) {
            self.try_share(1.0);
            self.delta.copy_from_slice(&self.trial);
            return Outcome::Converged;
        }
        let mut share = 1.0;
        for _ in 0..=HALVINGS {
            self.try_share(share);
            self.evaluate(system, start, dt);
            self.linear.solve_for(system, &self.residual, &mut self.next);
            let next = norm(&self.next);
            if next <= (1.0 - 0.25 * share) * size {
                self.delta.copy_from_slice(&self.trial);
                if share == 1.0 && self.is_small(next, dt) {
                    self.delta.iter_mut().zip(&self.next).for_each(|(delta, next)| *delta += next);
                    return Outcome::Converged;
                }
                return Outcome::Made;
            }
            share *= 0.5;
            if !system.charge(TRIAL) {
                return Outcome::Failed;
            }
        }
        Outcome::Useless
    }

    /// Computes trial = delta + share · correction.
    fn try_share(&mut self, share: f64) {
        for ((trial, delta), correction) in
            self.trial.iter_mut().zip(&self.delta).zip(&self.correction)
        {
            *trial = delta + share * correction;
        }
    }

    /// Solves for δ by Newton's method. Returns whether it converged.
    fn solve(&mut self, system: &System<'_>, start: &State, dt: f64) -> bool {
        self.delta.fill(0.0);
        self.trial.fill(0.0);
        self.evaluate(system, start, dt);
        for iteration in 0..self.options.iterations {
            if iteration > 0 && !system.charge(TRIAL.times(2)) {
                return false;
            }
            let mut outcome = self.correct(system, start, dt, Kind::Full);
            if matches!(outcome, Outcome::Useless | Outcome::Failed) {
                self.trial.copy_from_slice(&self.delta);
                self.evaluate(system, start, dt);
                outcome = self.correct(system, start, dt, Kind::Definite);
            }
            match outcome {
                Outcome::Converged => return true,
                Outcome::Made => {}
                // Without a change the next attempt would fail again. A small step may reach a
                // point from which Newton's method converges.
                Outcome::Useless => self.delta.copy_from_slice(&self.trial),
                Outcome::Failed => return false,
            }
        }
        false
    }
}

impl Integrator for ImplicitMidpointState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let converged = self.solve(system, state, dt);
        self.report = StepReport { unconverged: u64::from(!converged), ..StepReport::one(dt) };
        for ((x, v), delta) in state.x.iter_mut().zip(&mut state.v).zip(&self.delta) {
            *x += dt * (*v + delta);
            *v += 2.0 * delta;
        }
        state.t += dt;
        system.hold(state);
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }
}

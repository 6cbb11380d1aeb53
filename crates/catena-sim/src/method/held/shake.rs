//! SHAKE: Störmer's method for a body whose springs are rigid rods. After the step without
//! springs, v' = v + a dt, x' = x + v' dt, corrections go on until every rod has its length.
//!
//! Sweeps go over the rods in order. With s = x_b - x_a now, r the same at the start of the step
//! and inverse masses w, δ = (|s|² - l²) / (2 (w_a + w_b) s·r), x_a += w_a δ r, x_b -= w_b δ
//! r. Lengths are exact when every | |s|² - l² | ≤ 2 tolerance l². Corrections point along the
//! old rods, as the forces of the rods do in Störmer's recurrence; this is why energy does not
//! drift. A chain of n rods needs about n² sweeps for each decimal digit. A rod whose s·r is
//! almost 0 has turned by a right angle within the step and is left alone; such a step, or one that
//! needs more sweeps than allowed, is reported as not converged, and so is a taut chain between two
//! pins. The velocity is that of the middle of the last step, (x' - x)/dt. Springs set no stability
//! limit. Source: Ryckaert, Ciccotti, Berendsen 1977.

use super::{
    projection::{Correction, Projection, ProjectionState},
    reaction::Listener,
};
use crate::body::{Model, Spring, State, vector::dot};
use crate::budget::Cost;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;

/// The method, its accuracy and its most sweeps.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shake {
    /// Greatest relative error of a length, above 0.
    pub tolerance: f64,
    /// Greatest number of sweeps in a step, at least 1.
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

/// Least s·r over l² of a rod that can be corrected.
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

    fn start(&self, model: &Model, _initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let correction = ShakeCorrection { tolerance: self.tolerance, iterations: self.iterations };
        Box::new(ProjectionState::new(correction, model))
    }
}

struct ShakeCorrection {
    tolerance: f64,
    iterations: u32,
}

/// The result of a sweep.
#[derive(Clone, Copy, Default)]
struct Sweep {
    /// Whether it corrected a rod.
    has_moved: bool,
    /// Whether it left a rod alone that is not exact.
    is_stuck: bool,
}

impl ShakeCorrection {
    /// |s|² - l², and whether that is exact enough.
    fn excess(&self, length: f64, rest_length: f64) -> (f64, bool) {
        let square = rest_length * rest_length;
        let excess = length * length - square;
        (excess, excess.abs() <= 2.0 * self.tolerance * square)
    }

    fn sweep(
        &self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> Sweep {
        let model = projection.system.model;
        let mut sweep = Sweep::default();
        for (_, rod, weight) in projection.movable() {
            let (s, length) = model.span(x, rod);
            let (excess, is_exact) = self.excess(length, rod.rest_length);
            if is_exact {
                continue;
            }
            let r = model.span(projection.start, rod).0;
            let along = dot(s, r);
            // Numbers that are not finite end here too.
            if along.is_nan() || along <= LEAST_ALONG * rod.rest_length * rod.rest_length {
                sweep.is_stuck = true;
                continue;
            }
            let amount = excess / (2.0 * weight * along);
            projection.shift(x, rod, &r, amount, listener);
            sweep.has_moved = true;
        }
        sweep
    }
}

impl Correction for ShakeCorrection {
    /// Sweeps until every length is exact.
    fn correct(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool {
        let system = projection.system;
        for _ in 0..self.iterations {
            let sweep = self.sweep(projection, x, listener);
            if !sweep.has_moved {
                return !sweep.is_stuck;
            }
            if !system.goes_on(Cost::SWEEP) {
                return false;
            }
        }
        let is_exact = |rod: &Spring| self.excess(system.model.span(x, rod).1, rod.rest_length).1;
        projection.movable().all(|(_, rod, _)| is_exact(rod))
    }
}

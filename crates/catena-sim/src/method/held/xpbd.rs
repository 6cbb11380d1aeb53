//! Extended position based dynamics. Springs yield according to their compliance α, the inverse of
//! a stiffness, independently of iterations and dt.
//!
//! Each of `substeps` steps of h = dt/substeps predicts v' = v + a h, x' = x + v' h and then sweeps
//! `iterations` times over all springs in order. Let C = L - l, α̃ = α/h², u = (x_b - x_a)/L and w
//! be the inverse masses. The paper has Δλ = (-C - α̃ λ)/(w_a + w_b + α̃), x_b += w_b Δλ u, x_a -=
//! w_a Δλ u. λ is 0 at the start of each step, not of each iteration. This code uses the tension
//! T = -λ/h²: ΔT = (C - α T)/(h² (w_a + w_b) + α), whose quotient cannot overflow.
//!
//! At rest, each tension carries the weight below its spring, for any number of iterations. After
//! convergence, T = C/α and the body hangs like an elastic body. With fewer iterations it hangs
//! lower. The residual at the end of a substep, |C - α T| (the paper's |C + α̃ λ|), is the
//! difference between a spring's length and the length that its tension gives. A substep with a
//! residual above [`TOLERANCE`] of a rest length counts as unconverged.
//!
//! In time the method corresponds to implicit Euler: order 1 for the forces that it integrates,
//! stable at any dt, and damping. Springs follow Hooke's law; other laws have no effect. Sources:
//! Macklin, Müller, Chentanez 2016, "XPBD"; substeps: Macklin et al. 2019, "Small Steps in Physics
//! Simulation".

use super::{
    projection::{Correction, ITERATIONS, Projection, ProjectionState, Sweeps},
    reaction::Listener,
    routes::{self, Hold},
    tether::{TETHERS, Tethers},
};
use crate::body::{Model, Spring, State};
use crate::budget::{Cost, Sweeping};
use crate::kernel::Law;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;
use std::sync::Arc;

/// The method and its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Xpbd {
    /// Compliance of every spring, length per force, at least 0. `None` uses the inverse of each
    /// spring's stiffness.
    pub compliance: Option<f64>,
    /// Number of sweeps per substep, at least 1.
    pub iterations: u32,
    /// Number of substeps per step, at least 1.
    pub substeps: u32,
    /// Whether long-range tethers hold nodes to their pins, so that the body cannot be longer than
    /// at rest.
    pub tethers: bool,
}
crate::identity!(Xpbd { compliance, iterations, substeps, tethers });

impl Default for Xpbd {
    fn default() -> Self {
        Self { compliance: None, iterations: 10, substeps: 1, tethers: false }
    }
}

const COMPLIANCE: OptionInfo = OptionInfo {
    name: "compliance",
    summary: "compliance of every spring: stretch per force; if omitted, the inverse of each spring's stiffness",
    default: OptionInfo::LEFT_OUT,
    range: "a number of at least 0",
    unit: "length/force",
    ..OptionInfo::PLAIN
};

const SUBSTEPS: OptionInfo = OptionInfo {
    name: "substeps",
    summary: "number of substeps per step",
    default: "1",
    range: "a whole number of at least 1",
    ..OptionInfo::PLAIN
};

/// Maximum |C - α T| of a converged spring, relative to its rest length. Lengths are then accurate
/// to a thousandth: less than a pixel for a body drawn a thousand pixels long.
const TOLERANCE: f64 = 1e-3;

impl Xpbd {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Xpbd",
        title: "XPBD",
        summary: "PBD with compliant springs: matches an elastic rope once iterations have converged, and stretches more before that",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: false,
        velocity_carries: true,
        options: &[COMPLIANCE, ITERATIONS, SUBSTEPS, TETHERS],
    };
}

impl Method for Xpbd {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::sweeps(
            u64::from(self.iterations) * (1 + u64::from(self.tethers)),
            Sweeping::Iterations,
        )
        .times(u64::from(self.substeps))
    }

    fn check(&self) -> Result<(), BadOption> {
        COMPLIANCE.check(self.compliance.is_none_or(|alpha| alpha >= 0.0 && alpha.is_finite()))?;
        ITERATIONS.check(self.iterations >= 1)?;
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

    fn iterations(&self) -> Option<u32> {
        Some(self.iterations)
    }

    fn with_iterations(&self, iterations: u32) -> Option<Arc<dyn Method>> {
        Some(Arc::new(Self { iterations, ..self.clone() }))
    }

    fn start(&self, model: &Model, _initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let compliance = |spring: &Spring| self.compliance.unwrap_or(1.0 / spring.stiffness);
        let correction = XpbdCorrection {
            iterations: self.iterations,
            substeps: self.substeps,
            compliance: model.held().iter().map(compliance).collect(),
            tension: vec![0.0; model.held],
            tethers: self.tethers.then(|| Tethers::new(model)),
            is_rigid: self.holds_lengths(),
        };
        Box::new(ProjectionState::new(correction, model))
    }
}

struct XpbdCorrection {
    iterations: u32,
    substeps: u32,
    /// α of each held spring.
    compliance: Vec<f64>,
    /// T of each held spring in the last substep.
    tension: Vec<f64>,
    tethers: Option<Tethers>,
    /// Whether routes are rigid.
    is_rigid: bool,
}

impl XpbdCorrection {
    /// Performs one sweep over all springs. A spring of length 0 has no direction and is skipped.
    fn sweep(&mut self, projection: &Projection<'_>, x: &mut [f64], listener: &mut impl Listener) {
        let square = projection.h * projection.h;
        for (j, spring, weight) in projection.movable() {
            let (d, length) = projection.system.model.span(x, spring);
            if length == 0.0 {
                continue;
            }
            let (alpha, tension) = (self.compliance[j], &mut self.tension[j]);
            let excess = length - spring.rest_length;
            let change = (excess - alpha * *tension) / (square * weight + alpha);
            *tension += change;
            let amount = square * change / length;
            projection.shift(x, spring, &d, amount, listener);
        }
    }

    /// Whether the length of each movable spring matches its tension. Non-finite numbers have not
    /// converged.
    fn has_converged(&self, projection: &Projection<'_>, x: &[f64]) -> bool {
        projection.movable().all(|(j, spring, _)| {
            let excess = projection.system.model.span(x, spring).1 - spring.rest_length;
            let residual = excess - self.compliance[j] * self.tension[j];
            residual.abs() <= TOLERANCE * spring.rest_length
        })
    }
}

impl Correction for XpbdCorrection {
    fn substeps(&self) -> u32 {
        self.substeps
    }

    fn correct(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool {
        self.tension.fill(0.0);
        let (mut tensions, is_rigid) = (Vec::new(), self.is_rigid);
        for _ in 0..self.iterations {
            self.sweep(projection, x, listener);
            if let Some(tethers) = &mut self.tethers {
                tethers.apply(projection.system, x, listener);
            }
            let mut how = if is_rigid { Hold::Rigid } else { Hold::Elastic(&mut tensions) };
            routes::hold(projection, x, &mut how, listener);
        }
        self.has_converged(projection, x)
    }

    fn sweeps(&mut self) -> Option<Sweeps<'_>> {
        let Self { iterations, compliance, tension, tethers, .. } = self;
        let law = Law::Compliance(compliance, TOLERANCE);
        tethers.is_none().then_some(Sweeps { iterations: *iterations, law, tension })
    }

    fn tensions(&self) -> Option<&[f64]> {
        Some(&self.tension)
    }
}

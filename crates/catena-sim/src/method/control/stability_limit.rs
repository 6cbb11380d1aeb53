//! Divides steps into equal substeps below the stability limit, like a CFL condition.
//!
//! At the start of each step of the scene the control finds the highest mode of the body, u'' + γ
//! u' + ω² u = 0 (see spectrum.rs). With the limit λ of the method on the imaginary axis, the
//! maximum step is h = 2λ/(γ + √(γ² + 4ω²)). Without damping this is λ/ω. For λ = 2 it is the exact
//! limit of semi-implicit Euler with friction at the old velocity. The number of substeps is
//! dt/(safety · h), rounded up, at most 65536; a step that needs more counts as unconverged.
//!
//! The safety factor allows for states that become stiffer within a step. With strong damping a
//! method's limit may be smaller than h. equal_substeps.rs takes the substeps. Source: Courant,
//! Friedrichs, Lewy 1928.

use super::equal_substeps::{EqualSubsteps, SubstepRule};
use super::{Misfit, StepControl};
use crate::body::{Model, State};
use crate::force::System;
use crate::linear::spectrum;
use crate::method::{Integrator, Method};
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;
use std::sync::Arc;

/// The control, with its safety factor.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StabilityLimit {
    /// Fraction of the maximum stable step, above 0 and at most 1.
    pub safety: f64,
}
crate::identity!(StabilityLimit { safety });

impl Default for StabilityLimit {
    fn default() -> Self {
        Self { safety: 0.9 }
    }
}

const SAFETY: OptionInfo = OptionInfo {
    name: "safety",
    summary: "step size as a fraction of the longest stable step",
    default: "0.9",
    range: "a number above 0, at most 1",
    ..OptionInfo::PLAIN
};

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
            Some(0.0) => {
                "undamped oscillations grow at every step size, so no step is short enough"
            }
            Some(limit) if limit.is_infinite() => {
                "it is stable at every step size, so the control would have no effect"
            }
            Some(_) => return Ok(()),
        };
        let help = "remove `step_control` and set `substeps`, or choose a method with a limit \
                    above 0, such as VelocityVerlet";
        Err(Misfit { why, help })
    }

    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let rule = SafeLimit(self.safety * method.info().limit.unwrap_or(0.0));
        Box::new(EqualSubsteps::new(rule, method, model, initial, dt))
    }
}

/// Fraction of the method's limit that is used, as ωdt.
struct SafeLimit(f64);

impl SubstepRule for SafeLimit {
    fn wanted(&self, system: &System<'_>, state: &State, dt: f64) -> f64 {
        let found = spectrum::largest_frequency_within(system, state, EXACT);
        let longest = spectrum::semi_implicit_limit(found.omega, found.damping.max(0.0));
        dt / (0.5 * self.0 * longest)
    }
}

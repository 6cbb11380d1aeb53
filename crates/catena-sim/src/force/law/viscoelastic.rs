//! A spring that creeps: the standard linear solid, T = k l (ε - p), with the creep strain p.
//!
//! A spring of stiffness k is in series with a spring and a damper that are parallel to each other.
//! A constant tension causes the strain ε₀ at once. The strain then grows as ε₀ (1 + c (1 -
//! exp(-t/τ))), with the creep ratio c and the time τ. At a constant length, p moves towards
//! c ε/(1 + c) with the rate (1 + c)/τ, and the tension relaxes to 1/(1 + c) of its first value. p
//! is updated once per step by the exact solution at constant length. Source: Findley, Lai, Onaran,
//! "Creep and Relaxation of Nonlinear Viscoelastic Materials", chapter 5.

use super::SpringLaw;
use crate::body::Spring;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The law, with its creep ratio and its time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Viscoelastic {
    /// c: creep under a constant tension as a share of the initial strain, above 0.
    pub creep: f64,
    /// τ: time in which 63 % of the creep happens, above 0.
    pub time: f64,
}
crate::identity!(Viscoelastic { creep, time });

const CREEP: OptionInfo = OptionInfo {
    name: "creep",
    summary: "creep under a constant tension, as a fraction of the initial strain",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e6",
    ..OptionInfo::PLAIN
};

const TIME: OptionInfo = OptionInfo {
    name: "time",
    summary: "time after which 63 % of the creep has happened",
    default: OptionInfo::NEEDED,
    range: "a finite number above 0",
    unit: "time",
    ..OptionInfo::PLAIN
};

impl Viscoelastic {
    pub(super) const INFO: Info = Info {
        name: "Viscoelastic",
        summary: "standard linear solid: creeps under tension and relaxes at constant length",
        options: &[CREEP, TIME],
    };
}

impl SpringLaw for Viscoelastic {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        CREEP.check(self.creep > 0.0 && self.creep <= 1e6)?;
        TIME.check(self.time > 0.0 && self.time.is_finite())
    }

    fn tension(&self, spring: &Spring, length: f64, plastic: f64) -> f64 {
        spring.stiffness * (length - spring.rest_length * (1.0 + plastic))
    }

    fn slope(&self, spring: &Spring, _length: f64, _plastic: f64) -> f64 {
        spring.stiffness
    }

    /// Includes the energy k l² p²/(2c) of the spring that is parallel to the damper.
    fn energy(&self, spring: &Spring, length: f64, plastic: f64) -> f64 {
        let stretch = length - spring.rest_length * (1.0 + plastic);
        let crept = spring.rest_length * plastic;
        0.5 * spring.stiffness * (stretch * stretch + crept * crept / self.creep)
    }

    /// Assumes a slow pull, which takes the minimum tension and work because the spring is relaxed
    /// at all times.
    fn pulled_out(&self, spring: &Spring, length: f64) -> (f64, f64) {
        let slow = spring.stiffness / (1.0 + self.creep);
        let stretch = length - spring.rest_length;
        (slow * stretch, 0.5 * slow * stretch * stretch)
    }

    fn flows(&self) -> bool {
        true
    }

    fn flow(&self, spring: &Spring, length: f64, plastic: f64, dt: f64) -> f64 {
        let strain = (length - spring.rest_length) / spring.rest_length;
        let end = self.creep * strain / (1.0 + self.creep);
        end + (plastic - end) * libm::exp(-dt * (1.0 + self.creep) / self.time)
    }
}

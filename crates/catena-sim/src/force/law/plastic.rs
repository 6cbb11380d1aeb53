//! A spring that yields: T = k l (ε - p) with the plastic strain p.
//!
//! The elastic strain ε - p stays within y of h p, with the yield strain y and the hardening h.
//! This is linear kinematic hardening (Prager 1949): an extended spring yields earlier under
//! compression. Unloading is elastic, with the slope k. p is updated once per step, after the step,
//! by return mapping (Simo and Hughes, "Computational Inelasticity", 1.4).

use super::SpringLaw;
use crate::body::Spring;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The law, with its yield strain and its hardening.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plastic {
    /// Elastic strain at the start of yielding, above 0.
    pub yield_strain: f64,
    /// h: increase of the elastic strain at yield per unit of plastic strain, at least 0.
    pub hardening: f64,
}
crate::identity!(Plastic { yield_strain, hardening });

impl Default for Plastic {
    fn default() -> Self {
        Self { yield_strain: 0.05, hardening: 0.1 }
    }
}

const YIELD_STRAIN: OptionInfo = OptionInfo {
    name: "yield_strain",
    summary: "elastic strain at which the spring yields",
    default: "0.05",
    range: "a number above 0",
    ..OptionInfo::PLAIN
};

const HARDENING: OptionInfo = OptionInfo {
    name: "hardening",
    summary: "increase of the yield strain per unit of plastic strain",
    default: "0.1",
    range: "a number of at least 0",
    ..OptionInfo::PLAIN
};

impl Plastic {
    pub(super) const INFO: Info = Info {
        name: "Plastic",
        summary: "Hooke's law up to a yield strain, then plastic strain with hardening",
        options: &[YIELD_STRAIN, HARDENING],
    };
}

impl SpringLaw for Plastic {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        YIELD_STRAIN.check(self.yield_strain > 0.0 && self.yield_strain.is_finite())?;
        HARDENING.check(self.hardening >= 0.0 && self.hardening.is_finite())
    }

    fn tension(&self, spring: &Spring, length: f64, plastic: f64) -> f64 {
        spring.stiffness * (length - spring.rest_length * (1.0 + plastic))
    }

    fn slope(&self, spring: &Spring, _length: f64, _plastic: f64) -> f64 {
        spring.stiffness
    }

    fn energy(&self, spring: &Spring, length: f64, plastic: f64) -> f64 {
        let stretch = length - spring.rest_length * (1.0 + plastic);
        0.5 * spring.stiffness * stretch * stretch
    }

    /// Beyond the yield strain y the tension increases with h/(1 + h) of the elastic slope.
    fn pulled_out(&self, spring: &Spring, length: f64) -> (f64, f64) {
        let strain = (length - spring.rest_length) / spring.rest_length;
        let scale = spring.stiffness * spring.rest_length;
        let elastic = strain.min(self.yield_strain);
        let flowing = (strain - self.yield_strain).max(0.0);
        let slope = self.hardening / (1.0 + self.hardening);
        let tension = scale * (elastic + slope * flowing);
        let area = 0.5 * elastic * elastic + elastic * flowing + 0.5 * slope * flowing * flowing;
        (tension, scale * spring.rest_length * area)
    }

    fn flows(&self) -> bool {
        true
    }

    fn flow(&self, spring: &Spring, length: f64, plastic: f64, _dt: f64) -> f64 {
        let strain = (length - spring.rest_length) / spring.rest_length;
        let shifted = strain - plastic - self.hardening * plastic;
        let excess = shifted.abs() - self.yield_strain;
        if excess <= 0.0 {
            return plastic;
        }
        // Each unit of flow reduces the elastic strain by 1 and shifts the centre by h.
        let step = excess / (1.0 + self.hardening);
        if shifted > 0.0 { plastic + step } else { plastic - step }
    }
}

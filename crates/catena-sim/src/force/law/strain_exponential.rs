//! The exponential spring in the form of lecture notes: T = k ε exp(α ε) with ε = (L - l)/l.
//!
//! Here k is a force, so springs of different lengths and the same k have the same strain under the
//! same tension. The exponent has the sign of the strain. A compressed spring therefore softens,
//! and beyond ε = -1/α its force decreases. In [`Exponential`](super::exponential::Exponential), k
//! is a force per length, and compression stiffens like tension. With the stiffness k/l for
//! segments of length l, `Exponential` has the same tension in an extended rope.
//!
//! The energy is k l ((s - 1) exp(s) + 1)/α² with s = α ε.

use super::SpringLaw;
use crate::body::Spring;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The law, with its rate of stiffening.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StrainExponential {
    /// α, from 0 to 100.
    pub alpha: f64,
}
crate::identity!(StrainExponential { alpha });

impl Default for StrainExponential {
    fn default() -> Self {
        Self { alpha: 1.0 }
    }
}

const ALPHA: OptionInfo = OptionInfo {
    name: "alpha",
    summary: "α: rate of stiffening in tension and of softening in compression",
    default: "1",
    range: "a number from 0 to 100",
    ..OptionInfo::PLAIN
};

impl StrainExponential {
    pub(super) const INFO: Info = Info {
        name: "StrainExponential",
        summary: "tension k ε exp(α ε), as lecture notes print it, where k is a force; Exponential \
                  has k as a force per length",
        options: &[ALPHA],
    };
}

fn strain(spring: &Spring, length: f64) -> f64 {
    (length - spring.rest_length) / spring.rest_length
}

impl SpringLaw for StrainExponential {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        ALPHA.check((0.0..=100.0).contains(&self.alpha))
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = strain(spring, length);
        spring.stiffness * strain * libm::exp(self.alpha * strain)
    }

    fn slope(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let size = self.alpha * strain(spring, length);
        spring.stiffness * (1.0 + size) * libm::exp(size) / spring.rest_length
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = strain(spring, length);
        let size = self.alpha * strain;
        let scale = spring.stiffness * spring.rest_length;
        // Near 0 the closed form subtracts almost equal numbers; the series is accurate there.
        if size.abs() < 1e-3 {
            scale
                * strain
                * strain
                * (0.5 + size / 3.0 + size * size / 8.0 + size * size * size / 30.0)
        } else {
            scale * ((size - 1.0) * libm::exp(size) + 1.0) / (self.alpha * self.alpha)
        }
    }
}

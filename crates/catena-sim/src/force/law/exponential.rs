//! A spring that stiffens with strain: T = k ε exp(α|ε|) l with ε = (L - l)/l.
//!
//! For small strains the law tends to Hooke's law. The energy is k l² ((α|ε| - 1) exp(α|ε|) +
//! 1)/α².

use super::{SpringLaw, Tensions, exp::exp_in_place};
use crate::body::Spring;
use crate::instructions::Instructions;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The law, with its rate of stiffening.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Exponential {
    /// α, from 0 to 100.
    pub alpha: f64,
}
crate::identity!(Exponential { alpha });

impl Default for Exponential {
    fn default() -> Self {
        Self { alpha: 1.0 }
    }
}

const ALPHA: OptionInfo = OptionInfo {
    name: "alpha",
    summary: "α: rate of stiffening",
    default: "1",
    range: "a number from 0 to 100",
    ..OptionInfo::PLAIN
};

impl Exponential {
    pub(super) const INFO: Info = Info {
        name: "Exponential",
        summary: "tension k ε exp(α|ε|) l with the strain ε: stiffer at larger strains",
        options: &[ALPHA],
    };
}

#[inline(always)]
fn strain(spring: &Spring, length: f64) -> f64 {
    (length - spring.rest_length) / spring.rest_length
}

impl SpringLaw for Exponential {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        ALPHA.check((0.0..=100.0).contains(&self.alpha))
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = strain(spring, length);
        spring.stiffness * strain * libm::exp(self.alpha * strain.abs()) * spring.rest_length
    }

    fn tensions(&self, springs: &Tensions<'_>, out: &mut [f64]) {
        Instructions::best().run(
            #[inline(always)]
            || {
                springs.each(out, |spring, length, _| self.alpha * strain(spring, length).abs());
                exp_in_place(out);
                // `out` holds the exponential of each spring at this point.
                springs.change(out, |spring, length, exp| {
                    spring.stiffness * strain(spring, length) * exp * spring.rest_length
                });
            },
        );
    }

    fn slope(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let size = self.alpha * ((length - spring.rest_length) / spring.rest_length).abs();
        spring.stiffness * (1.0 + size) * libm::exp(size)
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = ((length - spring.rest_length) / spring.rest_length).abs();
        let size = self.alpha * strain;
        let scale = spring.stiffness * spring.rest_length * spring.rest_length;
        // Near 0 the closed form subtracts almost equal numbers; the series is accurate there.
        if size < 1e-3 {
            scale
                * strain
                * strain
                * (0.5 + size / 3.0 + size * size / 8.0 + size * size * size / 30.0)
        } else {
            scale * ((size - 1.0) * libm::exp(size) + 1.0) / (self.alpha * self.alpha)
        }
    }
}

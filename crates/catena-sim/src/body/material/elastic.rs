//! A material defined by its numbers.

use super::Material;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// Young's modulus, density, Poisson's ratio and loss factor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elastic {
    /// Young's modulus E, force per area; above 0.
    pub young: f64,
    /// Density ρ, mass per volume; above 0.
    pub density: f64,
    /// Poisson's ratio ν, above -1 and at most 0.5.
    #[serde(default)]
    pub poisson: f64,
    /// Loss factor η, from 0 to 2.
    #[serde(default)]
    pub loss_factor: f64,
}

const YOUNG: OptionInfo = OptionInfo {
    name: "young",
    summary: "Young's modulus, force per area",
    default: OptionInfo::NEEDED,
    range: "a number above 0",
    unit: "force/length²",
    ..OptionInfo::PLAIN
};

const DENSITY: OptionInfo = OptionInfo {
    name: "density",
    summary: "mass per volume",
    default: OptionInfo::NEEDED,
    range: "a number above 0",
    unit: "mass/length³",
    ..OptionInfo::PLAIN
};

const POISSON: OptionInfo = OptionInfo {
    name: "poisson",
    summary: "Poisson's ratio, for the shear springs of a cloth",
    default: "0",
    range: "a number above -1, at most 0.5",
    ..OptionInfo::PLAIN
};

const LOSS_FACTOR: OptionInfo = OptionInfo {
    name: "loss_factor",
    summary: "loss factor of oscillations, for `material_damping`",
    default: "0",
    range: "a number from 0 to 2",
    ..OptionInfo::PLAIN
};

impl Elastic {
    pub(super) const INFO: Info = Info {
        name: "Elastic",
        summary: "any material, given by its constants",
        options: &[YOUNG, DENSITY, POISSON, LOSS_FACTOR],
    };
}

impl Material for Elastic {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn young(&self) -> f64 {
        self.young
    }

    fn density(&self) -> f64 {
        self.density
    }

    fn poisson(&self) -> f64 {
        self.poisson
    }

    fn loss_factor(&self) -> f64 {
        self.loss_factor
    }

    fn check(&self) -> Result<(), BadOption> {
        YOUNG.check(self.young > 0.0 && self.young.is_finite())?;
        DENSITY.check(self.density > 0.0 && self.density.is_finite())?;
        POISSON.check(self.poisson > -1.0 && self.poisson <= 0.5)?;
        LOSS_FACTOR.check((0.0..=2.0).contains(&self.loss_factor))
    }
}

//! A material defined by its modulus and density.

use super::Material;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// Young's modulus and density.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elastic {
    /// Young's modulus E, force per area; above 0.
    pub young: f64,
    /// Density ρ, mass per volume; above 0.
    pub density: f64,
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

impl Elastic {
    pub(super) const INFO: Info = Info {
        name: "Elastic",
        summary: "any material, given by its constants",
        options: &[YOUNG, DENSITY],
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

    fn check(&self) -> Result<(), BadOption> {
        YOUNG.check(self.young > 0.0 && self.young.is_finite())?;
        DENSITY.check(self.density > 0.0 && self.density.is_finite())
    }
}

//! Cotton: E = 5e9 Pa, ρ = 1500 kg/m³.

use super::Material;
use crate::named::Info;
use serde::Deserialize;

/// The material; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cotton {}

impl Cotton {
    pub(super) const INFO: Info =
        Info { name: "Cotton", summary: "5 GPa, 1500 kg/m³", options: &[] };
}

impl Material for Cotton {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn young(&self) -> f64 {
        5e9
    }

    fn density(&self) -> f64 {
        1500.0
    }
}

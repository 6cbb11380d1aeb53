//! Rubber: E = 0.01e9 Pa, ρ = 1000 kg/m³.

use super::Material;
use crate::named::Info;
use serde::Deserialize;

/// The material; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubber {}

impl Rubber {
    pub(super) const INFO: Info =
        Info { name: "Rubber", summary: "0.01 GPa, 1000 kg/m³", options: &[] };
}

impl Material for Rubber {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn young(&self) -> f64 {
        0.01e9
    }

    fn density(&self) -> f64 {
        1000.0
    }
}

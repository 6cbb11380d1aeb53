//! Steel: E = 200e9 Pa, ρ = 7850 kg/m³.

use super::Material;
use crate::named::Info;
use serde::Deserialize;

/// The material; it has no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steel {}

impl Steel {
    pub(super) const INFO: Info =
        Info { name: "Steel", summary: "200 GPa, 7850 kg/m³", options: &[] };
}

impl Material for Steel {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn young(&self) -> f64 {
        200e9
    }

    fn density(&self) -> f64 {
        7850.0
    }
}

//! Named materials, one row each: Young's modulus E in Pa and density ρ in kg/m³.

use super::Material;
use crate::named::Info;
use serde::Deserialize;

/// Generates a struct, its `INFO` and its `Material` for each row. Scenes write the name of the
/// struct.
macro_rules! materials {
    ($($(#[$doc:meta])* $name:ident { summary: $summary:expr, young: $young:expr, density: $density:expr })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {}

        impl $name {
            pub(super) const INFO: Info =
                Info { name: stringify!($name), summary: $summary, options: &[] };
        }

        impl Material for $name {
            fn info(&self) -> Info {
                Self::INFO
            }

            fn young(&self) -> f64 {
                $young
            }

            fn density(&self) -> f64 {
                $density
            }
        }
    )+};
}

materials! {
    /// Steel.
    Steel { summary: "200 GPa, 7850 kg/m³", young: 200e9, density: 7850.0 }

    /// Rubber.
    Rubber { summary: "0.01 GPa, 1000 kg/m³", young: 0.01e9, density: 1000.0 }

    /// Cotton.
    Cotton { summary: "5 GPa, 1500 kg/m³", young: 5e9, density: 1500.0 }
}

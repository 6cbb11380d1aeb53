//! Named materials, one row each: Young's modulus E in Pa, density ρ in kg/m³, Poisson's ratio ν
//! and loss factor η.
//!
//! Sources: Gere and Goodno, "Mechanics of Materials", has ν from 0.27 to 0.30 for steel and from
//! 0.45 to 0.50 for rubber. The loss factor of steel is of the order of 1e-3 (NPTEL course
//! 112104040, table 9.1). Natural rubber has 0.02 to 0.10 (Gent, "Engineering with Rubber"). Cotton
//! has no standard values: its ν is typical of solids, and its η is 0.

use super::Material;
use crate::named::Info;
use serde::Deserialize;

/// Generates a struct, its `INFO` and its `Material` for each row. Scenes write the name of the
/// struct.
macro_rules! materials {
    ($($(#[$doc:meta])* $name:ident { summary: $summary:expr, young: $young:expr, density: $density:expr,
        poisson: $poisson:expr, loss_factor: $loss_factor:expr })+) => {$(
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

            fn poisson(&self) -> f64 {
                $poisson
            }

            fn loss_factor(&self) -> f64 {
                $loss_factor
            }
        }
    )+};
}

materials! {
    /// Steel.
    Steel {
        summary: "200 GPa, 7850 kg/m³, ν 0.3, loss factor 0.001",
        young: 200e9, density: 7850.0, poisson: 0.3, loss_factor: 1e-3
    }

    /// Rubber.
    Rubber {
        summary: "0.01 GPa, 1000 kg/m³, ν 0.49, loss factor 0.05",
        young: 0.01e9, density: 1000.0, poisson: 0.49, loss_factor: 0.05
    }

    /// Cotton.
    Cotton {
        summary: "5 GPa, 1500 kg/m³, ν 0.3, no standard loss factor",
        young: 5e9, density: 1500.0, poisson: 0.3, loss_factor: 0.0
    }
}

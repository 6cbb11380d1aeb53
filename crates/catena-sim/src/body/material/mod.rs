//! Materials: stiffness and mass of a rope with a given cross-section.
//!
//! A segment of length l and area A has the stiffness E A/l and the mass ρ A l. The `table!` call
//! below lists the materials. To add one, add a row in solids.rs and a line there.

mod elastic;
mod solids;

use crate::named::{BadOption, Info, table};
pub use elastic::Elastic;
pub use solids::{Cotton, Rubber, Steel};
use std::fmt::Debug;

/// Material of a rope.
pub trait Material: Debug + Send + Sync {
    /// Name and options of the material.
    fn info(&self) -> Info;

    /// Young's modulus E, force per area; above 0.
    fn young(&self) -> f64;

    /// Density ρ, mass per volume; above 0.
    fn density(&self) -> f64;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses options that do not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }
}

table! {
    /// All materials, in the order of lists.
    MATERIALS: Info,
    /// Names of all materials, as scenes write them.
    MATERIAL_NAMES,
    Material:
    Steel,
    Rubber,
    Cotton,
    Elastic,
}

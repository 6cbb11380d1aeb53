//! Materials: how stiff and how heavy a rope of a given cross-section is.
//!
//! A segment of length l and area A has the stiffness E A/l and the mass ρ A l. The `table!` call
//! below is the table: a new material is a row in solids.rs and a line there.

mod elastic;
mod solids;

use crate::named::{BadOption, Info, table};
pub use elastic::Elastic;
pub use solids::{Cotton, Rubber, Steel};
use std::fmt::Debug;

/// What a rope is made of.
pub trait Material: Debug + Send + Sync {
    /// The material's name and options.
    fn info(&self) -> Info;

    /// Young's modulus E, force per area; above 0.
    fn young(&self) -> f64;

    /// Density ρ, mass per volume; above 0.
    fn density(&self) -> f64;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses what does not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }
}

table! {
    /// Every material, in the order in which lists show them.
    MATERIALS: Info,
    /// Every material's name, as a scene writes it.
    MATERIAL_NAMES,
    Material:
    Steel,
    Rubber,
    Cotton,
    Elastic,
}

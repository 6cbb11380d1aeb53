//! Materials, one file each: how stiff and how heavy a rope of a given cross-section is.
//!
//! A segment of length l and area A has the stiffness E A/l and the mass ρ A l. The `table!` call below is the table:
//! a new material is a file and a line there.

use crate::named::table;
use crate::named::{BadOption, Info};
use std::fmt::Debug;

/// What a rope is made of.
pub trait Material: Debug + Send + Sync {
    /// What it is.
    fn info(&self) -> Info;

    /// E, Young's modulus: force per area.
    fn young(&self) -> f64;

    /// ρ: mass per volume.
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
    steel::Steel,
    rubber::Rubber,
    cotton::Cotton,
    elastic::Elastic,
}

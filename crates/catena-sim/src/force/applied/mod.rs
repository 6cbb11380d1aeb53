//! Forces that a scene names in its list `forces`, one file each.
//!
//! The `table!` call below is the table: a new force is a file and a line there.

use super::Force;
use crate::named::table;
use crate::named::{BadOption, Info};

/// A force that a scene can name.
pub trait AppliedForce: Force {
    /// What it is.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses nodes that the body does not have, and vectors that do not have as many components as the scene has axes.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;
}

table! {
    /// Every force, in the order in which lists show them.
    FORCES: Info,
    /// Every force's name, as a scene writes it.
    FORCE_NAMES,
    AppliedForce:
    point_force::PointForce,
    penalty_ground::PenaltyGround,
}

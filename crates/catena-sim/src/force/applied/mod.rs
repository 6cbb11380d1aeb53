//! Forces that a scene names in its list `forces`, one file each.
//!
//! The `table!` call below is the table: a new force is a file and a line there.

use super::Force;
use crate::named::Info;
use crate::named::table;

/// A force that a scene can name.
pub trait AppliedForce: Force {
    /// What it is.
    fn info(&self) -> Info;
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

//! Forces that scenes list under `forces`, one file each.
//!
//! The `table!` call below lists them. To add a force, add a file and a line there.

pub use route::{Amount, Giver, Guide, LegStop, ShownRoute, ShownWheel, Turn};

mod of_part;

use super::Force;
use crate::named::Info;
use crate::named::table;

/// A force that scenes can name.
pub trait AppliedForce: Force {
    /// Name and options of the force.
    fn info(&self) -> Info;
}

table! {
    /// All forces, in the order in which lists show them.
    FORCES: Info,
    /// Names of all forces, as scenes write them.
    FORCE_NAMES,
    AppliedForce:
    point_force::PointForce,
    penalty_ground::PenaltyGround,
    line_drag::LineDrag,
    facet_drag::FacetDrag,
    buoyancy::Buoyancy,
    route::Route,
    point_drag::PointDrag,
}

//! Flows: the velocity of a fluid at every place and time, one file each.
//!
//! Heights are the coordinate y. The `table!` call below lists the flows. To add one, add a file
//! and a line there.

use crate::body::vector::Vec3;
use crate::budget::{Bill, Item};
use crate::identity::Identity;
use crate::named::table;
use crate::named::{BadOption, Info, Nested};
use serde::Deserializer;
use std::fmt::Debug;

/// Derivative of a velocity (row) with respect to a position (column), 1/time. Unused axes are 0.
pub type Gradient = [[f64; 3]; 3];

/// The gradient 0, of a flow with the same velocity everywhere.
pub const EVEN: Gradient = [[0.0; 3]; 3];

/// The velocity of a fluid.
pub trait Flow: Debug + Identity + Send + Sync {
    /// Name and options of the flow.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first invalid option.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses vectors without exactly one component per axis.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption>;

    /// Velocity at a position and a time, length/time; unused axes are 0.
    fn at(&self, place: Vec3, t: f64) -> Vec3;

    /// Derivative of [`Flow::at`] with respect to the position.
    fn gradient(&self, place: Vec3, t: f64) -> Gradient;

    /// Upper bound of the speed over all places and times, length/time.
    fn fastest(&self) -> f64;

    /// Velocity at a time if it is the same everywhere; `None` for other flows.
    fn everywhere(&self, _t: f64) -> Option<Vec3> {
        None
    }

    /// Operations of [`Flow::everywhere`], for the cost estimate; none for a constant velocity.
    fn everywhere_bill(&self) -> Bill {
        Bill::default()
    }

    /// Operation that computes the velocity at a position, and its count, for the cost estimate.
    fn at_a_place(&self) -> (Item, u64) {
        (Item::Flow, 1)
    }

    /// Whether the velocity at a position changes with time.
    fn changes_with_time(&self) -> bool {
        false
    }
}

table! {
    /// All flows, in the order in which lists show them.
    FLOWS: Info,
    /// Names of all flows, as scenes write them.
    FLOW_NAMES,
    Flow:
    uniform::Uniform,
    changing::Changing,
    profile::Profile,
    airy::Airy,
    jonswap::Jonswap,
}

pub(crate) mod wave;

impl Nested for dyn Flow {
    const KIND: &'static str = "flow";
    const NAMES: &'static [&'static str] = FLOW_NAMES;

    fn read<'de, D: Deserializer<'de>>(
        name: &str,
        options: D,
    ) -> Option<Result<Box<Self>, D::Error>> {
        read(name, options)
    }
}

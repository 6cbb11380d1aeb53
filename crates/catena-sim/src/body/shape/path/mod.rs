//! Shapes in which a rope starts, one file each.
//!
//! The `table!` call below is the table: a new shape is a file and a line there. A shape is a
//! [`Line`]; [`Line::nodes`] lays nodes on it, equally far apart.

mod line;
mod toward;
mod walk;

pub use knot::KnotName;
pub use line::{Line, Way};

use crate::body::vector::Vec3;
use crate::named::{BadOption, Info, table};
use std::fmt::Debug;

/// The line along which a rope starts.
pub trait RopeShape: Debug + Send + Sync {
    /// The shape's name and options.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first option that is.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses points that do not have as many components as space has axes, too few nodes, and
    /// shapes of space in the plane.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// The line between two ends, z being 0 in the plane.
    ///
    /// # Errors
    /// In words, where there is none between these ends.
    fn line(&self, ends: [Vec3; 2]) -> Result<Line, String>;

    /// Whether its options say where it begins and ends, so that the ends of the rope follow.
    fn has_own_ends(&self) -> bool {
        false
    }

    /// Whether the rope hangs between the ends of the line, as gravity and its own weights and
    /// springs have it.
    fn hangs(&self) -> bool {
        false
    }

    /// The file whose points the line goes through, until [`RopeShape::take_points`] gives them.
    fn file(&self) -> Option<&str> {
        None
    }

    /// Takes the points of its file: each with as many components as space has axes, z being 0 in
    /// the plane.
    fn take_points(&mut self, _points: Vec<Vec3>) {}
}

table! {
    /// Every shape, in the order in which lists show them.
    SHAPES: Info,
    /// Every shape's name, as a scene writes it.
    SHAPE_NAMES,
    RopeShape:
    straight::Straight,
    hanging::Hanging,
    arc::Arc,
    helix::Helix,
    ring::Ring,
    points::Points,
    curve::Curve,
    knot::Knot,
    file::File,
}

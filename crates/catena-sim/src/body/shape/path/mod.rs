//! Initial shapes of ropes, one file each.
//!
//! The `table!` call below lists them. To add a shape, add a file and a line there. A shape is a
//! [`Line`]; [`Line::nodes`] places nodes on it at equal distances.

mod line;
mod toward;
mod walk;

pub use knot::KnotName;
pub use line::{Geometry, Line};

use crate::body::vector::Vec3;
use crate::named::{BadOption, Info, table};
use std::fmt::Debug;

/// The line along which a rope starts.
pub trait RopeShape: Debug + Send + Sync {
    /// Name and options of the shape.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first invalid option.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses points without exactly one component per axis, too few nodes, and spatial shapes in
    /// the plane.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Returns the line between two ends, with z = 0 in the plane.
    ///
    /// # Errors
    /// A message if there is no line between these ends.
    fn line(&self, ends: [Vec3; 2]) -> Result<Line, String>;

    /// Whether the options define the ends of the line. The ends of the rope then follow the line.
    fn has_own_ends(&self) -> bool {
        false
    }

    /// Whether the rope hangs between the ends of the line under gravity, with its own weights and
    /// springs.
    fn hangs(&self) -> bool {
        false
    }

    /// Whether the rope starts at its rest shape. The line is then the starting point of the
    /// search.
    fn rests(&self) -> bool {
        false
    }

    /// File of points along the line, if [`RopeShape::take_points`] has not supplied them yet.
    fn file(&self) -> Option<&str> {
        None
    }

    /// Supplies the points of the file, with z = 0 in the plane.
    fn take_points(&mut self, _points: Vec<Vec3>) {}
}

table! {
    /// All shapes, in the order of lists.
    SHAPES: Info,
    /// Names of all shapes, as scenes write them.
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
    rest::Rest,
}

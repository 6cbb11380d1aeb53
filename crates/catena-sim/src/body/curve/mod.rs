//! Curves: a place for every time, one file each. Anchors move along them, and ropes start along
//! them.
//!
//! The `table!` call below is the table: a new curve is a file and a line there.

use crate::named::table;
use crate::named::{BadOption, Info};
use std::fmt::Debug;

/// A position and a velocity for every time.
pub trait Curve: Debug + Send + Sync {
    /// The curve's name and options.
    fn info(&self) -> Info;

    /// Refuses options that are out of range, such as keys out of order.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses points that do not have as many components as the scene has axes.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Position and velocity at a time; unused axes are 0.
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]);

    /// Times and positions of its keys, or of its control points, in order.
    fn places(&self) -> Vec<(f64, [f64; 3])>;

    /// Whether its position is discontinuous in time.
    fn jumps(&self) -> bool {
        false
    }
}

mod keys;

table! {
    /// Every curve, in the order in which lists show them.
    CURVES: Info,
    /// Every curve's name, as a scene writes it.
    CURVE_NAMES,
    Curve:
    linear::Linear,
    step::Step,
    hermite::Hermite,
    catmull_rom::CatmullRom,
    bezier::Bezier,
    b_spline::BSpline,
}

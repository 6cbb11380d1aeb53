//! Values that stay as they are, or that a curve moves: numbers, pairs, vectors, scales, colours.

mod color;
mod number;
mod scale;
mod vector;
mod written;

pub use color::ColorOverTime;
pub(super) use color::colors_grammar;
pub use number::{Movable, OverTime};
pub use scale::ScaleTrack;
pub(super) use vector::Changing;
pub use vector::{PointOverTime, VectorOverTime};
pub(super) use written::{CURVE, WrittenCurve, curve_grammar, refused};

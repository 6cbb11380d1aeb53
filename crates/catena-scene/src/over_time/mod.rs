//! Constant or animated values: numbers, pairs, vectors, scales and colours.

mod color;
mod number;
mod scale;
mod vector;
mod written;

pub use color::ColorOverTime;
pub(super) use color::colors_grammar;
pub use number::{Movable, OverTime};
pub use scale::ScaleTrack;
pub(super) use vector::{Changing, with_rows};
pub use vector::{PointOverTime, VectorOverTime};
pub(super) use written::{CURVE, WrittenCurve, curve_grammar, refused};

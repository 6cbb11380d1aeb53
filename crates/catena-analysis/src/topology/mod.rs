//! How curves lie in space: linking, writhe, crossings, and whether something passed through
//! something else.
//!
//! A [`Curve`] is a polygon of points, open or closed. The Gauss integral of two curves is the sum
//! over pairs of segments of the solid angle that their differences span, over 4π; it is exact for
//! polygons (Klenin, Langowski 2000). Of two closed curves it is a whole number, the
//! [`linking_number`]; of a curve with itself it is the [`writhe`]. Both change by jumps of one and
//! two where a segment passes through another, which no rope does: [`Watch`] finds every such
//! passage between two states of a body.

mod angle;
mod boxes;
mod crossings;
mod curve;
mod elements;
mod gauss_code;
mod integral;
mod lattice;
mod near;
mod passage;
mod watch;

pub use crossings::{Crossing, MOST_CROSSINGS, crossings};
pub use curve::{Curve, TopologyError, curves};
pub use elements::{Element, ElementKind};
pub use gauss_code::{GaussCode, gauss_code, reduced};
pub use integral::{Linking, gauss_integral, linking_number, writhe};
pub use passage::{Passage, passages};
pub use watch::{TooNear, Watch};

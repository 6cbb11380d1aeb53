//! Topology of curves: linking, writhe, crossings, and passages of elements through each other.
//!
//! A [`Curve`] is an open or closed polyline. The Gauss integral of two curves sums, over pairs of
//! segments, the solid angle spanned by their differences, divided by 4π. This sum is exact for
//! polygons (Klenin, Langowski 2000). For two closed curves it is an integer, the
//! [`linking_number`]; for a curve with itself it is the [`writhe`]. When a segment passes through
//! another one, the linking number jumps by one, and the writhe by two. Real ropes cannot pass
//! through each other. [`Watch`] finds every passage between two states of a body.

mod boxes;
mod crossings;
mod curve;
mod elements;
mod gauss_code;
mod integral;
mod watch;

pub use crossings::{Crossing, crossings};
pub use curve::{Curve, MAX_CROSSINGS, TopologyError, curves};
pub use elements::{Element, ElementKind};
pub use gauss_code::{GaussCode, gauss_code, reduced};
pub use integral::{Linking, gauss_integral, linking_number, writhe};
pub use watch::{Passage, TooNear, Watch, passages};

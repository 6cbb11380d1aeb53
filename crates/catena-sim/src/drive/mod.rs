//! What moves a body from outside: anchors on curves, impulses, and numbers that change with time.

mod anchor;
mod impulse;
mod series;

pub use crate::body::curve::{self, Curve};
pub use anchor::{Anchor, Anchors};
pub use impulse::Impulse;
pub use series::Series;

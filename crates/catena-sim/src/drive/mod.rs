//! What moves a body from outside: anchors on curves, impulses, and numbers that change with time.

mod anchor;
pub mod curve;
mod impulse;
mod series;

pub use anchor::{Anchor, Anchors};
pub use curve::Curve;
pub use impulse::Impulse;
pub use series::Series;

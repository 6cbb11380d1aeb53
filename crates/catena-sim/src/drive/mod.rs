//! What moves a body from outside at given times: anchors on curves, and impulses.

mod anchor;
pub mod curve;
mod impulse;

pub use anchor::{Anchor, Anchors};
pub use curve::Curve;
pub use impulse::Impulse;

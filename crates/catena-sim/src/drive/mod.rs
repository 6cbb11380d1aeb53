//! What moves a body from outside at given times: anchors on curves, and impulses.

mod anchor;
mod impulse;

pub use crate::body::curve::{self, Curve};
pub use anchor::{Anchor, Anchors};
pub use impulse::Impulse;

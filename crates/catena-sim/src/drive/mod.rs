//! What moves a body from outside: anchors on curves, impulses, events,
//! and numbers that change with time.

mod anchor;
pub mod event;
mod impulse;
mod series;

pub use crate::body::curve::{self, Curve};
pub use anchor::{Anchor, Anchors};
pub use event::Event;
pub use impulse::Impulse;
pub use series::Series;

//! What moves a body from outside: anchors on curves, impulses, events, values that change with
//! time, and skeletons with clips in layers.

mod anchor;
pub mod event;
mod impulse;
pub mod rig;
pub mod track;

pub use crate::body::curve::{self, Curve};
pub use anchor::{Anchor, Anchors};
pub use event::Event;
pub use impulse::Impulse;

//! External influences on a body: anchors on curves, impulses, events, values that change with
//! time, rigid motions, and skeletons with layered clips.

mod anchor;
mod driven;
pub mod event;
mod impulse;
pub mod motion;
pub mod rig;
pub mod track;

pub use crate::body::curve::{self, Curve};
pub use anchor::{Anchor, Anchors};
pub use driven::{Driven, Velocity};
pub use event::Event;
pub use impulse::Impulse;

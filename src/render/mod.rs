//! From states to pixels.
//!
//! A [`Painter`] is made once for a scene: it lays out the panels ([`layout`]), makes a [`Stage`] of each with its
//! [`camera`], and draws all that never changes. Then it draws frames: strokes go through a coverage mask ([`canvas`]), so that
//! they are antialiased at fractions of a pixel and joints never blend twice.

mod body;
pub mod camera;
pub mod canvas;
mod changes;
mod clip;
pub mod faces;
mod ground;
pub mod layout;
pub mod mask;
pub mod numbers;
mod painter;
mod panel_run;
mod primitive;
mod rope;
mod solids;
mod stage;
mod surface;
pub mod text;
pub mod theme;
pub mod vector;

pub use body::Figure;
pub use changes::Span;
pub use layout::TooSmall;
pub use painter::{Painter, body_inks};
pub use panel_run::{BodyCheckpoint, BodyFrame, PanelFrame, PanelRun};
pub use rope::Look;
pub use stage::Stage;

//! From states to pixels.
//!
//! A [`Painter`] is made once for a scene: it lays out the panels ([`layout`]), fits a [`camera`] to each, and
//! draws all that never changes. Then it draws frames: strokes go through a coverage mask ([`canvas`]), so that
//! they are antialiased at fractions of a pixel and joints never blend twice.

pub mod camera;
pub mod canvas;
pub mod layout;
mod numbers;
mod painter;
mod rope;
mod shot;
pub mod text;
pub mod theme;

pub use numbers::short;
pub use painter::{PaintError, Painter, body_inks};
pub use rope::{Look, draw_rope};
pub use shot::{BodyShot, PanelShot, Tracker};

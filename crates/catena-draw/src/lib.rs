//! Pictures of states in memory.
//!
//! A [`PanelRun`] advances the simulations of a panel. A [`Painter`] is made once for a scene: it
//! lays out the panels ([`layout`]), makes a [`PanelPainter`] of each with its [`camera`], and
//! draws a template of all that never changes. Then it draws frames over the template. Strokes go
//! through a coverage mask ([`canvas`]), so that they are antialiased at fractions of a pixel and
//! joints never blend twice.
//!
//! ```
//! use catena_draw::{PanelRun, Painter, text::Font};
//! use catena_scene::Scene;
//!
//! let scene: Scene = "Scene(base: (size: (320, 240), frames: 4))".parse()?;
//! let painter = Painter::new(&scene, Font::built_in()?)?;
//! let mut run = PanelRun::new(&scene.panels[0]);
//! let mut canvas = painter.canvas();
//! painter.draw(&mut canvas, &[run.current().clone()]);
//! let first = canvas.image().clone();
//!
//! for _ in 0..3 {
//!     run.advance_frame();
//! }
//! run.update();
//! painter.draw(&mut canvas, &[run.current().clone()]);
//! assert_ne!(&first, canvas.image());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arrows;
mod body;
pub mod camera;
pub mod canvas;
mod changes;
mod clip;
mod color_bar;
mod color_scale;
mod entries;
pub mod events;
pub mod faces;
mod font;
mod glyphs;
mod headings;
mod inks;
pub mod layout;
pub mod mask;
mod notes;
pub mod numbers;
mod oklab;
mod painter;
pub mod palette;
mod panel_painter;
mod panel_run;
mod panels;
mod pass;
mod past;
pub mod pen;
mod quantity;
mod rect;
mod rigs;
mod rope;
mod sizes;
mod solids;
pub mod space;
mod surface;
pub mod text;
pub mod theme;
mod wound;

pub use body::{BodyLook, DrawnPart, drawn_parts};
pub use catena_sim::vector;
pub use changes::Span;
pub use color_scale::{ColorScale, scales};
pub use inks::scene_inks;
pub use layout::TooSmall;
pub use notes::Notes;
pub use painter::Painter;
pub use panel_painter::PanelPainter;
pub use panel_run::{BodyCheckpoint, BodyFrame, PanelFrame, PanelRun, ShownForce};
pub use pass::gives_up_view;
pub use past::{Past, ShownPast};
pub use quantity::Values;
pub use rect::Rect;
pub use rigs::DrawnRig;
pub use sizes::Sizes;
pub use solids::moving_solids;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

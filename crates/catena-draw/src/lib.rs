//! Pictures of states in memory.
//!
//! A [`PanelRun`] advances the simulations of a panel. A [`Painter`] is created once per scene. The
//! painter computes the [`layout`] of the panels, creates a [`PanelPainter`] with a [`camera`] for
//! each, and draws a template of everything that never changes. Then it draws frames over the
//! template. Strokes pass through a coverage mask ([`canvas`]), so that they are antialiased at
//! subpixel positions and overlapping strokes never blend twice. [`frames`] simulates all panels.
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
mod band;
mod blend;
mod body;
pub mod camera;
pub mod canvas;
mod changes;
mod clip;
mod color_scale;
pub mod data;
pub mod events;
pub mod faces;
mod font;
pub mod frames;
mod glyphs;
mod headings;
mod inks;
mod key_paths;
mod label_lines;
pub mod layout;
pub mod mask;
pub mod matte;
pub mod motion_blur;
mod notes;
pub mod number_format;
pub mod numbers;
mod painter;
pub mod palette;
mod panel_objects;
mod panel_painter;
mod panel_run;
mod pass;
mod pass_budget;
pub mod pen;
mod quantity;
mod rect;
mod reference;
mod rigs;
mod rope;
mod routes;
#[cfg(feature = "shaping")]
mod shaping;
mod sizes;
pub mod smooth;
mod solid_shapes;
mod solids;
pub mod space;
mod surface;
pub mod text;
pub mod theme;
mod wound;

pub use crate::panel_objects::PanelObjects;
pub use crate::sizes::Sizes;
pub use band::Span;
pub use body::{BodyLook, DrawnPart, drawn_parts};
pub use catena_sim::vector;
pub use color_scale::{ColorScale, scales};
pub use inks::scene_inks;
pub use layout::TooSmall;
pub use notes::Notes;
pub use painter::{Painter, PainterOptions};
pub use panel_painter::{PanelPainter, weight_scale};
pub use panel_run::{
    BodyCheckpoint, BodyFrame, BodyRun, PanelFrame, PanelRun, Past, ShownForce, ShownPast,
    record_shown,
};
pub use pass::{SharedPass, gives_up_view};
pub use quantity::Values;
pub use rect::Rect;
pub use rigs::DrawnRig;
pub use solids::{moving_solids, spokes};

/// Whether the first letter with a direction runs from right to left, so that the line begins at
/// the right. False if the feature `shaping` is disabled: letters then run from left to right.
pub fn is_right_to_left(text: &str) -> bool {
    #[cfg(feature = "shaping")]
    let is_so = shaping::is_right_to_left(text);
    #[cfg(not(feature = "shaping"))]
    let is_so = {
        let _ = text;
        false
    };
    is_so
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Scene files: from text to the bodies that are simulated.
//!
//! `schema` says what may be written, `load` parses it and keeps the place of each value, and
//! `build` makes panels and bodies of it. A scene is a stack of layers of one type,
//! `schema::Settings`: the defaults, the base, a panel (or a row and a column of a grid), a body,
//! and the command line on top.
//!
//! ```
//! use catena_scene::{Scene, SceneText, load};
//! use catena_sim::Simulation;
//!
//! let text = SceneText {
//!     origin: "rope.ron".into(),
//!     name: "rope".into(),
//!     text: "Scene(base: (rope: (nodes: 8), substeps: 32))".into(),
//! };
//! let scene = load(&text, &["rope.nodes=12".parse()?])?;
//! let mut simulation = Simulation::new(scene.panels[0].bodies[0].setup.clone());
//! simulation.advance_frame();
//! assert_eq!(simulation.state().x.len(), 2 * 12);
//!
//! let error = "Scene(base: (rope: (nods: 8)))".parse::<Scene>().unwrap_err();
//! assert!(error.message().contains("nods"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! - [`comparability`]: whether panels have equal physics.
//! - [`cursor`], [`faults`], [`mod@format`], [`grammar`], [`locate`], [`token`]: for editors.
//! - [`gltf`]: figures of glTF files.
//! - [`limits`]: limits of memory, time and disk, and the estimates behind them.
//! - [`mod@reference`]: descriptions of all fields and names.
//! - [`sweep`]: many variants of one scene.

#[macro_use]
mod layered;
#[macro_use]
mod read;
#[macro_use]
mod values;
mod access;
mod anchors;
mod assembly;
mod body;
mod body_layers;
mod build;
mod camera_motion;
mod choice;
mod colliders;
mod color;
pub mod comparability;
mod contact;
mod data_text;
#[cfg(feature = "files")]
mod disk;
mod entries;
mod error;
mod events;
pub mod faults;
mod file;
mod files;
pub mod format;
mod frame_time;
pub mod gltf;
pub mod grammar;
mod labels;
pub mod limits;
mod load;
mod motion;
mod name;
mod naming;
mod node;
mod over_time;
mod oversights;
mod panel_layers;
mod parsed;
mod parts;
mod patch;
pub mod reference;
mod refusals;
mod rig;
mod scan;
mod schema;
mod shape;
mod shape_schema;
mod slashes;
mod source;
mod space;
mod stack;
pub mod sweep;
mod totals;
mod unknown_field;
mod value_advice;
mod words;

/// Places of fields in texts.
pub mod locate {
    pub use catena_ron::{locate, path_at};
}

use catena_ron::fault as diagnostic;

pub use access::Access;
pub use camera_motion::{CameraMotion, ViewMotion};
pub use color::{Color, NAMES as COLOR_NAMES};
pub use error::SceneError;
pub use file::SceneText;
pub use files::{GivenFiles, UsedFile};
pub use frame_time::frame_time_of;
pub use layered::{FieldInfo, Scope};
pub use limits::Limits;
pub use load::{load, load_with_files, load_with_given, load_within};
pub use name::of as scene_name;
pub use parts::{
    Arrangement, Body, BodyColors, Ground, Lens, Panel, RestCriteria, Scene, ShownRig, Style, View,
    Viewpoint,
};
pub use patch::Patch;
pub use schema::{default_of, defaults, fields};
pub use values::{
    Arrows, ColorBy, Decoration, Fit, GREATEST_SIDE, GREATEST_SIDE_UNLIMITED, LEAST_SIDE,
    NodeShape, Pattern, SurfaceStyle, picture_sides,
};
pub use words::Visible;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

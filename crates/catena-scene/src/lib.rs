//! Scene files: from text to the bodies that are simulated.
//!
//! `schema` defines the format, `load` parses a text and keeps the positions of its parts, and
//! `build` creates panels and bodies. A scene is a stack of layers of type `schema::Settings`. From
//! lowest to highest: the defaults, the base, a panel (or a row and a column of a grid), a body,
//! and the command line.
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
//! - [`faults`], [`mod@format`], [`grammar`], [`locate`]: for editors.
//! - [`gltf`]: figures of glTF files.
//! - [`limits`]: limits of memory, time and disk, and the estimates behind them.
//! - [`numbers`]: numbers in the text of a scene, for sliders.
//! - [`recorded`]: motions that other programs wrote, as CSV.
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
mod body_style;
mod build;
mod choice;
mod colliders;
mod color;
pub mod comparability;
mod contact;
pub mod deck;
mod decode;
#[cfg(feature = "files")]
mod disk;
mod entries;
mod entry;
mod error;
mod events;
pub mod faults;
mod file;
mod files;
pub mod format;
pub mod gltf;
pub mod grammar;
mod grammar_tables;
mod labels;
mod layer_faults;
pub mod limits;
mod load;
mod naming;
mod node;
pub mod numbers;
pub mod other_names;
mod over_time;
mod overridden;
mod oversights;
mod panel_layers;
mod part_entries;
mod parts;
mod patch;
pub mod recorded;
pub mod reference;
mod refusals;
mod rig;
mod rivals;
mod routes;
mod scan;
mod schema;
mod separator;
mod shape;
mod slashes;
mod solid_shape;
mod source;
mod space;
mod stack;
mod start;
pub mod sweep;
mod totals;
mod unknown_field;
mod value_advice;
mod variation;
mod words;

/// Places of fields in texts.
pub mod locate {
    pub use catena_ron::{locate, path_at};
}

pub use crate::access::Access;
pub use crate::grammar::Scope;
use catena_ron::fault as diagnostic;

pub use colliders::ColliderLook;
pub use color::{Color, NAMES as COLOR_NAMES};
#[cfg(feature = "files")]
pub use disk::similar_table;
pub use error::SceneError;
pub use file::{SceneText, scene_name};
pub use files::{GivenFiles, UsedFile};
pub use layered::FieldInfo;
pub use limits::Limits;
pub use load::{frame_time_of, load, load_whole, load_with_files, load_with_given, load_within};
pub use parts::{
    Arrangement, Backdrop, Body, BodyColors, CameraMotion, Ground, Lens, Light, MotionBlur, Panel,
    RestCriteria, Scene, ShownRig, Style, View, ViewMotion, Viewpoint,
};
pub use patch::Patch;
pub use schema::{default_of, defaults, fields};
pub use values::{
    Arrows, ColorBy, Decoration, Fit, GREATEST_SIDE, GREATEST_SIDE_UNLIMITED, MIN_SIDE, NodeShape,
    Pattern, SurfaceStyle, picture_sides,
};
pub use variation::Variation;
pub use words::{RestBy, Visible};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

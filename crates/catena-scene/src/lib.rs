//! Scene files: from text to the bodies that are simulated.
//!
//! `schema` defines the format, `load` parses a text and keeps the positions of its parts, and
//! `build` creates panels and bodies. A scene is a stack of layers of type `schema::Settings`. From
//! lowest to highest: the defaults, the base, a panel (or a row and a column of a grid), a body,
//! and the command line.

#[macro_use]
mod layered;
#[macro_use]
mod read;
#[macro_use]
mod values;
mod anchors;
mod assembly;
mod body;
mod body_layers;
mod build;
mod choice;
mod colliders;
mod color;
pub mod comparability;
mod contact;
pub mod cursor;
mod diagnostic;
#[cfg(feature = "files")]
mod disk;
mod entries;
mod error;
mod events;
pub mod faults;
mod file;
mod files;
pub mod format;
pub mod gltf;
pub mod grammar;
mod labels;
pub mod limits;
mod load;
pub mod locate;
mod naming;
mod node;
mod option_units;
mod over_time;
mod oversights;
mod panel_layers;
mod parts;
mod patch;
pub mod reference;
mod refusals;
mod rig;
mod scan;
mod schema;
mod shape;
mod slashes;
mod source;
mod space;
mod stack;
pub mod sweep;
mod syntax;
pub mod token;
mod totals;
mod unknown_field;
mod value_advice;
mod words;

pub use color::{Color, NAMES as COLOR_NAMES};
pub use error::SceneError;
pub use file::{SceneText, scene_name};
pub use files::{Access, GivenFiles, UsedFile};
pub use layered::{FieldInfo, Scope};
pub use limits::Limits;
pub use load::{frame_time_of, load, load_with_files, load_with_given, load_within};
pub use option_units::OPTION_UNITS;
pub use parts::{
    Arrangement, Body, BodyColors, Ground, Lens, Panel, RestCriteria, Scene, ShownRig, Style, View,
    Viewpoint,
};
pub use patch::Patch;
pub use schema::{default_of, defaults, fields};
pub use space::{CameraMotion, ViewMotion};
pub use values::{
    Arrows, ColorBy, Decoration, Fit, GREATEST_SIDE, GREATEST_SIDE_UNLIMITED, LEAST_SIDE,
    NodeShape, Pattern, SurfaceStyle, picture_sides,
};
pub use words::Visible;

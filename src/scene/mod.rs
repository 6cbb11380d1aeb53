//! Scene files: text in, meaning out.
//!
//! [`schema`] says what may be written, [`load`] reads it and keeps track of where it stood, [`build`] turns
//! it into what is simulated and drawn. A scene is a stack of layers of one type, [`schema::Settings`]: the
//! defaults, the base, a panel (or a row and a column of a grid), a body, and the command line on top.

mod body;
mod build;
mod census;
pub mod comparability;
mod diagnostic;
mod error;
mod forces;
mod home;
mod labels;
pub mod limits;
mod load;
pub mod locate;
#[macro_use]
mod layered;
#[macro_use]
mod read;
mod cells;
mod choice;
mod color;
mod name;
mod patch;
mod scan;
mod schema;
mod shape;
mod slips;
mod space;
mod stack;
mod values;
mod whereabouts;
mod written;

pub use build::{Arrangement, Body, Ground, Lens, Panel, Rest, Scene, Style, View, Viewpoint};
pub use color::{Color, NAMES as COLOR_NAMES};
pub use error::SceneError;
pub use layered::{FieldInfo, Scope};
pub use limits::Limits;
pub use load::{SceneText, load, load_within};
pub use patch::Patch;
pub use schema::{default_of, fields};
pub use values::{
    Decoration, GREATEST_SIDE, GREATEST_SIDE_UNLIMITED, LEAST_SIDE, NodeShape, SurfaceWord,
    picture_sides,
};

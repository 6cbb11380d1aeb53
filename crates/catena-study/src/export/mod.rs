//! Scenes over time in the formats of other programs: ropes, cloth and figures.
//!
//! [`Contents`] is what stays the same: panels, bodies, and their items with names and colours. A
//! [`Recorder`] takes a frame after another from simulations and keeps them in a file, and
//! [`write()`] makes a glTF, USD, VTK or OBJ file of both. Everything is built of nodes, whose
//! numbers are those of [`catena_sim`]; y points upwards, and z is 0 in the plane.

mod color;
mod contents;
mod error;
mod figure;
mod format;
mod gltf;
mod names;
mod normals;
mod obj;
mod of_scene;
mod outline;
mod points;
mod presence;
mod recorder;
mod recording;
mod tube;
mod usda;
mod vtp;
mod weight;

pub use color::linear;
pub use contents::{Contents, ExportedBody, Face, Group, Item, Line, Shape};
pub use error::ExportError;
pub use figure::{Figure, Motion, SkinnedMesh};
pub use format::{
    ExportFormat, FORMATS, Files, Fill, FormatInfo, RopeForm, WriteOptions, check_glb, write,
};
pub use recorder::Recorder;
pub use recording::Recording;
pub use weight::{Weight, weigh};

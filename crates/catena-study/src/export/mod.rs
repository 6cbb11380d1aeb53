//! Exports scenes over time to the formats of other programs: ropes, cloth, rigid bodies
//! and figures.
//!
//! [`Contents`] is the static part: panels, bodies, and their items with names and colours. A
//! [`Recorder`] takes consecutive frames from simulations and stores them in a file. [`write()`]
//! turns both into a glTF, USD, VTK or OBJ file. All geometry refers to nodes, with the indices of
//! [`catena_sim`]. The y axis points upwards, and z is 0 in planar scenes.

mod contents;
mod figure;
mod format;
mod gltf;
mod morphs;
mod names;
mod normals;
mod obj;
mod of_scene;
mod outline;
mod points;
mod recording;
mod solids;
mod tube;
mod usda;
mod vtp;
mod weight;
mod writer;

pub use crate::export::writer::{ExportError, Files, Fill, RopeForm, WriteOptions};
pub use contents::{Contents, ExportedBody, Face, Group, Item, Line, Shape, linear};
pub use figure::{Figure, Motion};
pub use format::{ExportFormat, FORMATS, FormatInfo, check_glb, write};
pub use morphs::{MeshMorphs, MorphWeights, SkinnedMesh};
pub use recording::{Recorder, Recording};
pub use solids::{ExportedSolid, SolidMesh};
pub use weight::{Weight, weigh};

//! Rigs: bones, clips, layers and skins, from the fields of a scene to the posed rig.

mod build;
mod entries;
mod file;
mod layers;
mod names;
mod skin;
mod turn;

pub(super) use build::{BuiltRig, rig};
pub use entries::RigSettings;
pub(super) use entries::SkinShape;
pub(super) use file::FileFigure;
pub(super) use turn::turns_grammar;

//! Rigs: bones, clips, layers and skins, from the fields of a scene to the posed rig.

mod build;
mod entries;
mod file;
mod layers;
mod names;
mod settings;
mod skin;
mod turn;

pub(super) use build::{BuiltRig, rig};
pub(super) use entries::SkinShape;
pub(super) use file::FileFigure;
pub use settings::RigSettings;
pub(super) use turn::turns_grammar;

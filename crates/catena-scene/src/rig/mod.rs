//! Rigs: bones, clips, layers and skins, from the fields of a scene to the posed rig.

mod build;
mod entries;
mod figure;
mod file;
mod file_figure;
mod layers;
mod names;
mod skin;
mod turn;

pub(super) use crate::rig::file_figure::FileFigure;
pub(super) use build::{BuiltRig, rig};
pub use entries::RigSettings;
pub(super) use entries::SkinShape;
pub(super) use turn::turns_grammar;

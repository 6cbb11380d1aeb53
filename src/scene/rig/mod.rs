//! Rigs: bones, clips, layers and skins, from what a scene writes to what is posed.

mod anchors;
mod build;
mod entries;
mod layers;
mod settings;
mod skin;
mod turn;

pub(super) use anchors::anchors;
pub(super) use build::rig;
pub use settings::RigSettings;

//! Figures of files, as rigs use them.

use crate::parts::SkinLook;
use crate::rig::layers::ClipTable;
use crate::rig::names::KnownNames;
use catena_sim::drive::rig::{BoneTracks, Skeleton};
use catena_sim::rig::RigSkin;
use std::sync::Arc;

/// Bones, clips and skins before layers are added.
pub(crate) struct RigFigure {
    pub(crate) skeleton: Skeleton,
    pub(crate) clips: ClipTable,
    /// Tracks of bones whose own fields move them.
    pub(crate) own: Vec<(String, BoneTracks)>,
    pub(crate) skins: Vec<Arc<RigSkin>>,
    /// Look of each skin of a file.
    pub(crate) looks: Vec<SkinLook>,
    /// Drawn length of each bone that sets one.
    pub(crate) lengths: Vec<Option<f64>>,
    /// For each bone, whether it only carries other bones; see [`Rig::carriers`].
    pub(crate) carriers: Vec<bool>,
    /// Notes for the user about how the figure was read.
    pub(crate) notes: Vec<String>,
    /// Whether the file is outside the scene's folder. If so, messages show no names from the file.
    pub(crate) is_outside: bool,
}

impl RigFigure {
    /// Returns the names of the bones.
    pub(crate) fn bones(&self) -> KnownNames<'_> {
        KnownNames { names: self.skeleton.names(), is_outside: self.is_outside }
    }
}

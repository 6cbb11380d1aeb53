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
    /// Tracks of bones that move by fields of their own.
    pub(crate) own: Vec<(String, BoneTracks)>,
    pub(crate) skins: Vec<Arc<RigSkin>>,
    /// Looks of each skin of a file.
    pub(crate) looks: Vec<SkinLook>,
    /// Drawn length of each bone that sets one.
    pub(crate) lengths: Vec<Option<f64>>,
    /// Whether each bone only carries others; see [`Rig::carriers`].
    pub(crate) carriers: Vec<bool>,
    /// Notes for the user about how the figure was read.
    pub(crate) notes: Vec<String>,
    /// Whether the file is outside the scene's folder. Messages then show none of its names.
    pub(crate) is_outside: bool,
}

impl RigFigure {
    /// Returns the names of its bones.
    pub(crate) fn bones(&self) -> KnownNames<'_> {
        KnownNames { names: self.skeleton.names(), is_outside: self.is_outside }
    }
}

//! What the report of a shard of a render has beside its files, for the merge.

use crate::output::manifest::{FrameEntry, RenderSource, SteadyEntry};
use serde::{Deserialize, Serialize};

/// The content of the report of a shard of a render.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::job) struct RenderContent {
    /// The source of the manifest.
    pub(in crate::job) source: RenderSource,
    /// How many frames all shards have together.
    pub(in crate::job) total: u64,
    /// The frames of this shard, in order; none for segments of a film.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::job) frames: Vec<FrameEntry>,
    /// The steady-state comparison, which the first shard makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::job) steady: Option<SteadyEntry>,
    /// The pack that the frames lie in, in the folder of shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::job) pack: Option<String>,
    /// The film, where segments of one were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::job) film: Option<FilmContent>,
}

/// The film that segments are joined to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::job) struct FilmContent {
    /// The file name of the film.
    pub(in crate::job) name: String,
    /// Its format, by the name that options have for it.
    pub(in crate::job) format: String,
    /// The segments of this shard, in order: their paths in the folder of shards.
    pub(in crate::job) segments: Vec<String>,
}

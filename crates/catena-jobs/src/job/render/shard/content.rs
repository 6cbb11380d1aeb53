//! Content of a render shard's report that a merge needs in addition to the files.

use super::segments;
use crate::job::MAX_FRAMES;
use crate::job::render::shard::segments::segment_count;
use crate::shard::{ShardFile, ShardPlace, ShardReport};
use catena_output::film::{FilmFormat, FrameRate};
use catena_output::{
    manifest::{FrameEntry, RenderSource, SteadyEntry},
    names::STEADY,
    pack::PACK,
};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// Name of the entry for the number of frames in a source.
pub(super) const FRAMES: &str = "--frames";

/// Content of a render shard's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::job) struct RenderContent {
    /// Source of the manifest.
    pub(in crate::job) source: RenderSource,
    /// Total number of frames of all shards.
    pub(in crate::job) total: u64,
    /// Frames of this shard in order; empty for segments of a film.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::job) frames: Vec<FrameEntry>,
    /// Steady-state comparison, which only the first shard makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::job) steady: Option<SteadyEntry>,
    /// Name of the pack with the frames, in the folder of shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::job) pack: Option<String>,
    /// Film that the segments belong to, if the shard made segments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::job) film: Option<FilmContent>,
}

/// The film that segments are joined into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::job) struct FilmContent {
    /// File name of the film.
    pub(in crate::job) name: String,
    /// Name of the format, as in options.
    pub(in crate::job) format: String,
    /// Frame rate of the film, such as `30000/1001`.
    #[serde(default)]
    pub(in crate::job) rate: String,
    /// Segments of this shard in order, as paths in the folder of shards.
    pub(in crate::job) segments: Vec<String>,
}

impl FilmContent {
    /// Returns the parsed format. `None` if the name is unknown.
    pub(in crate::job) fn format(&self) -> Option<FilmFormat> {
        self.format.parse().ok()
    }

    /// Returns the parsed frame rate. `None` if the text is invalid.
    pub(in crate::job) fn rate(&self) -> Option<FrameRate> {
        self.rate.parse().ok()
    }
}

impl RenderContent {
    /// Returns the reason why the content of a report is invalid, if it is. A valid report has
    /// exactly the frames and file names of its shard, so that a merge never touches other files.
    pub(in crate::job) fn fault(
        &self,
        report: &ShardReport,
        place: &ShardPlace,
    ) -> Option<&'static str> {
        let choice = place.choice();
        // Checked first, because other checks iterate up to this number.
        if !(1..=MAX_FRAMES).contains(&self.total) {
            return Some("the number of frames exceeds the maximum");
        }
        let numbers = self.frames.iter().map(|it| it.frame);
        let has_its_frames = match &self.film {
            Some(_) => self.frames.is_empty(),
            None => choice.slice(self.total).eq(numbers),
        };
        let names = &self.source.names;
        let is_named = self.frames.iter().all(|it| it.file == names.file(it.frame));
        let is_name = |film: &FilmContent| {
            let mut parts = Path::new(&film.name).components();
            matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
        };
        let may_have_steady = choice.number() == 1 && self.film.is_none();
        let is_total = report.source.get(FRAMES) == Some(&self.total.to_string());
        match () {
            () if !is_total => Some("its number of frames differs from that of its source"),
            () if !has_its_frames || !is_named => {
                Some("it lists frames that do not belong to its shard")
            }
            () if self.steady.iter().any(|it| !may_have_steady || it.file != STEADY) => {
                Some("it contains a steady-state comparison, which belongs to another shard")
            }
            () if !self.film.iter().all(is_name) => Some("its film would be outside the folder"),
            () if self.film.iter().any(|film| film.rate().is_none()) => {
                Some("the frame rate of its film is invalid")
            }
            () if !self.has_files(&report.files, place) => {
                Some("it lists files that its shard does not write")
            }
            () => None,
        }
    }

    /// Whether a report names exactly the files that a shard with this content writes.
    fn has_files(&self, files: &[ShardFile], place: &ShardPlace) -> bool {
        let inside = |name: &str| format!("{}/{name}", place.stem());
        let mut expected: Vec<(String, Option<&str>)> = Vec::new();
        match (&self.film, &self.pack) {
            (Some(film), None) => {
                let Some(format) = film.format() else { return false };
                let range = segments::range(place.choice(), self.total);
                if segment_count(&range) != film.segments.len() as u64 {
                    return false;
                }
                let segments = segments::segments(&range, place, format);
                expected.extend(segments.into_iter().map(|segment| (segment.file, None)));
                if !expected.iter().map(|(file, _)| file).eq(&film.segments) {
                    return false;
                }
            }
            (None, Some(pack)) if *pack == place.name(PACK) => {
                expected.push((pack.clone(), None));
            }
            (None, None) => {
                let frames = self.frames.iter();
                expected.extend(frames.map(|it| (inside(&it.file), Some(&*it.sha256))));
            }
            _ => return false,
        }
        let steady = self.steady.iter();
        expected.extend(steady.map(|it| (inside(&it.file), Some(&*it.sha256))));
        let is_it = |(file, (name, hash)): (&ShardFile, &(String, Option<&str>))| {
            file.file == *name && hash.is_none_or(|hash| file.sha256 == hash)
        };
        files.len() == expected.len() && files.iter().zip(&expected).all(is_it)
    }
}

//! Segments of a film, which shards encode separately.

use crate::shard::{ShardChoice, ShardPlace};
use catena_output::film::FilmFormat;
use std::ops::Range;

/// Number of frames per segment. The last segment may be shorter.
pub(crate) const SEGMENT: u64 = 240;

/// Frame range of a shard: the frames of its segments.
pub(crate) fn range(choice: ShardChoice, total: u64) -> Range<u64> {
    let segments = choice.slice(total.div_ceil(SEGMENT));
    let frame = |segment: u64| total.min(segment * SEGMENT);
    frame(segments.start)..frame(segments.end)
}

/// A segment of a shard.
pub(crate) struct Segment {
    /// Path in the folder of shards.
    pub(crate) file: String,
    pub(super) frames: Range<u64>,
}

impl Segment {
    pub(super) fn count(&self) -> u64 {
        self.frames.end - self.frames.start
    }
}

/// Number of segments in the frame range of a shard.
pub(crate) fn segment_count(range: &Range<u64>) -> u64 {
    if range.is_empty() { 0 } else { range.end.div_ceil(SEGMENT) - range.start / SEGMENT }
}

/// Segments of a shard in order, with files of this format.
pub(crate) fn segments(range: &Range<u64>, place: &ShardPlace, format: FilmFormat) -> Vec<Segment> {
    let segment = |index: u64| Segment {
        file: format!("{}/segment_{index:05}.{}", place.stem(), format.name()),
        frames: index * SEGMENT..range.end.min((index + 1) * SEGMENT),
    };
    let all = range.start / SEGMENT..range.end.div_ceil(SEGMENT);
    all.filter(|_| !range.is_empty()).map(segment).collect()
}

/// Note about existing segments that cannot be reused.
pub(crate) fn begun_anew(place: &ShardPlace) -> String {
    format!(
        "note: the segments of shard {} in this folder are from another scene, other options or another build of catena; rendering them again",
        place.choice()
    )
}

//! Segments of a film become the film.

use super::{MergeError, MergedFrames};
use crate::job::{
    Interruption, Progress,
    progress::{Stage, time},
    render::{FilmContent, RenderContent, segment_frames},
};
use crate::shard::ShardSet;
use catena_output::film::{self, FilmError, FilmFormat, FilmOptions, FilmSegment};
use catena_output::{
    film_record::FilmRecord,
    folder::Folder,
    lock::{LockMode, without_locks},
};
use std::path::Path;

/// Joins the segments of the shards to `film`, whose format is known.
pub(super) fn run<'a>(
    (path, set): (&Path, &ShardSet),
    (film, format): (&FilmContent, FilmFormat),
    contents: impl Iterator<Item = &'a RenderContent> + Clone,
    options: &FilmOptions,
    (progress, interruption): (&dyn Progress, &dyn Interruption),
) -> Result<MergedFrames, MergeError> {
    let frames = contents.clone().map(|content| content.total).max().unwrap_or(0);
    let target = path.join(&film.name);
    // Asked before there is anything to lose, and again under the lock.
    FilmRecord::read(path)?.check_replaceable(&target)?;
    interruption.begins();
    time(progress, Stage::Hash, || set.check_files())?;
    let folder = Folder::open(path, LockMode::Exclusive)?;
    if !folder.is_locked() {
        progress.note(&without_locks(path));
    }
    let mut record = FilmRecord::read(path)?;
    record.check_replaceable(&target)?;
    let files = contents.filter_map(|content| content.film.as_ref()).flat_map(|it| &it.segments);
    let segments: Vec<FilmSegment> = files
        .zip(segment_frames(frames))
        .map(|(file, frames)| FilmSegment { file: file.clone(), frames })
        .collect();
    let options = &FilmOptions { rate: film.rate(), ..options.clone() };
    let stop = || interruption.is_set();
    progress.begin(frames, 0);
    let joined = film::join(set.folder(), &segments, &target, format, options, &stop);
    let joined = joined.map_err(|error| match error {
        FilmError::Stopped => MergeError::Interrupted { there: 0, all: frames },
        error => error.into(),
    })?;
    record.announce(&film.name, joined.unfinished())?;
    joined.publish()?;
    record.settle(&film.name)?;
    (0..frames).for_each(|_| progress.frame());
    Ok(MergedFrames {
        shards: set.of(),
        frames,
        has_steady: false,
        film: Some(target),
        is_packed: false,
    })
}

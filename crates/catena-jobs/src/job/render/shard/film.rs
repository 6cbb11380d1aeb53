//! A shard that makes segments of a film. The length of a segment does not depend on the number of
//! shards.

use super::{FilmContent, FolderShard, RenderContent};
use crate::job::frames::add_to_film;
use crate::job::render::shard::segments::{SEGMENT, Segment, begun_anew, segments};
use crate::job::{
    frames::{FramePainter, FrameSimulator},
    render::{RenderError, task::Task},
};
use crate::shard::{ShardFile, ShardJournal, ShardPlace, ShardReport};
use catena_output::film::{
    self, FilmError, FilmFormat, FilmOptions, FilmShape, FilmTarget, OVER_WHITE,
};
use catena_output::folder::Folder;
use std::collections::BTreeSet;
use std::ffi::OsStr;

/// Number of frames per segment of a film with `total` frames.
pub(in crate::job) fn segment_frames(total: u64) -> impl Iterator<Item = u64> {
    (0..total.div_ceil(SEGMENT)).map(move |index| SEGMENT.min(total - index * SEGMENT))
}

/// Text with the film's name and all options that its bytes depend on, for the key.
pub(super) fn named(name: &str, options: &FilmOptions) -> String {
    let FilmOptions { format, codec, rate, threads, .. } = options;
    let rate = rate.map(|rate| rate.to_string()).unwrap_or_default();
    let codec = codec.map(|codec| format!(" {codec}")).unwrap_or_default();
    let (quality, preset) = (options.quality(), options.preset());
    format!("{name} {format:?} {rate} {quality} {preset} {threads:?}{codec}")
}

fn check_every_frame(options: &FilmOptions) -> Result<(), FilmError> {
    match options.every {
        1 => Ok(()),
        every => Err(FilmError::Usage(format!(
            "every must be 1, not {every}, because segments contain every frame"
        ))),
    }
}

/// Returns for each segment its file from the report or journal, if the file is intact.
fn there(
    segments: &[Segment],
    place: &ShardPlace,
    key: &str,
    lines: Vec<ShardFile>,
) -> Result<Vec<Option<ShardFile>>, catena_output::OutputError> {
    let earlier = ShardReport::read(place, key)?.map_or_else(Vec::new, |report| report.files);
    let known: Vec<ShardFile> = earlier.into_iter().chain(lines).collect();
    let there = |segment: &Segment| {
        let line = known.iter().rev().find(|line| line.file == segment.file)?;
        line.fault(place.folder()).is_none().then(|| line.clone())
    };
    Ok(segments.iter().map(there).collect())
}

/// Makes the missing segments and returns the result. `key` is the key of the shards. It contains
/// the film's options and the number of frames, on which segments depend.
pub(super) fn run(
    task: &Task<'_>,
    folder: &Folder,
    place: &ShardPlace,
    key: &str,
    total: u64,
    name: &str,
    options: &FilmOptions,
) -> Result<FolderShard, RenderError> {
    let format = FilmFormat::choose(&FilmTarget::new(OsStr::new(name)), options.format)?;
    let (format, options) = &options.of_segments(format, task.painter.has_alpha())?;
    check_every_frame(options)?;
    let (journal, lines) = ShardJournal::open::<ShardFile>(place, key)?;
    if journal.has_begun_anew() {
        task.progress.note(&begun_anew(place));
    }
    let segments = segments(&task.range, place, *format);
    let there = there(&segments, place, key, lines)?;
    let missing = segments.iter().zip(&there).filter(|(_, there)| there.is_none());
    let missing: u64 = missing.map(|(segment, _)| segment.count()).sum();
    if missing > 0 {
        task.withdraw_report()?;
    }
    task.begin(missing as usize, &[]);
    task.interruption.started();
    let mut simulator = task.simulator(folder);
    let painter = FramePainter::new(task.painter, task.progress);
    let (mut files, mut notes) = (Vec::new(), BTreeSet::new());
    let mut done = task.range.end - task.range.start - missing;
    for (segment, there) in segments.iter().zip(there) {
        let file = match there {
            Some(there) => there,
            None => {
                let path = place.folder().join(&segment.file);
                let target = FilmTarget::File(path);
                let output = SegmentOutput { target, format: *format, options };
                notes.extend(encode(task, &mut simulator, &painter, segment, &output, done)?);
                let file = ShardFile::of(place.folder(), segment.file.clone())?;
                journal.add(&file)?;
                done += segment.count();
                file
            }
        };
        files.push(file);
    }
    notes.iter().for_each(|note: &String| task.progress.note(note));
    simulator.advance_to(task.last())?;
    journal.remove()?;
    let film = FilmContent {
        name: name.into(),
        format: format.name().into(),
        rate: options.rate().to_string(),
        segments: segments.into_iter().map(|segment| segment.file).collect(),
    };
    let manifest = task.manifest();
    let rendered = task.rendered(&simulator, &manifest);
    let (source, frames, film) = (manifest.source, Vec::new(), Some(film));
    let content = RenderContent { source, total, frames, steady: None, pack: None, film };
    Ok(FolderShard { rendered, files, content })
}

/// File of a segment, and the settings of its encoder.
struct SegmentOutput<'a> {
    target: FilmTarget,
    format: FilmFormat,
    options: &'a FilmOptions,
}

/// Draws and encodes a segment, and returns notes about it. `done` is the number of frames in
/// finished segments.
fn encode(
    task: &Task<'_>,
    simulator: &mut FrameSimulator<'_>,
    painter: &FramePainter<'_>,
    segment: &Segment,
    output: &SegmentOutput<'_>,
    done: u64,
) -> Result<Vec<String>, RenderError> {
    let stop = || task.interruption.is_set();
    let has_alpha = task.painter.has_alpha();
    let shape = FilmShape { size: task.scene.size, frames: segment.count(), has_alpha };
    let SegmentOutput { target, format, options } = output;
    let mut sink = film::open(target, *format, options, shape, &stop)?;
    let is_over_white = has_alpha && !sink.keeps_alpha();
    let frames: Vec<u64> = segment.frames.clone().collect();
    let pipeline = task.pipeline(&|| {});
    let shown = pipeline.show(painter, simulator, &frames, RenderError::from, |_, picture| {
        Ok::<(), RenderError>(add_to_film(sink.as_mut(), picture)?)
    });
    let made = shown.and_then(|()| match simulator.refusal() {
        _ if task.interruption.is_set() => Err(FilmError::Stopped.into()),
        Some(refusal) => Err(refusal.into()),
        None => {
            let note = is_over_white.then(|| OVER_WHITE.into());
            Ok(sink.finish()?.notes.into_iter().chain(note).collect())
        }
    });
    made.map_err(|error| match error {
        RenderError::Film(FilmError::Stopped) => {
            let all = task.range.end - task.range.start;
            RenderError::Interrupted { there: done, frames: all }
        }
        error => error,
    })
}

//! A shard that makes segments of a film, each of so many frames whatever the number of shards is.

use super::{FilmContent, FolderShard, RenderContent};
use crate::film::{self, FilmFormat, FilmOptions, FilmTarget};
use crate::job::{
    frames::FramePainter,
    render::{RenderError, task::Task},
};
use crate::output::folder::Folder;
use crate::read;
use crate::shard::{ShardChoice, ShardFile, ShardJournal, ShardPlace, ShardReport};
use std::{ffi::OsStr, ops::Range};

/// Frames of a segment; the last one can have fewer.
const SEGMENT: u64 = 240;

/// The frames of a shard: those of its segments.
pub(super) fn range(choice: ShardChoice, total: u64) -> Range<u64> {
    let segments = choice.slice(total.div_ceil(SEGMENT));
    let frame = |segment: u64| total.min(segment * SEGMENT);
    frame(segments.start)..frame(segments.end)
}

/// A film with the options that its bytes depend on, for the key.
pub(super) fn named(name: &str, options: &FilmOptions) -> String {
    let FilmOptions { format, rate, quality, preset, threads, .. } = options;
    format!("{name} {format:?} {rate} {quality} {preset} {threads:?}")
}

/// The files of a report that is there.
fn earlier(place: &ShardPlace) -> Vec<ShardFile> {
    let bytes = read::file(&place.report(), read::LARGE).ok();
    let report = bytes.and_then(|bytes| ShardReport::parse(&bytes).ok());
    report.map_or_else(Vec::new, |report| report.files)
}

/// Makes the segments, and says what there is.
pub(super) fn run(
    task: &Task<'_>,
    folder: &Folder,
    place: &ShardPlace,
    total: u64,
    (name, options): (&str, &FilmOptions),
) -> Result<FolderShard, RenderError> {
    let format = FilmFormat::choose(&FilmTarget::new(OsStr::new(name)), options.format)?;
    let (journal, lines) = ShardJournal::open::<ShardFile>(place, &task.key)?;
    let Range { start, end } = task.range;
    let segments: Vec<(u64, String)> = (start / SEGMENT..end.div_ceil(SEGMENT))
        .map(|index| {
            let ending = format.name();
            (index, format!("{}/segment_{index:05}.{ending}", place.stem()))
        })
        .collect();
    let lines: Vec<ShardFile> = earlier(place).into_iter().chain(lines).collect();
    let there = |name: &String| {
        let line = lines.iter().rev().find(|line| line.file == *name)?;
        line.fault(place.folder()).is_none().then(|| line.clone())
    };
    let there: Vec<Option<ShardFile>> = segments.iter().map(|(_, name)| there(name)).collect();
    let frames_of = |index: u64| start.max(index * SEGMENT)..end.min((index + 1) * SEGMENT);
    let count = |index: u64| frames_of(index).end - frames_of(index).start;
    if there.iter().any(Option::is_none) {
        task.is_unfinished()?;
    }
    let known = segments.iter().zip(&there).filter(|(_, there)| there.is_some());
    let known: u64 = known.map(|((index, _), _)| count(*index)).sum();
    task.begin((end - start - known) as usize, &[]);
    task.interruption.begins();
    let mut simulator = task.simulator(folder);
    let painter = FramePainter::new(task.painter, task.progress);
    let mut files = Vec::new();
    for ((index, name), there) in segments.iter().zip(there) {
        if let Some(there) = there {
            files.push(there);
            continue;
        }
        let target = FilmTarget::File(place.folder().join(name));
        let stop = || task.interruption.is_set();
        let size = task.scene.size;
        let mut sink = film::open(&target, format, options, size, count(*index), &stop)?;
        let frames: Vec<u64> = frames_of(*index).collect();
        let pipeline = task.pipeline(&|| {});
        pipeline.show(&painter, &mut simulator, &frames, RenderError::from, |_, image| {
            Ok::<(), RenderError>(sink.frame(image)?)
        })?;
        if let Some(refusal) = simulator.refusal() {
            return Err(refusal.into());
        }
        if task.interruption.is_set() {
            let there = files.len() as u64 * SEGMENT;
            return Err(RenderError::Interrupted {
                there: there.min(end - start),
                frames: end - start,
            });
        }
        sink.finish()?;
        let file = ShardFile::of(place.folder(), name.clone())?;
        journal.add(&file)?;
        files.push(file);
    }
    simulator.go_to(task.last())?;
    journal.remove()?;
    let film = FilmContent {
        name: name.into(),
        format: format.name().into(),
        segments: segments.into_iter().map(|(_, name)| name).collect(),
    };
    let manifest = task.manifest();
    let rendered = task.rendered(&simulator, &manifest);
    let source = manifest.source;
    let content = RenderContent {
        source,
        total,
        frames: Vec::new(),
        steady: None,
        pack: None,
        film: Some(film),
    };
    Ok(FolderShard { rendered, files, content })
}

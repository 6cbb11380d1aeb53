//! A shard whose frames are files in a folder of its own, or members of one tar file to avoid many
//! single files.

use super::{FolderShard, RenderContent};
use crate::job::frames::FrameEncoder;
use crate::job::render::task::Task;
use crate::job::render::{RenderError, Rendered, render_into};
use crate::shard::{ShardFile, ShardJournal, ShardPlace, ShardReport};
use catena_output::OutputError;
use catena_output::folder::{Folder, holds};
use catena_output::hash::sha256;
use catena_output::manifest::{FrameEntry, Manifest};
use catena_output::names::FrameNames;
use catena_output::pack::{self, PACK, PackWriter};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Line of the journal: a frame, and the length of the pack up to the end of this frame.
#[derive(Serialize, Deserialize)]
struct PackedFrame {
    entry: FrameEntry,
    end: u64,
}

/// Returns whether a file starts like a complete or torn pack of frames with one of these names.
pub(super) fn is_pack(start: &[u8], known: &[FrameNames]) -> bool {
    let is_frame = |name: String| known.iter().any(|names| names.frame(&name).is_some());
    pack::first_name(start).is_some_and(is_frame)
}

/// Renders the frames into a pack and returns the result.
pub(super) fn run_pack(
    task: &Task<'_>,
    folder: &Folder,
    place: &ShardPlace,
    total: u64,
) -> Result<FolderShard, RenderError> {
    // The folder contains the comparison, the lock and the checkpoints, but no frames.
    let (other, manifest) = render_into(&task.without_frames(), folder)?;
    let (name, path) = (place.name(PACK), place.file(PACK));
    let finished = finished(task, place, &path);
    let entries = match finished {
        Some(entries) => {
            task.begin(0, &[]);
            entries
        }
        None => write(task, folder, place, &path)?,
    };
    let mut simulator = task.simulator(folder);
    if !simulator.advance_to(task.last())? {
        let refusal = simulator.refusal().map(RenderError::from);
        return Err(refusal.unwrap_or_else(|| task.interrupted(&entries)));
    }
    let mut files = vec![ShardFile::of(place.folder(), name.clone())?];
    if let Some(steady) = &manifest.steady {
        files.push(shard_file(place, &steady.file, &steady.sha256)?);
    }
    let mut rendered = task.rendered(&simulator, &manifest);
    rendered.note = other.note;
    let content = RenderContent {
        source: manifest.source,
        total,
        frames: entries,
        steady: manifest.steady,
        pack: Some(name),
        film: None,
    };
    Ok(FolderShard { rendered, files, content })
}

/// Frames of a finished and intact pack.
fn finished(task: &Task<'_>, place: &ShardPlace, path: &Path) -> Option<Vec<FrameEntry>> {
    let report = ShardReport::parse(
        &catena_base::read::file(&place.report(), catena_base::read::LARGE).ok()?,
    );
    let content: RenderContent = report.ok()?.content().ok()?;
    let has_all = content.frames.iter().map(|entry| entry.frame).eq(task.range.clone());
    let is_same = content.source == task.source && content.pack.is_some() && has_all;
    let frames = is_same.then_some(content.frames)?;
    (whole(path, frames.iter()) == frames.len()).then_some(frames)
}

/// Returns the number of intact frames at the start of the pack that match these frames in order.
pub(in crate::job) fn whole<'a>(
    path: &Path,
    frames: impl Iterator<Item = &'a FrameEntry>,
) -> usize {
    let (mut frames, mut count) = (frames.peekable(), 0);
    // In a damaged pack, only frames before the damage are counted.
    let _ = pack::walk(path, |name, bytes| {
        let is_it = frames.next().is_some_and(|it| it.file == name && it.sha256 == sha256(bytes));
        count += usize::from(is_it);
        is_it && frames.peek().is_some()
    });
    count
}

/// Draws the missing frames and appends them to the pack.
fn write(
    task: &Task<'_>,
    folder: &Folder,
    place: &ShardPlace,
    path: &Path,
) -> Result<Vec<FrameEntry>, RenderError> {
    task.withdraw_report()?;
    let (journal, lines) = ShardJournal::open::<PackedFrame>(place, &task.key)?;
    let in_order = lines.iter().zip(task.range.clone());
    let in_order = in_order.take_while(|(line, frame)| line.entry.frame == *frame).count();
    let there = whole(path, lines.iter().take(in_order).map(|line| &line.entry));
    let end = there.checked_sub(1).and_then(|last| lines.get(last)).map_or(0, |line| line.end);
    let mut entries: Vec<FrameEntry> =
        lines.into_iter().take(there).map(|line| line.entry).collect();
    let journal = match there == in_order {
        true => journal,
        // The other lines of the journal describe frames that are not in the pack.
        false => rewrite_journal(journal, place, &task.key, path, &entries)?,
    };
    let missing = task.missing(&entries);
    task.begin(missing.len(), &[]);
    task.interruption.started();
    let mut writer = PackWriter::open(path, end)?;
    let mut simulator = task.simulator(folder);
    let encoder =
        FrameEncoder::new(task.painter, simulator.first(), &task.source.names, task.progress);
    task.pipeline(&|| {}).encode(&encoder, &mut simulator, &missing, |entry, bytes| {
        let end = writer.add(&entry.file, bytes)?;
        let line = PackedFrame { entry, end };
        journal.add(&line)?;
        entries.push(line.entry);
        Ok(())
    })?;
    simulator.write_checkpoint(true)?;
    if let Some(refusal) = simulator.refusal() {
        return Err(refusal.into());
    }
    if task.interruption.is_set() {
        return Err(task.interrupted(&entries));
    }
    writer.finish()?;
    journal.remove()?;
    Ok(entries)
}

/// Writes a new journal that contains only these frames.
fn rewrite_journal(
    journal: ShardJournal,
    place: &ShardPlace,
    key: &str,
    path: &Path,
    entries: &[FrameEntry],
) -> Result<ShardJournal, OutputError> {
    journal.remove()?;
    let (journal, _) = ShardJournal::open::<PackedFrame>(place, key)?;
    let pack = pack::Pack::open(path).ok();
    for entry in entries {
        let end = pack.as_ref().and_then(|pack| pack.end(&entry.file)).unwrap_or(0);
        journal.add(&PackedFrame { entry: entry.clone(), end })?;
    }
    Ok(journal)
}

/// Renders the frames as files and returns the result.
pub(super) fn run_files(
    task: &Task<'_>,
    folder: &Folder,
    place: &ShardPlace,
    total: u64,
) -> Result<FolderShard, RenderError> {
    let (rendered, manifest) = render_into(task, folder)?;
    let Manifest { source, frames, steady, .. } = manifest;
    let named = frames.iter().map(|entry| (&entry.file, &entry.sha256));
    let named = named.chain(steady.iter().map(|steady| (&steady.file, &steady.sha256)));
    let files =
        named.map(|(name, sha256)| shard_file(place, name, sha256)).collect::<Result<_, _>>()?;
    let content = RenderContent { source, total, frames, steady, pack: None, film: None };
    Ok(FolderShard { rendered, files, content })
}

/// Entry for a file in the shard's folder, whose hash is known.
fn shard_file(place: &ShardPlace, name: &str, sha256: &str) -> Result<ShardFile, OutputError> {
    let file = format!("{}/{name}", place.stem());
    let path = place.folder().join(&file);
    let refuse = |cause| OutputError::new("read", &path, cause);
    let bytes = path.metadata().map_err(refuse)?.len();
    Ok(ShardFile { file, sha256: sha256.into(), bytes })
}

/// Result of a shard whose frames have been merged and are intact. `None` if any file is missing or
/// damaged.
pub(super) fn report_if_merged(
    task: &Task<'_>,
    folder: &Path,
    report: &ShardReport,
) -> Option<Rendered> {
    let RenderContent { frames, steady, .. } = report.content().ok()?;
    let files = frames.iter().map(|entry| (&*entry.file, &*entry.sha256));
    let mut files = files.chain(steady.iter().map(|steady| (&*steady.file, &*steady.sha256)));
    // If there are no files to check, a merged shard is one without a folder.
    let has_files = !report.files.is_empty() || !task.path.exists();
    (has_files && files.all(|(name, hash)| holds(folder, name, hash))).then(|| {
        task.begin(0, &[]);
        Rendered {
            frames: frames.len() as u64,
            has_steady: steady.is_some(),
            note: None,
            bodies: Vec::new(),
        }
    })
}

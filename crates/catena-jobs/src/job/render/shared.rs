//! A render that shares its folder with others: each claims one piece of the frames after the
//! other.

use super::{
    RenderError, Rendered,
    pieces::{WAIT, Worker},
    task::Task,
};
use crate::job::{
    Interruption,
    frames::{FrameSimulator, FrameWriter},
    progress::{Stage, time},
};
use catena_output::{
    OutputError,
    atomic::Durability,
    claim::Claims,
    folder::{self, Folder},
    lock::{self, Lock, LockMode},
    manifest::Manifest,
    names::frame_name,
};
use std::{
    collections::BTreeSet,
    io,
    path::Path,
    thread,
    time::{Duration, Instant, SystemTime},
};

pub(super) fn run(task: &Task<'_>, patience: Duration) -> Result<Rendered, RenderError> {
    task.interruption.begins();
    let Some(joined) = join(task, patience)? else {
        let there = Manifest::read(task.path)?.filter(|there| there.source == task.source);
        return Err(task.interrupted(&there.map_or_else(Vec::new, |there| there.frames)));
    };
    task.begin(task.missing(&joined.manifest.frames).len(), &joined.notes);
    let simulator = task.simulator(&joined.folder);
    let (manifest, mut simulator) = match joined.is_whole {
        true => (joined.manifest, simulator),
        false => share(task, &joined, simulator, patience)?,
    };
    if !simulator.go_to(task.last())? {
        let refusal = simulator.refusal().map(RenderError::from);
        return Err(refusal.unwrap_or_else(|| task.interrupted(&manifest.frames)));
    }
    let rendered = task.rendered(&simulator, &manifest);
    drop(joined.folder);
    // The last one to leave tidies up; what cannot be removed does no harm. Each lets go of the
    // folder first, so the last one at the gate is alone.
    if let Ok(Some(_gate)) = gate(task.path, task.interruption, patience)
        && let Ok(Some(folder)) = Folder::try_open(task.path, LockMode::Exclusive)
        && folder.is_locked()
    {
        let _ = folder.remove_claims(&task.range);
    }
    Ok(rendered)
}

/// Claims and draws pieces until all are there, and returns the manifest of all.
fn share<'a>(
    task: &'a Task<'a>,
    joined: &'a Joined,
    simulator: FrameSimulator<'a>,
    patience: Duration,
) -> Result<(Manifest, FrameSimulator<'a>), RenderError> {
    let Joined { folder, manifest, .. } = joined;
    // The folder may be another machine's, whose errors come late.
    let place = (folder, Durability::Synced);
    let writer = FrameWriter::new(task.painter, simulator.first(), place, task.progress);
    let claims = Claims::open(&folder.claims(&task.range), &task.key, patience)?;
    let pipeline = task.pipeline(&|| {});
    let worker = Worker::new(task, folder, pipeline, writer, simulator, claims);
    let mut worker = worker.having_seen(joined.seen.clone(), joined.trusted);
    loop {
        worker.work(manifest)?;
        if task.interruption.is_set() {
            return Err(task.interrupted(&worker.leave()?));
        }
        if let Some(refusal) = worker.simulator.refusal() {
            worker.leave()?;
            return Err(refusal.into());
        }
        if let Some(manifest) = worker.gather(patience)? {
            return Ok((manifest, worker.simulator));
        }
    }
}

/// Waits for the gate, which nobody holds for long; `None` when the job is to end.
pub(super) fn gate(
    path: &Path,
    interruption: &dyn Interruption,
    patience: Duration,
) -> Result<Option<Lock>, OutputError> {
    let private = folder::prepare(path)?;
    let start = Instant::now();
    loop {
        if let Some(lock) = Lock::gate(&private)? {
            return Ok(Some(lock));
        }
        if interruption.is_set() {
            return Ok(None);
        }
        if start.elapsed() > patience {
            return Err(lock::gate_held_error(path, &private));
        }
        thread::sleep(WAIT);
    }
}

/// What a process finds that joins others.
struct Joined {
    folder: Folder,
    manifest: Manifest,
    notes: Vec<String>,
    /// Hashes of files that it has found to be whole.
    seen: BTreeSet<String>,
    /// When the manifest was written, if the render is whole.
    trusted: Option<SystemTime>,
    /// Whether nothing is left to do, nor to look at.
    is_whole: bool,
}

/// Prepares the folder, if nobody has, and joins those who render into it; `None` when the job is
/// to end.
fn join(task: &Task<'_>, patience: Duration) -> Result<Option<Joined>, OutputError> {
    let Some(_gate) = gate(task.path, task.interruption, patience)? else { return Ok(None) };
    let (mut notes, mut seen, mut manifest) = (Vec::new(), BTreeSet::new(), None);
    let mut is_whole = false;
    if let Some(folder) = Folder::try_open(task.path, LockMode::Exclusive)? {
        // Without locks nobody knows whether others are at work here. Who finds their claims joins
        // them: to take these away would disturb them more than claims of the dead disturb anybody.
        if folder.is_locked() || !is_under_way(task)? {
            let found = time(task.progress, Stage::Prepare, || task.prepare(&folder))?;
            let whole = found.frames.iter().filter(|it| task.range.contains(&it.frame));
            seen = whole.map(|entry| entry.sha256.clone()).collect();
            notes = found.notes;
            let (frames, steady) = (found.frames, found.steady);
            is_whole = folder.is_locked() && task.has_all(&frames, steady.as_ref());
            manifest = Some(Manifest { frames, steady, ..task.manifest() });
        } else {
            notes.push(lock::without_locks(task.path));
        }
    }
    let folder = Folder::open(task.path, LockMode::Shared)?;
    let mut trusted = None;
    if manifest.is_none() {
        manifest = Manifest::read(task.path)?;
        trusted = manifest.as_ref().and_then(|manifest| folder.whole_since(manifest));
        let trusted = manifest.as_ref().zip(trusted);
        is_whole =
            trusted.is_some_and(|(manifest, time)| is_whole_since(task, &folder, manifest, time));
    }
    match manifest {
        Some(manifest) if manifest.source == task.source => {
            Ok(Some(Joined { folder, manifest, notes, seen, trusted, is_whole }))
        }
        _ => {
            let cause = io::Error::other(
                "others render another scene, size, --set or version of catena into it with --claim; choose another --out",
            );
            Err(OutputError::new("render into", task.path, cause))
        }
    }
}

/// Whether nothing that is asked for is missing from a manifest written at this time, nor has been
/// written since.
fn is_whole_since(task: &Task<'_>, folder: &Folder, manifest: &Manifest, time: SystemTime) -> bool {
    let steady = manifest.steady.as_ref();
    let is_old = |name: &str| folder.is_older(name, time);
    task.has_all(&manifest.frames, steady)
        && task.range.clone().all(|frame| is_old(&frame_name(frame)))
        && steady.is_none_or(|steady| is_old(&steady.file))
}

/// Whether the manifest says that the same is being rendered, by others or by one who was killed.
fn is_under_way(task: &Task<'_>) -> Result<bool, OutputError> {
    let manifest = Manifest::read(task.path)?;
    let is_same =
        |manifest: Manifest| manifest.source == task.source && manifest.under_way.is_some();
    Ok(manifest.is_some_and(is_same))
}

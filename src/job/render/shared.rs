//! A render that shares its folder with others: each claims one piece of the frames after the
//! other.

use super::{
    RenderError, Rendered,
    pieces::{WAIT, Worker},
    task::Task,
};
use crate::job::{
    Interruption,
    frames::FrameWriter,
    progress::{Stage, time},
};
use crate::output::{
    OutputError,
    atomic::Durability,
    claim::Claims,
    folder::{self, Folder},
    lock::{self, Lock, LockMode},
    manifest::Manifest,
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
    let Some(Joined { folder, manifest, notes, seen, trusted }) = join(task, patience)? else {
        let there = Manifest::read(task.path)?.filter(|there| there.source == task.source);
        return Err(task.interrupted(&there.map_or_else(Vec::new, |there| there.frames)));
    };
    let missing = task.missing(&manifest.frames);
    task.begin(missing.len(), &notes);
    let simulator = task.simulator(&folder);
    // The folder may be another machine's, whose errors come late.
    let place = (&folder, Durability::Synced);
    let writer = FrameWriter::new(task.painter, &simulator.panels(), place, task.progress);
    let claims = Claims::open(&folder.claims(&task.range), &task.key, patience)?;
    let pipeline = task.pipeline(&|| {});
    let worker = Worker::new(task, &folder, pipeline, writer, simulator, claims);
    let mut worker = worker.having_seen(seen, trusted);

    let manifest = loop {
        worker.work(&manifest)?;
        if task.interruption.is_set() {
            return Err(task.interrupted(&worker.leave()?));
        }
        if let Some(refusal) = worker.simulator.refusal() {
            worker.leave()?;
            return Err(refusal.into());
        }
        if let Some(manifest) = worker.gather(patience)? {
            break manifest;
        }
    };
    let Worker { mut simulator, .. } = worker;
    if !simulator.go_to(task.last())? {
        let refusal = simulator.refusal().map(RenderError::from);
        return Err(refusal.unwrap_or_else(|| task.interrupted(&manifest.frames)));
    }
    let rendered = task.rendered(&simulator, &manifest);
    drop(folder);
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
}

/// Prepares the folder, if nobody has, and joins those who render into it; `None` when the job is
/// to end.
fn join(task: &Task<'_>, patience: Duration) -> Result<Option<Joined>, OutputError> {
    let Some(_gate) = gate(task.path, task.interruption, patience)? else { return Ok(None) };
    let (mut notes, mut seen, mut manifest) = (Vec::new(), BTreeSet::new(), None);
    if let Some(folder) = Folder::try_open(task.path, LockMode::Exclusive)? {
        // Without locks nobody knows whether others are at work here. Who finds their claims joins
        // them: to take these away would disturb them more than claims of the dead disturb anybody.
        if folder.is_locked() || !is_under_way(task)? {
            let found = time(task.progress, Stage::Prepare, || task.prepare(&folder))?;
            let whole = found.frames.iter().filter(|it| task.range.contains(&it.frame));
            seen = whole.map(|entry| entry.sha256.clone()).collect();
            notes = found.notes;
            let (frames, steady) = (found.frames, found.steady);
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
    }
    match manifest {
        Some(manifest) if manifest.source == task.source => {
            Ok(Some(Joined { folder, manifest, notes, seen, trusted }))
        }
        _ => {
            let cause = io::Error::other(
                "others render another scene, size, --set or version of catena into it with --claim; choose another --out",
            );
            Err(OutputError::new("render into", task.path, cause))
        }
    }
}

/// Whether the manifest says that the same is being rendered, by others or by one who was killed.
fn is_under_way(task: &Task<'_>) -> Result<bool, OutputError> {
    let manifest = Manifest::read(task.path)?;
    let is_same =
        |manifest: Manifest| manifest.source == task.source && manifest.under_way.is_some();
    Ok(manifest.is_some_and(is_same))
}

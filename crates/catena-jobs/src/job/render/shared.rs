//! A render that shares its folder with other processes. Each process claims pieces of the frames,
//! one at a time.

use super::pieces::Worker;
use super::task::Task;
use super::{RenderError, Rendered};
use crate::job::frames::FrameSimulator;
use crate::job::progress::{Stage, time};
use crate::job::render::pieces::gate;
use catena_output::atomic::Durability;
use catena_output::claim::Claims;
use catena_output::folder::Folder;
use catena_output::lock::LockMode;
use catena_output::manifest::Manifest;
use catena_output::{OutputError, lock};
use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, SystemTime};

pub(super) fn run(task: &Task<'_>, patience: Duration) -> Result<Rendered, RenderError> {
    task.interruption.started();
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
    if !simulator.advance_to(task.last())? {
        let refusal = simulator.refusal().map(RenderError::from);
        return Err(refusal.unwrap_or_else(|| task.interrupted(&manifest.frames)));
    }
    let rendered = task.rendered(&simulator, &manifest);
    drop(joined.folder);
    // The last process cleans up as a best effort. Each process first releases the folder, so that
    // the last one at the gate gets exclusive access.
    if let Ok(Some(_gate)) = gate(task.path, task.interruption, patience)
        && let Ok(Some(folder)) = Folder::try_open(task.path, LockMode::Exclusive)
        && folder.is_locked()
    {
        let _ = folder.remove_claims(&task.range);
    }
    Ok(rendered)
}

/// Claims and draws pieces until all are finished, and returns the complete manifest.
fn share<'a>(
    task: &'a Task<'a>,
    joined: &'a Joined,
    simulator: FrameSimulator<'a>,
    patience: Duration,
) -> Result<(Manifest, FrameSimulator<'a>), RenderError> {
    let Joined { folder, manifest, .. } = joined;
    // The folder may be on another machine, whose write errors arrive late.
    let writer = task.writer(simulator.first(), folder, Durability::Synced);
    let claims = Claims::open(&folder.claims(&task.range), &task.key, patience)?;
    let pipeline = task.pipeline(&|| {});
    let worker = Worker::new(task, folder, pipeline, writer, simulator, claims);
    let mut worker = worker.having_seen(joined.seen.clone(), joined.trusted);
    loop {
        worker.work(manifest)?;
        if task.interruption.is_set() {
            return Err(task.interrupted(&worker.write_finished()?));
        }
        if let Some(refusal) = worker.simulator.refusal() {
            worker.write_finished()?;
            return Err(refusal.into());
        }
        if let Some(manifest) = worker.gather(patience)? {
            return Ok((manifest, worker.simulator));
        }
    }
}

/// Access to the shared folder, and the state in which it was found.
struct Joined {
    folder: Folder,
    manifest: Manifest,
    notes: Vec<String>,
    /// Hashes of the files that this process has verified.
    seen: BTreeSet<String>,
    /// Modification time of the manifest, if the render is complete.
    trusted: Option<SystemTime>,
    /// Whether nothing is left to render or verify.
    is_whole: bool,
}

/// Prepares the folder unless another process has, and joins the processes that render into it.
/// `None` if the job is interrupted.
fn join(task: &Task<'_>, patience: Duration) -> Result<Option<Joined>, OutputError> {
    let Some(_gate) = gate(task.path, task.interruption, patience)? else { return Ok(None) };
    let (mut notes, mut seen, mut manifest) = (Vec::new(), BTreeSet::new(), None);
    let mut is_whole = false;
    if let Some(folder) = Folder::try_open(task.path, LockMode::Exclusive)? {
        // Without locks, other processes may be working here unnoticed. If their claims exist, this
        // process joins them: removing the claims of live processes does more harm than keeping
        // claims of dead ones.
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
                "other processes with --claim use this folder for another scene, size, --set or \
                 version of catena; choose another --out",
            );
            Err(OutputError::new("render into", task.path, cause))
        }
    }
}

/// Whether a manifest with this modification time has everything requested, and no file is newer.
fn is_whole_since(task: &Task<'_>, folder: &Folder, manifest: &Manifest, time: SystemTime) -> bool {
    let steady = manifest.steady.as_ref();
    let is_old = |name: &str| folder.is_older(name, time);
    task.has_all(&manifest.frames, steady)
        && task.range.clone().all(|frame| is_old(&task.source.names.file(frame)))
        && steady.is_none_or(|steady| is_old(&steady.file))
}

/// Whether the manifest marks the same render as unfinished, by a running or a killed process.
fn is_under_way(task: &Task<'_>) -> Result<bool, OutputError> {
    let manifest = Manifest::read(task.path)?;
    let is_same =
        |manifest: Manifest| manifest.source == task.source && manifest.under_way.is_some();
    Ok(manifest.is_some_and(is_same))
}

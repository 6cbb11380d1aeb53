//! A render with exclusive access to its folder.

use super::{RenderError, Rendered, steady, task::Task};
use crate::job::progress::{Stage, time};
use catena_output::{
    OutputError, folder::Folder, journal::Journal, lock::LockMode, manifest::Manifest,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Renders the frames and also returns the manifest.
pub(super) fn run(task: &Task<'_>) -> Result<(Rendered, Manifest), RenderError> {
    run_in(task, &Folder::open(task.path, LockMode::Exclusive)?)
}

/// Renders into a folder that is already locked.
pub(super) fn run_in(
    task: &Task<'_>,
    folder: &Folder,
) -> Result<(Rendered, Manifest), RenderError> {
    let Task { progress, interruption, .. } = *task;
    let found = time(progress, Stage::Prepare, || task.prepare(folder))?;
    let mut manifest = Manifest { frames: found.frames, steady: found.steady, ..task.manifest() };
    interruption.begins();
    let missing = task.missing(&manifest.frames);
    let wants_steady = manifest.steady.is_none() && task.options.steady;
    if !missing.is_empty() || wants_steady {
        task.withdraw_report()?;
    }
    task.begin(missing.len(), &found.notes);
    let journal = Journal::create(&folder.journal(), &task.key)?;
    let has_failed = AtomicBool::new(false);
    let fail = || has_failed.store(true, Ordering::Relaxed);
    let pipeline = task.pipeline(&fail);
    let (mut simulator, missing) = task.simulator_of(folder, missing);
    let writer = task.writer(simulator.first(), (folder, task.care));
    let mut write = || {
        let written = pipeline.write(&writer, &mut simulator, &missing, &journal, &|| true)?;
        // Simulating to the last frame also reports bodies that diverge if all pictures already
        // exist.
        time(progress, Stage::Simulate, || simulator.go_to(task.last()))?;
        simulator.write_checkpoint(true)?;
        if simulator.refusal().is_some() {
            fail();
        }
        Ok::<_, OutputError>(written)
    };
    // The two tasks are independent. On one thread the frames come first.
    let (written, steady) = rayon::join(
        || write().inspect_err(|_| fail()),
        || {
            let is_wanted = || !has_failed.load(Ordering::Relaxed);
            let make = || steady::make(task, (folder, &journal), &is_wanted);
            wants_steady.then(make).transpose()
        },
    );
    manifest.frames.extend(written?);
    manifest.frames.sort_by_key(|entry| entry.frame);
    if wants_steady {
        manifest.steady = steady?.flatten();
    }
    let refusal = simulator.refusal();
    if !interruption.is_set() && refusal.is_none() {
        manifest.under_way = None;
    }
    manifest.write(folder.path())?;
    folder.remove_journal()?;
    if interruption.is_set() {
        return Err(task.interrupted(&manifest.frames));
    }
    match refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok((task.rendered(&simulator, &manifest), manifest)),
    }
}

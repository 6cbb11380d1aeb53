//! A render that has its folder for itself.

use super::{Made, Task, begin, steady};
use crate::cli::{
    Failure,
    frames::{Press, Reel, Shop},
    timings::Stage,
};
use crate::output::{
    OutputError, atomic::Durability, folder::Folder, journal::Journal, lock::LockMode,
    manifest::Manifest,
};
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn run(task: &Task<'_>) -> Result<(), Failure> {
    let folder = Folder::open(task.path, LockMode::Exclusive)?;
    let found = task.timings.time(Stage::Prepare, || begin(task, &folder))?;
    let mut manifest = Manifest { frames: found.frames, steady: found.steady, ..task.manifest() };
    let missing = task.missing(&manifest.frames);
    let progress = task.progress(missing.len(), &found.notes);
    let journal = Journal::create(&folder.journal(), &task.key)?;
    let has_failed = AtomicBool::new(false);
    task.ends_by_itself(&progress);
    let shop = Shop {
        timings: task.timings,
        interrupt: task.interrupt,
        on_frame: &|| progress.frame(),
        on_failure: &|| has_failed.store(true, Ordering::Relaxed),
    };
    let mut reel = Reel::new(task.scene, Some(task.keeping(&folder)), task.interrupt, usize::MAX);
    let press =
        Press::new(task.painter, &reel.shots(), (&folder, Durability::Written), task.timings);
    let wants_steady = manifest.steady.is_none() && !task.args.no_steady;
    let mut print = || {
        let printed = shop.print(&press, &mut reel, &missing, &journal, &|| true)?;
        // What happened on the way to the last frame is told even where every picture was there already.
        task.timings.time(Stage::Simulate, || reel.go_to(task.last()))?;
        reel.keep(true)?;
        if reel.refusal().is_some() {
            has_failed.store(true, Ordering::Relaxed);
        }
        Ok::<_, OutputError>(printed)
    };
    // Neither needs the other. On one thread the frames come first.
    let (printed, steady) = rayon::join(
        || print().inspect_err(|_| has_failed.store(true, Ordering::Relaxed)),
        || {
            let is_wanted = || !has_failed.load(Ordering::Relaxed);
            let make = || steady::make(task, &progress, (&folder, &journal), &is_wanted);
            wants_steady.then(make).transpose()
        },
    );
    manifest.frames.extend(printed?);
    manifest.frames.sort_by_key(|entry| entry.frame);
    if wants_steady {
        manifest.steady = steady?.flatten();
    }
    let refusal = reel.refusal();
    if !task.interrupt.is_set() && refusal.is_none() {
        manifest.under_way = None;
    }
    manifest.write(folder.path())?;
    folder.remove_journal()?;
    if task.interrupt.is_set() {
        return Err(task.interrupted(&manifest.frames));
    }
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    Made::new(task, &reel, &manifest).tell(task, &progress)
}

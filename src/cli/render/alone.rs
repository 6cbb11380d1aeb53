//! A render that has its folder for itself.

use super::{Made, Task, begin, steady};
use crate::cli::{
    Failure,
    frames::{Press, Reel, Shop},
    timings::Stage,
};
use crate::output::{
    atomic::Care, folder::Folder, journal::Journal, lock::Hold, manifest::Manifest,
};

pub(super) fn run(task: &Task<'_>) -> Result<(), Failure> {
    let folder = Folder::open(task.path, Hold::Alone)?;
    let found = task.timings.time(Stage::Prepare, || begin(task, &folder))?;
    let mut manifest = Manifest { frames: found.frames, steady: found.steady, ..task.manifest() };
    let missing = task.missing(&manifest.frames);
    let progress = task.progress(missing.len(), &found.notes);
    let journal = Journal::create(&folder.journal(), &task.key)?;
    let shop =
        Shop { timings: task.timings, interrupt: task.interrupt, on_frame: &|| progress.frame() };
    let mut reel = Reel::new(task.scene, Some(task.keeping(&folder)), task.interrupt, usize::MAX);
    let press = Press::new(task.painter, &reel.shots(), (&folder, Care::Written), task.timings);
    manifest.frames.extend(shop.print(&press, &mut reel, &missing, &journal, &|| true)?);
    manifest.frames.sort_by_key(|entry| entry.frame);

    // What happened on the way to the last frame is told even where every picture was there already.
    task.timings.time(Stage::Simulate, || reel.go_to(task.last()))?;
    reel.keep(true)?;
    if manifest.steady.is_none() && !task.args.no_steady && !task.interrupt.is_set() {
        manifest.steady = steady::make(task, &progress, &folder)?;
    }
    if !task.interrupt.is_set() {
        manifest.under_way = None;
    }
    manifest.write(folder.path())?;
    folder.forget_journal()?;
    if task.interrupt.is_set() {
        return Err(task.interrupted(&manifest.frames));
    }
    Made::new(task, &reel, &manifest).tell(task, &progress)
}

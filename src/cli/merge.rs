//! `catena merge`: merge of shards.

use super::{
    Failure,
    args::MergeArgs,
    interrupt::{self, Interrupt},
    progress::{FRAMES, Reporter},
    sweep, threads,
};
use crate::job::{self, MergeError, Merged, MergedFrames};
use crate::shard::{MergeRefusal, SHARDS};
use crate::text::{number::counted, printable, shell};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub(super) fn run(args: &MergeArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let reporter = Reporter::new(&args.progress);
    let folder = printable::path(&args.folder);
    let position = reporter.position();
    let last_words = {
        let (folder, position) = (folder.clone(), Arc::clone(&position));
        move || interrupted(&folder, position.what(), position.reached())
    };
    let watched = interrupt.watched(last_words);
    let pool = threads::pool(threads::wanted(None), "merge", args.progress.quiet)?;
    let merged = pool.install(|| job::merge(&args.folder, &args.options(), &reporter, &watched));
    let merged = merged.map_err(|error| match error {
        MergeError::Refused(refusal) => nowhere(&refusal).unwrap_or_else(|| refusal.into()),
        MergeError::Film(error) => error.into(),
        MergeError::Interrupted { there, all } => Failure::Interrupted {
            code: interrupt.exit_code().unwrap_or(130),
            message: interrupted(&folder, position.what(), Some([there, all])),
        },
    })?;
    match merged {
        Merged::Frames(merged) => {
            say_frames(&merged, &args.folder, &reporter);
            Ok(())
        }
        Merged::Sweep { table, shards } => {
            let (summary, shards) = (sweep::summary(&table), counted(shards.into(), "shard"));
            reporter.finish(|| format!("{summary} in {}, of {shards}", args.folder.display()));
            if table.is_all_refused() { Err(sweep::all_refused(None)) } else { Ok(()) }
        }
    }
}

/// Failure that points to folders with shards below a folder that has none. The shards of a sweep
/// are below `sweep` unless --out is given.
fn nowhere(refusal: &MergeRefusal) -> Option<Failure> {
    let MergeRefusal::Nothing(folder) = refusal else { return None };
    let inner = fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let mut inner: Vec<PathBuf> = inner.filter(|path| path.join(SHARDS).is_dir()).collect();
    inner.sort();
    let commands: Vec<String> =
        inner.iter().map(|path| format!("`catena merge {}`", shell::quoted(path))).collect();
    let folder = folder.display();
    let what =
        format!("{folder} contains no shards, but a subfolder does: {}", commands.join(" or "));
    (!commands.is_empty()).then_some(Failure::Usage(what))
}

fn say_frames(merged: &MergedFrames, folder: &Path, reporter: &Reporter) {
    let what = match (&merged.film, merged.has_steady) {
        (Some(_), _) => "",
        (None, true) => ", steady.png and manifest.json",
        (None, false) => " and manifest.json",
    };
    let folder = merged.film.as_deref().unwrap_or(folder).display();
    let packs = if merged.is_packed { ", packed" } else { "" };
    let place = format!("{folder}{packs}, of {}", counted(merged.shards.into(), "shard"));
    reporter.done(merged.frames, what, &place, &[]);
}

fn interrupted(folder: &str, what: &str, reached: Option<[u64; 2]>) -> String {
    let command = interrupt::command();
    let state = match reached {
        Some([there, all]) if what == FRAMES => {
            format!("with {there} of {all} frames in place in {folder}")
        }
        Some(_) => format!("before all tables and figures were in {folder}"),
        None => format!("before moving anything into {folder}"),
    };
    format!("interrupted {state}; resume with:\n  {command}")
}

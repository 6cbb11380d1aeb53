//! `catena merge`: shards are put together.

use super::{
    Failure,
    args::MergeArgs,
    interrupt::{self, Interrupt},
    progress::Reporter,
    threads,
};
use crate::job::{self, MergeError};
use crate::shard::ShardKind;
use crate::text::{number::counted, printable};

pub(super) fn run(args: &MergeArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let reporter = Reporter::new(&args.progress);
    let folder = printable::path(&args.folder);
    let position = reporter.position();
    let last_words = {
        let folder = folder.clone();
        move || interrupted(&folder, position.reached())
    };
    let watched = interrupt.watched(last_words);
    let pool = threads::pool(threads::wanted(None), "merge", args.progress.quiet)?;
    let merged = pool.install(|| job::merge(&args.folder, &args.options(), &reporter, &watched));
    let merged = merged.map_err(|error| match error {
        MergeError::Refused(refusal) => refusal.into(),
        MergeError::Film(error) => error.into(),
        MergeError::Interrupted { there, frames } => Failure::Interrupted {
            code: interrupt.exit_code().unwrap_or(130),
            said: interrupted(&folder, Some([there, frames])),
        },
    })?;
    if merged.kind == ShardKind::Sweep {
        let (rows, shards) = (counted(merged.rows, "row"), counted(merged.shards.into(), "shard"));
        let place = args.folder.display();
        let files = "table.csv, table.parquet, sweep.json and report/index.html";
        reporter.finish(|| format!("{rows}: {files} in {place}, of {shards}"));
        return Ok(());
    }
    let what = match (&merged.film, merged.has_steady) {
        (Some(_), _) => "",
        (None, true) => ", steady.png and manifest.json",
        (None, false) => " and manifest.json",
    };
    let folder = merged.film.as_ref().unwrap_or(&args.folder).display();
    let packs = if merged.is_packed { ", packed" } else { "" };
    let shards = merged.shards;
    let name = if shards == 1 { "shard" } else { "shards" };
    let place = format!("{folder}{packs}, of {shards} {name}");
    reporter.done(merged.rows, what, &place, &[]);
    Ok(())
}

fn interrupted(folder: &str, reached: Option<[u64; 2]>) -> String {
    let command = interrupt::command();
    let state = match reached {
        Some([there, all]) => format!("with {there} of {all} frames in place in {folder}"),
        None => format!("before anything was moved in {folder}"),
    };
    format!("interrupted {state}; this goes on:\n  {command}")
}

//! Sweep: measures of many variants of a scene in a table, computed by one process or in shards.

mod bunch;
mod content;
mod merge;
mod page;
mod plan;
mod shard;
mod sheet;

pub use content::{MergedSweep, SweepContent, SweptField};
pub use merge::{merge_sweep, sweep_rows};
pub use page::sweep_page;
pub(super) use plan::start_work;
pub use plan::{SweepPlan, SweepTime, plan_sweep, sweep_time};
pub use sheet::{MAX_SHEET, sweep_sheet};

use super::{Interruption, Progress, RunError, threads};
use crate::job::sweep_inputs;
use crate::shard::{MergeRefusal, SHARDS, ShardChoice, ShardPlace, ShardSet};
use catena_output::OutputError;
use catena_output::pages::PageFolder;
use catena_scene::sweep::Sweep;
use catena_scene::{Limits, SceneError};
use content::{FILES, refuse_foreign};
use shard::TABLE;
use std::fs;
use std::path::{Path, PathBuf};

/// Result of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub enum Swept {
    /// The complete table.
    Table(Box<MergedSweep>),
    /// One shard of the table.
    Shard {
        /// Number of rows.
        rows: u64,
        /// Whether the shard was already finished.
        was_there: bool,
    },
}

/// Error of a sweep. Written results are kept, and repeating the sweep resumes it.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// An option is invalid, or a file could not be read or written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The shards cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeRefusal),
    /// The job was interrupted.
    #[error("interrupted with {there} of {all} variants")]
    Interrupted {
        /// Number of measured variants of the shard.
        there: u64,
        /// Number of variants of the shard.
        all: u64,
    },
}

impl From<OutputError> for SweepError {
    fn from(error: OutputError) -> Self {
        Self::Run(error.into())
    }
}

impl From<SceneError> for SweepError {
    fn from(error: SceneError) -> Self {
        Self::Run(error.into())
    }
}

/// Measures all variants of a sweep, or the variants of one shard. The folder receives `table.csv`,
/// `table.parquet` and `sweep.json`, or the files of a shard.
///
/// Results of an earlier call with the same sweep are reused, even after a kill. The table does not
/// depend on the number of shards or threads.
///
/// # Errors
/// A measure does not exist, an option is out of range, a file cannot be read or written, or the
/// job is interrupted.
pub fn sweep(
    sweep: &Sweep,
    folder: &Path,
    options: &SweepJobOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Swept, SweepError> {
    // A forked process lacks the threads of a shared pool, so the reports are also read in the pool
    // of this call.
    let run = || sweep_here(sweep, folder, options, progress, interruption);
    threads::with(options.threads, run)?
}

/// Makes a sweep in the rayon pool of this thread.
fn sweep_here(
    sweep: &Sweep,
    folder: &Path,
    options: &SweepJobOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Swept, SweepError> {
    let choice = options.shard.unwrap_or(ShardChoice::WHOLE);
    keep_in(sweep, folder, &ShardPlace::new(folder, choice))?;
    let task = shard::ShardTask::new(sweep, folder, choice, options)?;
    if options.shard.is_none() {
        if let Some(there) = merge::read_complete(folder, &task)? {
            progress.begin(there.content.variants, there.content.variants);
            return Ok(Swept::Table(Box::new(there)));
        }
        refuse_shards(folder)?;
        refuse_foreign(folder)?;
        task.make_room()?;
    }
    let (rows, was_there) = task.run(progress, interruption)?;
    if options.shard.is_some() {
        return Ok(Swept::Shard { rows, was_there });
    }
    let merged = merge_sweep(&ShardSet::read(folder)?, folder, &(), interruption)?;
    let Some(merged) = merged else {
        let all = sweep.variants();
        return Err(SweepError::Interrupted { there: all, all });
    };
    let place = ShardPlace::new(folder, choice);
    for path in [place.report(), place.file(TABLE)] {
        catena_output::atomic::remove(&path)?;
    }
    // Best effort: the folder may hold foreign files.
    let _ = fs::remove_dir(folder.join(SHARDS));
    Ok(Swept::Table(Box::new(merged)))
}

/// Returns an error if the folder holds shards, before anything is measured.
fn refuse_shards(folder: &Path) -> Result<(), RunError> {
    let is_shard_of_many = match ShardSet::read(folder) {
        Ok(set) => set.of() > 1,
        Err(MergeRefusal::Incomplete { of, .. }) => of > 1,
        Err(MergeRefusal::OtherCount(_) | MergeRefusal::OtherSource { .. }) => true,
        Err(_) => false,
    };
    if !is_shard_of_many {
        return Ok(());
    }
    let folder = folder.display();
    Err(RunError::Option(format!(
        "{folder}/{SHARDS} contains shards of a sweep or render: merge them with `catena merge {folder}`, or choose another --out"
    )))
}

/// Options of a sweep job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepJobOptions {
    /// Shard to compute. `None` computes the complete table.
    pub shard: Option<ShardChoice>,
    /// Limits on each variant.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The output does not
    /// depend on it.
    pub threads: Option<u16>,
    /// Command line, for the report of a shard.
    pub command: String,
    /// Command that repeats the whole sweep, for its page.
    pub repeat: String,
    /// Share of a neighbour's bunches that a shard measures again, from 0 to 1.
    pub audit: Option<f64>,
}

/// Returns an error if the table, the page or the shard in this folder would replace an input file
/// of the sweep.
///
/// # Errors
/// The first such file.
fn keep_in(sweep: &Sweep, folder: &Path, place: &ShardPlace) -> Result<(), RunError> {
    let mut outputs: Vec<PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
    outputs.extend([place.report(), place.journal(), place.file(TABLE)]);
    outputs.extend(PageFolder::recorded(&folder.join(page::FOLDER)));
    keep(sweep, &outputs)
}

/// Returns an error if an output would replace an input file of the sweep.
///
/// # Errors
/// The first such file.
fn keep(sweep: &Sweep, outputs: &[PathBuf]) -> Result<(), RunError> {
    if outputs.iter().all(|path| path.symlink_metadata().is_err()) {
        return Ok(());
    }
    let inputs = sweep_inputs(sweep);
    let mut kept = outputs.iter().map(|path| inputs.refuse("--out", path));
    kept.try_for_each(|it| it).map_err(RunError::Option)
}

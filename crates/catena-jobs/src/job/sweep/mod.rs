//! Many variants of a scene, measured: a table, in one process or in shards.

mod bunch;
mod content;
mod inputs;
mod merge;
mod options;
mod page;
mod plan;
mod rows;
mod setup_key;
mod shard;
mod sheet;
mod spool;
mod total;

pub use content::{SweepContent, SweptField};
pub use merge::{MergedSweep, merge_sweep};
pub use options::SweepJobOptions;
pub use page::sweep_page;
pub use plan::{SweepPlan, plan_sweep};
pub use rows::sweep_rows;
pub use sheet::{MOST_SHEET, sweep_sheet};
pub use total::excess as sweep_excess;

use super::{Interruption, Progress, RunError, threads};
use crate::shard::{MergeRefusal, SHARDS, ShardChoice, ShardPlace, ShardSet};
use catena_output::OutputError;
use catena_scene::{SceneError, sweep::Sweep};
use std::{fs, path::Path};

/// What a sweep has made.
#[derive(Clone, Debug, PartialEq)]
pub enum Swept {
    /// The whole table.
    Table(Box<MergedSweep>),
    /// A shard of it.
    Shard {
        /// How many rows it has.
        rows: u64,
        /// Whether it was finished already.
        was_there: bool,
    },
}

/// Why a sweep did not come to its end. What is written stays, and the same sweep goes on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// An option is wrong, or a file failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The shards cannot be put together.
    #[error(transparent)]
    Merge(#[from] MergeRefusal),
    /// The job was ended early.
    #[error("interrupted with {there} of {all} variants")]
    Interrupted {
        /// How many variants of the shard are there.
        there: u64,
        /// How many it has.
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

/// Measures all variants of a sweep, or those of one shard, into a folder: `table.csv`,
/// `table.parquet` and `sweep.json`, or the files of a shard.
///
/// What an earlier call with the same sweep has measured is taken over, also after a kill. The
/// table does not depend on the number of shards or threads.
///
/// # Errors
/// A measure that does not exist, an option out of its range, a file that fails, or an
/// interruption.
pub fn sweep(
    sweep: &Sweep,
    folder: &Path,
    options: &SweepJobOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Swept, SweepError> {
    // A forked process lacks the threads of a shared pool, so reports are read here as well.
    let run = || sweep_here(sweep, folder, options, (progress, interruption));
    threads::with(options.threads, run)?
}

/// Makes a sweep in the rayon pool that this thread is in.
fn sweep_here(
    sweep: &Sweep,
    folder: &Path,
    options: &SweepJobOptions,
    (progress, interruption): (&dyn Progress, &dyn Interruption),
) -> Result<Swept, SweepError> {
    let choice = options.shard.unwrap_or(ShardChoice::WHOLE);
    inputs::keep_in(sweep, folder, &ShardPlace::new(folder, choice))?;
    let task = shard::ShardTask::new(sweep, folder, choice, options)?;
    if options.shard.is_none() {
        if let Some(there) = merge::there(folder, &task)? {
            progress.begin(there.content.variants, there.content.variants);
            return Ok(Swept::Table(Box::new(there)));
        }
        refuse_shards(folder)?;
        merge::refuse_foreign(folder)?;
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
    for path in [place.report(), place.file(shard::TABLE)] {
        catena_output::atomic::remove(&path)?;
    }
    // Somebody else's files may lie there as well.
    let _ = fs::remove_dir(folder.join(SHARDS));
    Ok(Swept::Table(Box::new(merged)))
}

/// Refuses a folder in which shards lie, before anything is measured.
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
        "shards of a sweep or render lie in {folder}/{SHARDS}: put them together with `catena merge {folder}`, or choose another --out"
    )))
}

//! Merge of shards of either kind.

mod render;

use super::{FigureStyle, Interruption, MergedSweep, Progress, RunError, merge_sweep, sweep_page};
use crate::shard::{MergeRefusal, SHARDS, ShardKind, ShardSet};
use catena_base::threads::in_pool;
use catena_output::film::{FilmError, FilmOptions};
use catena_output::{OutputError, atomic};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Result of a merge.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// Merged frames of a render.
    Frames(MergedFrames),
    /// Merged table of a sweep.
    Sweep {
        /// Table of the sweep.
        table: Box<MergedSweep>,
        /// Number of merged shards.
        shards: u32,
    },
}

/// Result of merging a render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFrames {
    /// Number of merged shards.
    pub shards: u32,
    /// Number of frames.
    pub frames: u64,
    /// Whether there is a steady-state comparison.
    pub has_steady: bool,
    /// Path of the film that the segments were joined into.
    pub film: Option<PathBuf>,
    /// Whether the frames are stored in packs.
    pub is_packed: bool,
}

/// Options of a merge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergeOptions {
    /// Programs that join the segments of a film, and their time limit without progress. The other
    /// options come from the shards.
    pub film: FilmOptions,
    /// Size and text of the figures of a sweep.
    pub figures: FigureStyle,
}

/// Error of a merge.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The shards cannot be merged, or a file could not be read or written.
    #[error(transparent)]
    Refused(#[from] MergeRefusal),
    /// The segments of a film cannot be joined.
    #[error(transparent)]
    Film(FilmError),
    /// The job was interrupted.
    #[error("interrupted with {there} of {all} in place")]
    Interrupted {
        /// Number of frames or rows that have been merged.
        there: u64,
        /// Total number of frames or rows.
        all: u64,
    },
}

impl From<OutputError> for MergeError {
    fn from(error: OutputError) -> Self {
        MergeRefusal::from(error).into()
    }
}

impl From<FilmError> for MergeError {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Output(error) => error.into(),
            error => Self::Film(error),
        }
    }
}

/// Merges the shards in a folder. The result has the same bytes as an undivided run. Every file is
/// verified by its hash. A merge can be repeated, even after a kill.
///
/// # Errors
/// The shards are missing, damaged, from different sources or in disagreement; or the merge is
/// interrupted.
pub fn merge(
    folder: &Path,
    options: &MergeOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Merged, MergeError> {
    atomic::refuse_link(&folder.join(SHARDS))?;
    in_pool(|| merge_here(folder, options, progress, interruption))
}

/// Merges in the rayon pool of this thread.
fn merge_here(
    folder: &Path,
    options: &MergeOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Merged, MergeError> {
    let set = ShardSet::read(folder)?;
    match set.kind() {
        Some(ShardKind::Render) => {
            render::run(folder, &set, options, progress, interruption).map(Merged::Frames)
        }
        Some(ShardKind::Sweep) => sweep(&set, folder, options, progress, interruption),
        None => Err(MergeRefusal::Nothing(folder.into()).into()),
    }
}

/// Merges the shards of a sweep and draws its page. The shards are kept.
fn sweep(
    set: &ShardSet,
    folder: &Path,
    options: &MergeOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Merged, MergeError> {
    let rows = set.reports().iter().map(|found| found.report.rows).sum();
    progress.counts("rows");
    let table = merge_sweep(set, folder, progress, interruption)?;
    let Some(table) = table else { return Err(MergeError::Interrupted { there: 0, all: rows }) };
    if interruption.is_set() {
        return Err(MergeError::Interrupted { there: rows, all: rows });
    }
    sweep_page(&table, folder, &options.figures).map_err(|error| match error {
        RunError::Output(error) => error,
        error => OutputError::new("draw the page of", folder, io::Error::other(error)),
    })?;
    Ok(Merged::Sweep { table: Box::new(table), shards: set.of() })
}

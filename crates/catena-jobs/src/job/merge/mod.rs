//! Puts shards together, whatever they are shards of.

mod film;
mod render;

use super::{Interruption, MergedSweep, Progress, RunError, merge_sweep, sweep_page};
use crate::shard::{MergeRefusal, SHARDS, ShardKind, ShardSet};
use catena_base::threads::in_pool;
use catena_output::film::{FilmError, FilmOptions};
use catena_output::{OutputError, atomic};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What was put together.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// A render.
    Frames(MergedFrames),
    /// A sweep.
    Sweep {
        /// Its table.
        table: Box<MergedSweep>,
        /// Of how many shards.
        shards: u32,
    },
}

/// A render that was put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFrames {
    /// Of how many shards.
    pub shards: u32,
    /// How many frames there are.
    pub frames: u64,
    /// Whether there is a steady-state comparison.
    pub has_steady: bool,
    /// The film that segments were joined to.
    pub film: Option<PathBuf>,
    /// Whether frames lie in packs.
    pub is_packed: bool,
}

/// What can be chosen about putting shards together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergeOptions {
    /// Which ffmpeg and ffprobe join the segments of a film, and how long they may do nothing; the
    /// other options are those of the shards.
    pub film: FilmOptions,
}

/// Why shards were not put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// They do not make a whole, or a file failed.
    #[error(transparent)]
    Refused(#[from] MergeRefusal),
    /// Segments of a film cannot be joined.
    #[error(transparent)]
    Film(FilmError),
    /// The job was ended early.
    #[error("interrupted with {there} of {all} in place")]
    Interrupted {
        /// How many frames or rows are in place.
        there: u64,
        /// How many there will be.
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

/// Puts the shards in a folder together, so that it holds what an unbroken run would have made, to
/// the byte. Every file is hashed on the way. It can be repeated, also after a kill.
///
/// # Errors
/// A [`MergeRefusal`] where shards are missing, damaged, of different sources or contradict each
/// other; or an interruption.
pub fn merge(
    folder: &Path,
    options: &MergeOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Merged, MergeError> {
    atomic::refuse_link(&folder.join(SHARDS))?;
    in_pool(|| merge_here(folder, options, (progress, interruption)))
}

/// Merges in the rayon pool that this thread is in.
fn merge_here(
    folder: &Path,
    options: &MergeOptions,
    (progress, interruption): (&dyn Progress, &dyn Interruption),
) -> Result<Merged, MergeError> {
    let set = ShardSet::read(folder)?;
    match set.kind() {
        Some(ShardKind::Render) => {
            render::run(folder, &set, options, (progress, interruption)).map(Merged::Frames)
        }
        Some(ShardKind::Sweep) => sweep(&set, folder, (progress, interruption)),
        None => Err(MergeRefusal::Nothing(folder.into()).into()),
    }
}

/// Puts the shards of a sweep together, and draws its page. The shards stay.
fn sweep(
    set: &ShardSet,
    folder: &Path,
    (progress, interruption): (&dyn Progress, &dyn Interruption),
) -> Result<Merged, MergeError> {
    let rows = set.reports().iter().map(|found| found.report.rows).sum();
    progress.counts("rows");
    let table = merge_sweep(set, folder, progress, interruption)?;
    let Some(table) = table else { return Err(MergeError::Interrupted { there: 0, all: rows }) };
    if interruption.is_set() {
        return Err(MergeError::Interrupted { there: rows, all: rows });
    }
    sweep_page(&table, folder).map_err(|error| match error {
        RunError::Output(error) => error,
        error => OutputError::new("draw the page of", folder, io::Error::other(error)),
    })?;
    Ok(Merged::Sweep { table: Box::new(table), shards: set.of() })
}

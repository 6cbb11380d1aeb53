//! The files of a sweep that none of its own outputs may replace.

use super::{merge::FILES, page, shard::TABLE};
use crate::job::{RunError, sweep_inputs};
use crate::shard::ShardPlace;
use catena_output::pages::PageFolder;
use catena_scene::sweep::Sweep;
use std::path::{Path, PathBuf};

/// Refuses a folder in which the table, the page or the shard would replace a file that the sweep
/// is read from.
///
/// # Errors
/// At the first such file.
pub(super) fn keep_in(sweep: &Sweep, folder: &Path, place: &ShardPlace) -> Result<(), RunError> {
    let mut outputs: Vec<PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
    outputs.extend([place.report(), place.journal(), place.file(TABLE)]);
    outputs.extend(PageFolder::recorded(&folder.join(page::FOLDER)));
    keep(sweep, &outputs)
}

/// Refuses outputs that would replace a file that the sweep is read from.
///
/// # Errors
/// At the first of them.
pub(super) fn keep(sweep: &Sweep, outputs: &[PathBuf]) -> Result<(), RunError> {
    if outputs.iter().all(|path| path.symlink_metadata().is_err()) {
        return Ok(());
    }
    let inputs = sweep_inputs(sweep);
    let mut kept = outputs.iter().map(|path| inputs.refuse("--out", path));
    kept.try_for_each(|it| it).map_err(RunError::Option)
}

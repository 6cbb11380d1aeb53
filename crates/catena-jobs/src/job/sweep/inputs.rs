//! Protection of a sweep's input files from its own outputs.

use super::{merge::FILES, page, shard::TABLE};
use crate::job::{RunError, sweep_inputs};
use crate::shard::ShardPlace;
use catena_output::pages::PageFolder;
use catena_scene::sweep::Sweep;
use std::path::{Path, PathBuf};

/// Returns an error if the table, the page or the shard in this folder would replace an input file
/// of the sweep.
///
/// # Errors
/// The first such file.
pub(super) fn keep_in(sweep: &Sweep, folder: &Path, place: &ShardPlace) -> Result<(), RunError> {
    let mut outputs: Vec<PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
    outputs.extend([place.report(), place.journal(), place.file(TABLE)]);
    outputs.extend(PageFolder::recorded(&folder.join(page::FOLDER)));
    keep(sweep, &outputs)
}

/// Returns an error if an output would replace an input file of the sweep.
///
/// # Errors
/// The first such file.
pub(super) fn keep(sweep: &Sweep, outputs: &[PathBuf]) -> Result<(), RunError> {
    if outputs.iter().all(|path| path.symlink_metadata().is_err()) {
        return Ok(());
    }
    let inputs = sweep_inputs(sweep);
    let mut kept = outputs.iter().map(|path| inputs.refuse("--out", path));
    kept.try_for_each(|it| it).map_err(RunError::Option)
}

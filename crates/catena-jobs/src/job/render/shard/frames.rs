//! A shard whose frames are files in a folder of its own.

use super::{FolderShard, RenderContent};
use crate::job::render::{RenderError, Rendered, exclusive, task::Task};
use crate::shard::{ShardFile, ShardPlace, ShardReport};
use catena_output::{
    OutputError,
    folder::{Folder, holds},
    manifest::Manifest,
};
use std::path::Path;

/// Renders the frames and returns the result.
pub(super) fn run(
    task: &Task<'_>,
    folder: &Folder,
    place: &ShardPlace,
    total: u64,
) -> Result<FolderShard, RenderError> {
    let (rendered, manifest) = exclusive::run_in(task, folder)?;
    let Manifest { source, frames, steady, .. } = manifest;
    let named = frames.iter().map(|entry| (&entry.file, &entry.sha256));
    let named = named.chain(steady.iter().map(|steady| (&steady.file, &steady.sha256)));
    let files = named.map(|(name, sha256)| file(place, name, sha256)).collect::<Result<_, _>>()?;
    let content = RenderContent { source, total, frames, steady, pack: None, film: None };
    Ok(FolderShard { rendered, files, content })
}

/// Entry for a file in the shard's folder, whose hash is known.
pub(super) fn file(place: &ShardPlace, name: &str, sha256: &str) -> Result<ShardFile, OutputError> {
    let file = format!("{}/{name}", place.stem());
    let path = place.folder().join(&file);
    let refuse = |cause| OutputError::new("read", &path, cause);
    let bytes = path.metadata().map_err(refuse)?.len();
    Ok(ShardFile { file, sha256: sha256.into(), bytes })
}

/// Result of a shard whose frames have been merged and are intact. `None` if any file is missing or
/// damaged.
pub(super) fn report_if_merged(
    task: &Task<'_>,
    folder: &Path,
    report: &ShardReport,
) -> Option<Rendered> {
    let RenderContent { frames, steady, .. } = report.content().ok()?;
    let files = frames.iter().map(|entry| (&*entry.file, &*entry.sha256));
    let mut files = files.chain(steady.iter().map(|steady| (&*steady.file, &*steady.sha256)));
    // Without files to check, the folder of the shard tells whether it was merged.
    let has_files = !report.files.is_empty() || !task.path.exists();
    (has_files && files.all(|(name, hash)| holds(folder, name, hash))).then(|| {
        task.begin(0, &[]);
        Rendered {
            frames: frames.len() as u64,
            has_steady: steady.is_some(),
            note: None,
            bodies: Vec::new(),
        }
    })
}

//! Records of unfinished renders beside the manifest: journals, claims and notes.

use super::{
    OutputError,
    atomic::files_in,
    claim,
    journal::JournalContents,
    manifest::{FrameEntry, RenderSource, SteadyEntry},
    names::{CLAIMS, JOURNAL, PRIVATE, REMOVALS},
    ownership::OwnedFiles,
};
use catena_base::read;
use catena_base::text::number::counted;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Extension of the file of a finished piece.
const DONE: &str = "done";

/// All journals and claims of a folder.
pub(super) struct FolderRecords {
    journals: Vec<JournalContents>,
    /// Frames of finished pieces.
    done: Vec<FrameEntry>,
    /// Steady-state comparisons of finished pieces.
    steady: Vec<SteadyEntry>,
    /// Number of damaged lines and files.
    damaged: usize,
}

impl FolderRecords {
    /// Reads all records of a folder. Reports of finished pieces count if they have the key of
    /// `source` or of a journal.
    ///
    /// # Errors
    /// Returned if a record exists but cannot be read now.
    pub(super) fn read(folder: &Path, source: &RenderSource) -> Result<Self, OutputError> {
        let private = folder.join(PRIVATE);
        let ranges = fs::read_dir(private.join(CLAIMS)).into_iter().flatten().flatten();
        let mut claims: Vec<_> = ranges.flat_map(|range| files_in(&range.path())).collect();
        claims.sort();
        let own = [JOURNAL, REMOVALS].map(|name| private.join(name));
        let is_done = |path: &Path| path.extension().is_some_and(|ending| ending == DONE);
        let (done, journals): (Vec<_>, Vec<_>) =
            own.into_iter().chain(claims).partition(|path| is_done(path));
        let mut records =
            Self { journals: Vec::new(), done: Vec::new(), steady: Vec::new(), damaged: 0 };
        for bytes in contents(&journals)? {
            match JournalContents::parse(&bytes) {
                Some(past) => {
                    records.damaged += past.damaged;
                    records.journals.push(past);
                }
                // A journal without a complete line has just been started, and is not damaged.
                None => records.damaged += usize::from(bytes.contains(&b'\n')),
            }
        }
        let keys = records.journals.iter().map(|past| past.key.clone()).chain([source.key()]);
        let keys: BTreeSet<String> = keys.collect();
        for bytes in contents(&done)? {
            let frames = keys.iter().find_map(|key| claim::done::<Vec<FrameEntry>>(&bytes, key));
            let steady = keys.iter().find_map(|key| claim::done::<SteadyEntry>(&bytes, key));
            records.damaged += usize::from(frames.is_none() && steady.is_none());
            records.done.extend(frames.into_iter().flatten());
            records.steady.extend(steady);
        }
        Ok(records)
    }

    /// Frames of a source, in the order in which they were written.
    pub(super) fn entries(&self, source: &RenderSource) -> Vec<FrameEntry> {
        let key = source.key();
        let journals = self.journals.iter().filter(|past| past.key == key);
        journals.flat_map(|past| past.entries.iter().cloned()).collect()
    }

    /// Frames of finished pieces, whose files exist, by number.
    pub(super) fn finished(&self) -> BTreeMap<u64, &FrameEntry> {
        self.done.iter().map(|entry| (entry.frame, entry)).collect()
    }

    /// Adds all files that the records name, of any source, to `owned`.
    pub(super) fn add_to(&self, owned: &mut OwnedFiles) {
        self.journals.iter().for_each(|past| past.add_to(owned));
        self.done.iter().for_each(|entry| owned.add(&entry.file, &entry.sha256));
        self.steady.iter().for_each(|steady| owned.add(&steady.file, &steady.sha256));
    }

    /// Message about damaged records; `None` without any.
    pub(super) fn damage(&self) -> Option<String> {
        if self.damaged == 0 {
            return None;
        }
        let lines = counted(self.damaged as u64, "line");
        Some(format!(
            "note: {lines} of the journals in {PRIVATE} cannot be trusted; files that no other record names are rendered anew"
        ))
    }
}

/// Reads the bytes of those records that exist.
fn contents(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>, OutputError> {
    let read = |path: &PathBuf| {
        read::record(path).map_err(|cause| OutputError::new("read", path, cause)).transpose()
    };
    paths.iter().filter_map(read).collect()
}

//! The folder that a scene is rendered into: pictures, a manifest, and in `.catena` catena's
//! private files.

use super::{
    OutputError,
    atomic::{self, Durability},
    hash::sha256_of_file,
    lock::{self, Lock, LockMode},
    manifest::{FrameEntry, Manifest, RenderSource, SteadyEntry},
    names::{CLAIMS, JOURNAL, PRIVATE, REMOVALS, frame_name, is_render_file},
    ownership::{self, OwnedFiles},
    records::FolderRecords,
};
use crate::read;
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// A folder that is ready for pictures, and locked against renders that do not share it.
pub struct Folder {
    path: PathBuf,
    private: PathBuf,
    /// Whether catena has used the folder before.
    pub(super) was_used: bool,
    _lock: Lock,
}

/// The unchanged files that an earlier render of the same source has left.
#[derive(Clone, Debug, Default)]
pub struct EarlierRender {
    /// The frames in order.
    pub frames: Vec<FrameEntry>,
    /// The steady-state comparison, if it was made.
    pub steady: Option<SteadyEntry>,
    /// Whether the manifest is that of another source.
    pub has_other_source: bool,
    /// Messages about what is not taken over, a line each.
    pub notes: Vec<String>,
    /// All files that catena's records name, of whatever source.
    pub owned: OwnedFiles,
    /// Whether the manifest exists and is damaged or changed.
    pub has_untrusted_manifest: bool,
}

impl Folder {
    /// Makes the folder where it does not exist, tries whether it can be written to, and locks it.
    ///
    /// # Errors
    /// When that fails, or another process renders into it.
    pub fn open(path: &Path, hold: LockMode) -> Result<Self, OutputError> {
        Self::try_open(path, hold)?.ok_or_else(|| lock::held_error(path, &path.join(PRIVATE)))
    }

    /// Like [`Folder::open`]; `None` where another process renders into it.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn try_open(path: &Path, hold: LockMode) -> Result<Option<Self>, OutputError> {
        let was_used = path.join(PRIVATE).is_dir();
        let private = prepare(path)?;
        let Some(lock) = Lock::take(&private, hold)? else { return Ok(None) };
        if hold == LockMode::Exclusive {
            sweep(&private);
        }
        write_gitignore(&private)?;
        Ok(Some(Self { path: path.into(), private, was_used, _lock: lock }))
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of catena's private folder in it.
    pub fn private(&self) -> &Path {
        &self.private
    }

    /// The path of the journal of an exclusive render.
    pub fn journal(&self) -> PathBuf {
        self.private.join(JOURNAL)
    }

    /// The folder of the claims on a range of frames.
    pub fn claims(&self, range: &Range<u64>) -> PathBuf {
        self.private.join(CLAIMS).join(format!("{}-{}", range.start, range.end - 1))
    }

    /// The unchanged files that renders of the same source have left, finished or not. A frame
    /// counts when its file has the recorded hash.
    pub fn earlier_render(&self, source: &RenderSource) -> EarlierRender {
        let mut found = EarlierRender::default();
        let mut entries = Vec::new();
        match Manifest::read(&self.path) {
            Ok(Some(old)) => {
                old.add_to(&mut found.owned);
                if old.source == *source {
                    entries = old.frames;
                    let is_whole =
                        |steady: &SteadyEntry| self.has_file(&steady.file, &steady.sha256);
                    found.steady = old.steady.filter(is_whole);
                } else {
                    found.has_other_source = true;
                    found.notes.push(other_source(&old, source));
                }
            }
            Ok(None) => {}
            Err(error) => {
                found.has_untrusted_manifest = true;
                found
                    .notes
                    .push(format!("note: {error}; files that only it names are rendered anew"));
            }
        }
        let records = FolderRecords::read(&self.path, source);
        records.add_to(&mut found.owned);
        found.notes.extend(records.damage());
        entries.extend(records.entries(source));
        // Later entries replace earlier ones of the same frame.
        let latest: BTreeMap<u64, FrameEntry> =
            entries.into_iter().map(|entry| (entry.frame, entry)).collect();
        let latest: Vec<FrameEntry> = latest.into_values().collect();
        found.frames = latest.into_par_iter().filter(|entry| self.has_frame(entry)).collect();
        found
    }

    /// Whether the file of a frame is unchanged.
    pub fn has_frame(&self, entry: &FrameEntry) -> bool {
        entry.file == frame_name(entry.frame) && self.has_file(&entry.file, &entry.sha256)
    }

    /// Whether an ordinary file of this name has this hash; a link never does.
    pub fn has_file(&self, name: &str, hash: &str) -> bool {
        let path = self.file(name);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
        is_file
            && is_render_file(name)
            && sha256_of_file(&path, read::LARGE).is_ok_and(|found| found == hash)
    }

    /// Writes a file, whole or not at all, unless another program's file has its name. `before` is
    /// called just before the file takes its name.
    ///
    /// # Errors
    /// When another program's file has the name, or the disk or `before` fails.
    pub fn write(
        &self,
        name: &str,
        bytes: &[u8],
        care: Durability,
        before: impl FnOnce() -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let path = self.file(name);
        ownership::check_replaceable(&path, bytes)?;
        let file = atomic::stage(&self.private, &path, bytes, care)?;
        before()?;
        file.publish(&path)
    }

    /// The path of the note about files that a render removes before it begins.
    pub(super) fn removals(&self) -> PathBuf {
        self.private.join(REMOVALS)
    }

    /// Removes the private folder that a refused render has made: the next render shall see that
    /// the folder is not catena's, too.
    pub(super) fn remove_private(&self) {
        if !self.was_used {
            let _ = fs::remove_dir_all(&self.private);
        }
    }

    /// Removes all claims, once the manifest holds what they say. The folder must be held
    /// exclusively.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove_all_claims(&self) -> Result<(), OutputError> {
        atomic::remove_folder(&self.private.join(CLAIMS))
    }

    /// Removes the claims on a range of frames, once the manifest holds what they say. The folder
    /// must be held exclusively.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove_claims(&self, range: &Range<u64>) -> Result<(), OutputError> {
        atomic::remove_folder(&self.claims(range))?;
        // The folder stays where it holds claims on other ranges.
        let _ = fs::remove_dir(self.private.join(CLAIMS));
        Ok(())
    }

    /// Removes the journal, once the manifest holds what it says.
    ///
    /// # Errors
    /// When the journal cannot be removed.
    pub fn remove_journal(&self) -> Result<(), OutputError> {
        atomic::remove(&self.journal())
    }
}

/// Makes catena's private folder where it does not exist, and returns its path. A link in its place
/// is replaced.
///
/// # Errors
/// When it cannot be made or written to.
pub fn prepare(path: &Path) -> Result<PathBuf, OutputError> {
    atomic::prepare_folder(path)?;
    let private = path.join(PRIVATE);
    if fs::symlink_metadata(&private).is_ok_and(|meta| !meta.is_dir()) {
        fs::remove_file(&private).map_err(|cause| OutputError::new("remove", &private, cause))?;
    }
    atomic::prepare_folder(&private)?;
    Ok(private)
}

/// Keeps the private folder out of repositories of golden pictures, since its files differ from
/// machine to machine. The folder must be locked: another process may be removing unfinished files.
pub(super) fn write_gitignore(private: &Path) -> Result<(), OutputError> {
    let ignore = private.join(".gitignore");
    if ignore.is_file() { Ok(()) } else { atomic::write(&ignore, b"*\n") }
}

/// Removes the unfinished files of killed renders. They have no final names, so one that stays does
/// no harm.
pub(super) fn sweep(folder: &Path) {
    for path in atomic::files_in(folder) {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(atomic::is_temporary) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The frames of a source that renders under way, or ended early, have recorded beside the
/// manifest. Their files may have changed since.
pub fn recorded_frames(folder: &Path, source: &RenderSource) -> Vec<FrameEntry> {
    FolderRecords::read(folder, source).entries(source)
}

/// The message about a folder that holds frames of another source, with what differs.
fn other_source(old: &Manifest, new: &RenderSource) -> String {
    let count = old.frames.len();
    let old = &old.source;
    let what = match () {
        () if old.scene_text != new.scene_text => "of another scene text",
        () if old.set != new.set => "with other --set",
        () if old.size != new.size => "of another size",
        () if old.font_sha256 != new.font_sha256 => "with another font",
        () if old.catena != new.catena || old.build != new.build => "by another build of catena",
        () => "of another scene",
    };
    format!(
        "note: the folder held {count} frames {what}; those that are as catena wrote them are removed, and all is rendered anew \
         (another --out keeps such frames)"
    )
}

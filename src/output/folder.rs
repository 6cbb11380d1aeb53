//! The folder that a scene is rendered into: pictures and a manifest, and in `.catena` what only catena needs.

use super::{
    OutputError,
    atomic::{self, Durability},
    hash::sha256_of_file,
    lock::{self, Lock, LockMode},
    manifest::{FrameEntry, Manifest, RenderSource, SteadyEntry},
    names::{CLAIMS, JOURNAL, PRIVATE, REMOVALS, frame_name, is_ours},
    ownership::{self, OwnedFiles},
    records::FolderRecords,
};
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// A folder that is ready to take pictures, and that nobody else renders into unless it is shared.
pub struct Folder {
    path: PathBuf,
    private: PathBuf,
    /// Whether catena has been here before.
    pub(super) was_used: bool,
    _lock: Lock,
}

/// What an earlier render of the same source has left that is still what it was.
#[derive(Clone, Debug, Default)]
pub struct EarlierRender {
    /// The frames, in order.
    pub frames: Vec<FrameEntry>,
    /// The steady-state comparison.
    pub steady: Option<SteadyEntry>,
    /// Whether the folder holds a render from another source.
    pub has_other_source: bool,
    /// Why something is not taken over.
    pub notes: Vec<String>,
    /// What is known as ours, of whatever source.
    pub owned: OwnedFiles,
    /// Whether there is a manifest that cannot be trusted.
    pub has_untrusted_manifest: bool,
}

impl Folder {
    /// Makes the folder where it does not exist, makes sure that it can be written to, and takes its lock.
    ///
    /// # Errors
    /// When that fails, or somebody else renders into it.
    pub fn open(path: &Path, hold: LockMode) -> Result<Self, OutputError> {
        Self::try_open(path, hold)?.ok_or_else(|| lock::held_error(path, &path.join(PRIVATE)))
    }

    /// The same; `None` where somebody else renders into it.
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

    /// Where a file of this name lies.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where what only catena needs is.
    pub fn private(&self) -> &Path {
        &self.private
    }

    /// Where a render alone keeps its journal.
    pub fn journal(&self) -> PathBuf {
        self.private.join(JOURNAL)
    }

    /// Where the claims on a range of frames are kept.
    pub fn claims(&self, range: &Range<u64>) -> PathBuf {
        self.private.join(CLAIMS).join(format!("{}-{}", range.start, range.end - 1))
    }

    /// What renders from the same source have left here, finished or not. Frames count by their hash alone.
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
                    .push(format!("note: {error}; what it alone vouches for is rendered anew"));
            }
        }
        let records = FolderRecords::read(&self.path, source);
        records.add_to(&mut found.owned);
        found.notes.extend(records.damage());
        entries.extend(records.entries(source));
        // What was written later stands later.
        let latest: BTreeMap<u64, FrameEntry> =
            entries.into_iter().map(|entry| (entry.frame, entry)).collect();
        let latest: Vec<FrameEntry> = latest.into_values().collect();
        found.frames = latest.into_par_iter().filter(|entry| self.has_frame(entry)).collect();
        found
    }

    /// Whether the file of a frame is what it was.
    pub fn has_frame(&self, entry: &FrameEntry) -> bool {
        entry.file == frame_name(entry.frame) && self.has_file(&entry.file, &entry.sha256)
    }

    /// Whether there is an ordinary file with these bytes; a link is none.
    pub fn has_file(&self, name: &str, hash: &str) -> bool {
        let path = self.file(name);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
        is_file && is_ours(name) && sha256_of_file(&path).is_ok_and(|found| found == hash)
    }

    /// Writes a file, whole or not at all, where nothing is in its way that is not ours. `before`
    /// is done just before it takes its name.
    ///
    /// # Errors
    /// When something else has its name, or the disk or `before` refuses.
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

    /// Where a render notes what it removes before it begins.
    pub(super) fn removals(&self) -> PathBuf {
        self.private.join(REMOVALS)
    }

    /// Removes what was made here for a render that is refused: the folder is somebody else's, and the next one shall see that, too.
    pub(super) fn remove_private(&self) {
        if !self.was_used {
            let _ = fs::remove_dir_all(&self.private);
        }
    }

    /// Forgets all claims: what they say stands in the manifest. Only for one who is alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove_all_claims(&self) -> Result<(), OutputError> {
        atomic::remove_folder(&self.private.join(CLAIMS))
    }

    /// Forgets the claims on a range of frames whose manifest is written. Only for one who is alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove_claims(&self, range: &Range<u64>) -> Result<(), OutputError> {
        atomic::remove_folder(&self.claims(range))?;
        // It stays where there are claims on other ranges.
        let _ = fs::remove_dir(self.private.join(CLAIMS));
        Ok(())
    }

    /// Forgets the journal: what it says stands in the manifest.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_journal(&self) -> Result<(), OutputError> {
        atomic::remove(&self.journal())
    }
}

/// The folder of what only catena needs, made where it does not exist. A link in its place is replaced.
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

/// Keeps what only catena needs out of repositories, where golden pictures lie: it differs from
/// machine to machine. Only for one who has the lock: another one may be sweeping unfinished files.
pub(super) fn write_gitignore(private: &Path) -> Result<(), OutputError> {
    let ignore = private.join(".gitignore");
    if ignore.is_file() { Ok(()) } else { atomic::write(&ignore, b"*\n") }
}

/// Removes what a killed render left unfinished. It has no final name, so a file that stays does no harm.
pub(super) fn sweep(folder: &Path) {
    for path in atomic::files_in(folder) {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(atomic::is_temporary) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Frames from a source that renders under way, or ended before their time, have written into a folder beside those of its manifest. Their
/// files may have changed since.
pub fn recorded_frames(folder: &Path, source: &RenderSource) -> Vec<FrameEntry> {
    FolderRecords::read(folder, source).entries(source)
}

/// Says what is not the same any more.
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

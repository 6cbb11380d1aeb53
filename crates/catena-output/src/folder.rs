//! Output folder of a render: pictures, a manifest, and catena's private files in `.catena`, such
//! as the records of unfinished renders.

use super::{
    OutputError,
    atomic::{self, Durability, files_in},
    claim,
    hash::sha256_of_file,
    journal::JournalContents,
    lock::{self, Lock, LockMode},
    manifest::{FrameEntry, Manifest, RenderSource, SteadyEntry},
    names::{CLAIMS, FrameNames, JOURNAL, MANIFEST, PRIVATE, REMOVALS, could_be_render_file},
    ownership::{self, OwnedFiles},
};
use catena_base::{read, text::number::counted};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Folder that is ready for pictures, and locked against renders that do not share it.
pub struct Folder {
    path: PathBuf,
    private: PathBuf,
    /// Whether catena has used the folder before.
    pub(super) was_used: bool,
    /// Additional known files, for a folder into which only catena writes.
    known: Option<OwnedFiles>,
    lock: Lock,
}

/// Reusable files of an earlier render of the same source.
#[derive(Clone, Debug, Default)]
pub struct EarlierRender {
    /// Frames in ascending order.
    pub frames: Vec<FrameEntry>,
    /// Steady-state comparison, if it was made.
    pub steady: Option<SteadyEntry>,
    /// Message about the frames of another source, if the manifest belongs to one.
    pub other_source: Option<String>,
    /// Messages about files that are not reused, one line each.
    pub notes: Vec<String>,
    /// All files that catena's records name, of any source.
    pub owned: OwnedFiles,
    /// State of the manifest.
    pub manifest: EarlierManifest,
}

/// State of the manifest of an earlier render.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EarlierManifest {
    /// The manifest does not exist.
    #[default]
    Absent,
    /// The manifest is intact.
    Whole,
    /// The manifest is damaged or was changed.
    Untrusted,
}

impl Folder {
    /// Creates the folder if necessary, tests that it is writable, and locks it.
    ///
    /// # Errors
    /// Returns an error if any of this fails, or another process renders into the folder.
    pub fn open(path: &Path, hold: LockMode) -> Result<Self, OutputError> {
        Self::try_open(path, hold)?.ok_or_else(|| lock::held_error(path, &path.join(PRIVATE)))
    }

    /// Opens like [`Folder::open`], but returns `None` if another process renders into the folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written to.
    pub fn try_open(path: &Path, hold: LockMode) -> Result<Option<Self>, OutputError> {
        let was_used = path.join(PRIVATE).is_dir();
        let private = prepare(path)?;
        let Some(lock) = Lock::acquire(&private, hold)? else { return Ok(None) };
        // Unfinished files may belong to another process, unless the lock excludes that.
        if hold == LockMode::Exclusive && lock.is_held {
            sweep(&private);
        }
        write_gitignore(&private)?;
        Ok(Some(Self { path: path.into(), private, was_used, known: None, lock }))
    }

    /// Marks the folder as one into which only catena writes. Any changed file that a record names
    /// is then set aside and rewritten. `known` has names and hashes from a record outside the
    /// folder.
    pub fn of_catena_alone<'a>(self, known: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut files = OwnedFiles::of_catena_alone();
        known.into_iter().for_each(|(name, hash)| files.add(name, hash));
        Self { known: Some(files), ..self }
    }

    /// Path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of catena's private folder in it.
    pub fn private(&self) -> &Path {
        &self.private
    }

    /// Whether the folder is locked. Some file systems have no locks.
    pub fn is_locked(&self) -> bool {
        self.lock.is_held
    }

    /// Path of the journal of an exclusive render.
    pub fn journal(&self) -> PathBuf {
        self.private.join(JOURNAL)
    }

    /// Folder of the claims on a range of frames.
    pub fn claims(&self, range: &Range<u64>) -> PathBuf {
        self.private.join(CLAIMS).join(format!("{}-{}", range.start, range.end - 1))
    }

    /// Time when the manifest was written, if its render is complete.
    pub fn whole_since(&self, manifest: &Manifest) -> Option<SystemTime> {
        let written = || fs::metadata(self.file(MANIFEST)).and_then(|meta| meta.modified());
        manifest.under_way.is_none().then(|| written().ok()).flatten()
    }

    /// Whether a file was last modified at or before `time`.
    pub fn is_older(&self, name: &str, time: SystemTime) -> bool {
        let written = fs::metadata(self.file(name)).and_then(|meta| meta.modified());
        written.is_ok_and(|written| written <= time)
    }

    /// Finds the unchanged files of finished or unfinished renders of the same source. A frame is
    /// reusable if its file has the recorded hash.
    ///
    /// For frames that the manifest or a finished piece names and for which `is_foreign` returns
    /// true, only existence is checked. Reading all of them would cost more than rendering a few
    /// frames. The arguments of `is_foreign` are the frame, and the time when a complete manifest
    /// was written.
    ///
    /// # Errors
    /// Returns an error if a record cannot be read: its files would then look foreign.
    pub fn earlier_render(
        &self,
        source: &RenderSource,
        is_foreign: &(dyn Fn(u64, Option<SystemTime>) -> bool + Sync),
    ) -> Result<EarlierRender, OutputError> {
        let owned = self.known.clone().unwrap_or_default();
        let mut found = EarlierRender { owned, ..EarlierRender::default() };
        let (mut entries, mut whole) = (Vec::new(), None);
        match Manifest::read(&self.path) {
            Ok(Some(old)) => {
                old.add_to(&mut found.owned);
                found.manifest = EarlierManifest::Whole;
                if old.source == *source {
                    whole = self.whole_since(&old);
                    entries = old.frames;
                    let is_whole =
                        |steady: &SteadyEntry| self.has_file(&steady.file, &steady.sha256);
                    found.steady = old.steady.filter(is_whole);
                } else {
                    found.other_source = Some(other_source(&old, source));
                }
            }
            Ok(None) => {}
            Err(error) if !read::is_about_content(&error.cause) => return Err(error),
            Err(error) => {
                found.manifest = EarlierManifest::Untrusted;
                found
                    .notes
                    .push(format!("note: {error}; files that only it lists are rendered again"));
            }
        }
        let records = FolderRecords::read(&self.path, source)?;
        records.add_to(&mut found.owned);
        found.notes.extend(records.damage());
        // A journal names a frame before its file exists, a manifest afterwards.
        let certain = entries.into_iter().map(|entry| (entry, true));
        let finished = records.finished();
        let begun = records.entries(source).into_iter().map(|entry| {
            let is_certain = finished.get(&entry.frame) == Some(&&entry);
            (entry, is_certain)
        });
        // Later entries replace earlier ones of the same frame.
        let mut latest = BTreeMap::new();
        for (entry, is_certain) in certain.chain(begun) {
            let frame = entry.frame;
            let same = latest.get(&frame).is_some_and(|(there, _)| *there == entry);
            if !same {
                latest.insert(frame, (entry, is_certain));
            }
        }
        let latest: Vec<(FrameEntry, bool)> = latest.into_values().collect();
        let is_whole =
            |(entry, is_certain): &(FrameEntry, bool)| match is_foreign(entry.frame, whole) {
                true if *is_certain => self.file(&entry.file).is_file(),
                _ => self.has_frame(&source.names, entry),
            };
        found.frames = latest.into_par_iter().filter(is_whole).map(|(entry, _)| entry).collect();
        Ok(found)
    }

    /// Whether the file of a frame is unchanged, and has its name.
    pub fn has_frame(&self, names: &FrameNames, entry: &FrameEntry) -> bool {
        entry.file == names.file(entry.frame) && self.has_file(&entry.file, &entry.sha256)
    }

    /// Whether a regular file of this name has this hash; false for a link.
    pub fn has_file(&self, name: &str, hash: &str) -> bool {
        holds(&self.path, name, hash)
    }

    /// Writes a file atomically, unless a foreign file has its name. `before` is called just before
    /// the file gets its name.
    ///
    /// # Errors
    /// Returns an error if a foreign file has the name, or the disk or `before` fails.
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

    /// Path of the note about files that a render removes before it begins.
    pub(super) fn removals(&self) -> PathBuf {
        self.private.join(REMOVALS)
    }

    /// Removes the private folder created by a rejected render, so that the next render also
    /// recognises the folder as foreign.
    pub(super) fn remove_private(&self) {
        if !self.was_used {
            let _ = fs::remove_dir_all(&self.private);
        }
    }

    /// Removes all claims, after the manifest contains their frames. The folder must be locked
    /// exclusively.
    ///
    /// # Errors
    /// Returns an error if a file cannot be removed.
    pub fn remove_all_claims(&self) -> Result<(), OutputError> {
        atomic::remove_folder(&self.private.join(CLAIMS))
    }

    /// Removes the claims on a range of frames, after the manifest contains their frames. The
    /// folder must be locked exclusively.
    ///
    /// # Errors
    /// Returns an error if a file cannot be removed.
    pub fn remove_claims(&self, range: &Range<u64>) -> Result<(), OutputError> {
        atomic::remove_folder(&self.claims(range))?;
        // The folder is not removed if it contains claims on other ranges.
        let _ = fs::remove_dir(self.private.join(CLAIMS));
        Ok(())
    }

    /// Removes the journal, after the manifest contains its frames.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be removed.
    pub fn remove_journal(&self) -> Result<(), OutputError> {
        atomic::remove(&self.journal())
    }
}

/// Whether a folder has a regular file of this name with this hash; false for a link.
pub fn holds(folder: &Path, name: &str, hash: &str) -> bool {
    let path = folder.join(name);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
    let has_hash = || sha256_of_file(&path, read::LARGE).is_ok_and(|found| found == hash);
    is_file && could_be_render_file(name) && has_hash()
}

/// Creates catena's private folder if necessary, and returns its path. A link in its place is
/// replaced.
///
/// # Errors
/// Returns an error if the folder cannot be created or written to.
pub fn prepare(path: &Path) -> Result<PathBuf, OutputError> {
    atomic::prepare_folder(path)?;
    let private = path.join(PRIVATE);
    if fs::symlink_metadata(&private).is_ok_and(|meta| !meta.is_dir()) {
        fs::remove_file(&private).map_err(|cause| OutputError::new("remove", &private, cause))?;
    }
    atomic::prepare_folder(&private)?;
    Ok(private)
}

/// Writes a `.gitignore` that excludes the private folder from repositories of golden pictures,
/// since its files differ between machines. The folder must be locked, since another process could
/// remove the unfinished file.
pub(super) fn write_gitignore(private: &Path) -> Result<(), OutputError> {
    let ignore = private.join(".gitignore");
    if ignore.is_file() { Ok(()) } else { atomic::write(&ignore, b"*\n") }
}

/// Removes the unfinished files of killed renders. Best effort: a remaining file does no harm,
/// since it does not have a final name.
pub(super) fn sweep(folder: &Path) {
    for path in files_in(folder) {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(atomic::is_temporary) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Frames of a source recorded in addition to the manifest, by unfinished or killed renders. Their
/// files may have changed since.
///
/// # Errors
/// Returns an error if a record cannot be read now.
pub fn recorded_frames(
    folder: &Path,
    source: &RenderSource,
) -> Result<Vec<FrameEntry>, OutputError> {
    Ok(FolderRecords::read(folder, source)?.entries(source))
}

/// Message about a folder that contains frames of another source, with the difference.
fn other_source(old: &Manifest, new: &RenderSource) -> String {
    let count = old.frames.len();
    let old = &old.source;
    let what = match () {
        () if old.scene_text != new.scene_text => "of another scene text",
        () if old.set != new.set => "with other --set",
        () if old.size != new.size => "of another size",
        () if old.font_sha256 != new.font_sha256 => "with another font",
        () if old.names != new.names => "under other names",
        () if old.catena != new.catena || old.build != new.build => "by another build of catena",
        () => "of another scene",
    };
    format!(
        "note: the folder contained {} {what}; unchanged ones are removed, and everything is \
         rendered again (use another --out to keep such frames)",
        counted(count as u64, "frame")
    )
}

/// Extension of the file of a finished piece.
const DONE: &str = "done";

/// All journals and claims of a folder.
struct FolderRecords {
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
    /// Returns an error if a record exists but cannot be read now.
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

    /// Message about damaged records; `None` if there are none.
    pub(super) fn damage(&self) -> Option<String> {
        if self.damaged == 0 {
            return None;
        }
        let lines = counted(self.damaged as u64, "line");
        Some(format!(
            "note: {lines} of the journals in {PRIVATE} cannot be trusted; files without another record are rendered again"
        ))
    }
}

/// Reads the bytes of the records that exist.
fn contents(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>, OutputError> {
    let read = |path: &PathBuf| {
        read::record(path).map_err(|cause| OutputError::new("read", path, cause)).transpose()
    };
    paths.iter().filter_map(read).collect()
}

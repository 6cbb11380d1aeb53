//! The folder that a scene is rendered into: pictures and a manifest, and in `.catena` what only catena needs.

use super::{
    OutputError, atomic,
    hash::sha256_of_file,
    journal::Past,
    lock::{self, Hold, Lock},
    manifest::{self, FrameEntry, Manifest, Source, Steady},
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashSet},
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

/// File name of the steady-state comparison.
pub const STEADY: &str = "steady.png";

/// The folder of what only catena needs.
const PRIVATE: &str = ".catena";
/// What a render alone has written so far.
const JOURNAL: &str = "journal";
/// What those who share the folder have claimed.
const CLAIMS: &str = "claims";

/// File name of a frame.
pub fn frame_name(frame: u64) -> String {
    format!("frame_{frame:05}.png")
}

/// The frame that has this file name: each has one, without a sign and with no more zeros than [`frame_name`] writes.
pub fn frame_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("frame_")?.strip_suffix(".png")?;
    digits.parse().ok().filter(|number| name == frame_name(*number))
}

/// Whether a file has a name that a render gives.
pub fn is_ours(name: &str) -> bool {
    frame_number(name).is_some() || name == STEADY || name == manifest::NAME
}

/// A folder that is ready to take pictures, and that nobody else renders into unless it is shared.
pub struct Folder {
    path: PathBuf,
    private: PathBuf,
    /// Whether catena has been here before.
    is_known: bool,
    _lock: Lock,
}

/// What an earlier render of the same source has left that is still what it was.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The frames, in order.
    pub frames: Vec<FrameEntry>,
    /// The steady-state comparison.
    pub steady: Option<Steady>,
    /// Whether the folder holds a render from another source.
    pub is_other: bool,
    /// Why something is not taken over.
    pub notes: Vec<String>,
}

impl Folder {
    /// Makes the folder where it does not exist, makes sure that it can be written to, and takes its lock.
    ///
    /// # Errors
    /// When that fails, or somebody else renders into it.
    pub fn open(path: &Path, hold: Hold) -> Result<Self, OutputError> {
        Self::try_open(path, hold)?.ok_or_else(|| lock::held(path, &path.join(PRIVATE)))
    }

    /// The same; `None` where somebody else renders into it.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn try_open(path: &Path, hold: Hold) -> Result<Option<Self>, OutputError> {
        let is_known = path.join(PRIVATE).is_dir();
        let private = prepare(path)?;
        let Some(lock) = Lock::take(&private, hold)? else { return Ok(None) };
        if hold == Hold::Alone {
            sweep(path);
            sweep(&private);
        }
        keep_out_of_repositories(&private)?;
        Ok(Some(Self { path: path.into(), private, is_known, _lock: lock }))
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
    pub fn found(&self, source: &Source) -> Found {
        let mut found = Found::default();
        let mut entries = Vec::new();
        match Manifest::read(&self.path) {
            Ok(Some(old)) if old.source == *source => {
                entries = old.frames;
                found.steady = old.steady.filter(|steady| self.has(&steady.file, &steady.sha256));
            }
            Ok(Some(old)) => {
                found.is_other = true;
                found.notes.push(other_source(&old, source));
            }
            Ok(None) => {}
            Err(error) => found
                .notes
                .push(format!("note: {error}; what it alone vouches for is rendered anew")),
        }
        entries.extend(written(&self.path, source));
        // What was written later stands later.
        let latest: BTreeMap<u64, FrameEntry> =
            entries.into_iter().map(|entry| (entry.frame, entry)).collect();
        let latest: Vec<FrameEntry> = latest.into_values().collect();
        found.frames = latest.into_par_iter().filter(|entry| self.is_whole(entry)).collect();
        found
    }

    /// Whether the file of a frame is what it was.
    pub fn is_whole(&self, entry: &FrameEntry) -> bool {
        entry.file == frame_name(entry.frame) && self.has(&entry.file, &entry.sha256)
    }

    /// Whether there is an ordinary file with these bytes; a link is none.
    pub fn has(&self, name: &str, hash: &str) -> bool {
        let path = self.file(name);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
        is_file && is_ours(name) && sha256_of_file(&path).is_ok_and(|found| found == hash)
    }

    /// Removes the pictures that earlier renders left, but for those to keep: frames of two scenes must not mix.
    ///
    /// # Errors
    /// When a file cannot be removed, or when there are such files and no manifest: then they may be somebody else's.
    pub fn clear(&self, keep: &[FrameEntry], steady: bool) -> Result<(), OutputError> {
        let refuse = |cause| OutputError::new("clear the folder", &self.path, cause);
        let mut keep: HashSet<&str> = keep.iter().map(|entry| entry.file.as_str()).collect();
        // The manifest makes the folder ours: it is replaced, and never away.
        keep.insert(manifest::NAME);
        if steady {
            keep.insert(STEADY);
        }
        let mut ours = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_ours(name)) else { continue };
            if !keep.contains(name) && !entry.file_type().map_err(refuse)?.is_dir() {
                ours.push(entry.path());
            }
        }
        ours.sort();
        let manifest = self.file(manifest::NAME);
        // One that is lost does not make the folder somebody else's.
        let is_lost = self.is_known && fs::symlink_metadata(&manifest).is_err();
        if let (Some(stranger), false) = (ours.first(), is_lost || manifest.is_file()) {
            self.go_away();
            let name = stranger.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let cause = io::Error::other(format!(
                "it holds {name} and no manifest.json, so catena did not make it; choose another \
                 --out, or remove such files"
            ));
            return Err(OutputError::new("render into", &self.path, cause));
        }
        if Manifest::is_strange(&self.path, self.is_known) {
            self.go_away();
            let cause = io::Error::other(format!(
                "its {} is not of catena's making; choose another --out, or remove it",
                manifest::NAME
            ));
            return Err(OutputError::new("render into", &self.path, cause));
        }
        ours.iter().try_for_each(|path| atomic::remove(path))
    }

    /// Removes what was made here for a render that is refused: the folder is somebody else's, and the next one shall see that, too.
    fn go_away(&self) {
        if !self.is_known {
            let _ = fs::remove_dir_all(&self.private);
        }
    }

    /// Forgets all claims: what they say stands in the manifest. Only for one who is alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn forget_all_claims(&self) -> Result<(), OutputError> {
        atomic::remove_folder(&self.private.join(CLAIMS))
    }

    /// Forgets the claims on a range of frames whose manifest is written. Only for one who is alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn forget_claims(&self, range: &Range<u64>) -> Result<(), OutputError> {
        atomic::remove_folder(&self.claims(range))?;
        // It stays where there are claims on other ranges.
        let _ = fs::remove_dir(self.private.join(CLAIMS));
        Ok(())
    }

    /// Forgets the journal: what it says stands in the manifest.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn forget_journal(&self) -> Result<(), OutputError> {
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

/// Keeps what only catena needs out of repositories, where golden pictures lie: it differs from machine to machine. Only for one who
/// has the lock: another one may be sweeping unfinished files.
fn keep_out_of_repositories(private: &Path) -> Result<(), OutputError> {
    let ignore = private.join(".gitignore");
    if ignore.is_file() { Ok(()) } else { atomic::write(&ignore, b"*\n") }
}

/// Removes what a killed render left unfinished. It has no final name, so a file that stays does no harm.
fn sweep(folder: &Path) {
    for path in files_in(folder) {
        if path.file_name().and_then(|name| name.to_str()).is_some_and(atomic::is_temporary) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The ordinary files of a folder, in order; none where it cannot be read.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let mut files: Vec<PathBuf> = entries.filter(is_file).map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Frames from a source that renders under way, or ended before their time, have written into a folder beside those of its manifest. Their
/// files may have changed since.
pub fn written(folder: &Path, source: &Source) -> Vec<FrameEntry> {
    let private = folder.join(PRIVATE);
    let ranges = fs::read_dir(private.join(CLAIMS)).into_iter().flatten().flatten();
    let claims = ranges.flat_map(|range| files_in(&range.path()));
    let journals = std::iter::once(private.join(JOURNAL)).chain(claims);
    let key = source.key();
    let pasts = journals.filter_map(|path| Past::read(&path)).filter(|past| past.key == key);
    pasts.flat_map(|past| past.entries).collect()
}

/// Says what is not the same any more.
fn other_source(old: &Manifest, new: &Source) -> String {
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
        "note: the folder held {count} frames {what}, which are removed; all is rendered anew (another --out keeps such frames)"
    )
}

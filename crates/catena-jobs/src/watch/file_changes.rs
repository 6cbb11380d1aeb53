//! Editions of a scene. Each change of its file, or of a file that it names, creates an edition.
//!
//! The operating system reports events in a folder. The content then determines whether a file has
//! changed. Some systems report no events, for example on network drives. Times and lengths of
//! files are then checked every second.

use crate::job::Interruption;
use catena_base::{read, threads};
use catena_output::hash::sha256;
use catena_scene::{Limits, Patch, Scene, SceneError, SceneText, load_with_files};
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// State of a scene after a change.
#[derive(Debug)]
pub struct Edition {
    /// Number of the edition, at least 1. Later editions have larger numbers.
    pub number: u64,
    /// Scene, or the error that makes it unusable.
    pub scene: Result<Scene, SceneError>,
}

/// Source of the editions of a scene.
pub trait Changes: Sync {
    /// Waits for an edition with a number above `seen`, which is 0 at first, and returns the newest
    /// one. `None` once `end` is set or no more editions can come.
    fn next(&self, seen: u64, end: &dyn Interruption) -> Option<Edition>;

    /// Whether an edition newer than `seen` exists. Several threads call this function between
    /// frames.
    fn poll_newer(&self, seen: u64) -> bool;
}

/// Interval between checks of the files if the system reports no events.
const PERIOD: Duration = Duration::from_secs(1);
/// Interval at which a waiting thread checks for the end of the program.
const WAIT: Duration = Duration::from_millis(50);
/// Time to wait for a valid text after an invalid one, which may be part of a file that is being
/// saved.
const PATIENCE: Duration = Duration::from_millis(120);
/// Time to wait for a valid text if the file is missing or empty.
const LONG_PATIENCE: Duration = Duration::from_millis(600);

/// Editions of a scene file.
pub struct FileChanges {
    path: PathBuf,
    patches: Vec<Patch>,
    limits: Limits,
    /// Changes by a page, applied after the patches, and how often they were replaced.
    tuned: Mutex<(u64, Vec<Patch>)>,
    bell: Arc<Bell>,
    /// Watcher of the folders. `None` if the system cannot report events.
    watcher: Mutex<Option<Folders>>,
    last_check: Mutex<LastCheck>,
}

/// Counter of relevant file events, which threads can wait on.
#[derive(Default)]
struct Bell {
    state: Mutex<BellState>,
    rung: Condvar,
}

#[derive(Default)]
struct BellState {
    rings: u64,
    /// Names of the relevant files, without their folders.
    names: BTreeSet<OsString>,
}

/// Watched folders, whose events ring the bell.
struct Folders {
    watcher: RecommendedWatcher,
    known: BTreeSet<PathBuf>,
}

/// Result of the last check of the files.
struct LastCheck {
    prints: BTreeMap<PathBuf, FileStamp>,
    /// Number of the newest edition.
    number: u64,
    /// Count of the bell and time at the last check.
    rings: u64,
    at: Instant,
    /// Count of changes by a page at the last check.
    tuned: u64,
}

/// Fingerprint of a file, which detects changes.
#[derive(Clone, Debug, Default, PartialEq)]
struct FileStamp {
    /// Modification time and length.
    stamp: Option<(Option<SystemTime>, u64)>,
    sha256: Option<String>,
}

impl FileStamp {
    fn stamp(path: &Path) -> Option<(Option<SystemTime>, u64)> {
        let meta = fs::metadata(path).ok()?;
        Some((meta.modified().ok(), meta.len()))
    }

    /// Fingerprint of a file with a maximum of `maximum` bytes. A larger or unreadable file has no
    /// hash.
    fn of(path: &Path, maximum: u64) -> Self {
        let bytes = read::file(path, maximum).ok();
        Self { stamp: Self::stamp(path), sha256: bytes.map(|bytes| sha256(&bytes)) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bell {
    fn ring(&self, event: &Event) {
        let is_read = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => true,
            _ => false,
        };
        let mut state = lock(&self.state);
        let is_ours = event.paths.iter().any(|path| match path.file_name() {
            Some(name) => state.names.contains(name),
            None => true,
        });
        if !is_read && (is_ours || event.paths.is_empty() || event.need_rescan()) {
            state.rings += 1;
            self.rung.notify_all();
        }
    }

    fn rings(&self) -> u64 {
        lock(&self.state).rings
    }

    /// Waits until the count differs from `rings`, for at most `time`.
    fn wait(&self, rings: u64, time: Duration) {
        let is_silent = |state: &mut BellState| state.rings == rings;
        let _ = self.rung.wait_timeout_while(lock(&self.state), time, is_silent);
    }
}

impl FileChanges {
    /// Creates the source of editions of a file with these patches applied. `limits` apply to
    /// reading it.
    pub fn new(path: &Path, patches: &[Patch], limits: &Limits) -> Self {
        let bell = Arc::new(Bell::default());
        let theirs = Arc::clone(&bell);
        let ring = move |event: notify::Result<Event>| {
            if let Ok(event) = event {
                theirs.ring(&event);
            }
        };
        // The watcher needs a thread, and panics later if it cannot start one.
        let watcher =
            threads::can_start().then(|| notify::recommended_watcher(ring).ok()).flatten();
        let folders = watcher.map(|watcher| Folders { watcher, known: BTreeSet::new() });
        let changes = Self {
            path: path.to_owned(),
            patches: patches.to_vec(),
            limits: limits.clone(),
            tuned: Mutex::default(),
            bell,
            watcher: Mutex::new(folders),
            last_check: Mutex::new(LastCheck {
                prints: BTreeMap::new(),
                number: 1,
                rings: 0,
                at: Instant::now(),
                tuned: 0,
            }),
        };
        changes.attend(&[]);
        changes
    }

    /// Path of the scene.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Limits for reading the scene.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Patches that apply to all editions.
    pub(super) fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// Changes that a page has made.
    pub(super) fn tuned(&self) -> Vec<Patch> {
        lock(&self.tuned).1.clone()
    }

    /// Replaces the changes of a page, which creates an edition.
    pub(super) fn tune(&self, changes: Vec<Patch>) {
        let mut tuned = lock(&self.tuned);
        if tuned.1 != changes {
            *tuned = (tuned.0 + 1, changes);
        }
        drop(tuned);
        self.bell.rung.notify_all();
    }

    /// Whether the system reports changes. Otherwise changes are detected within a second.
    pub fn is_notified(&self) -> bool {
        lock(&self.watcher).as_ref().is_some_and(|folders| !folders.known.is_empty())
    }

    /// Watches the scene file and these files from now on. Returns whether one of them was not
    /// watched before.
    fn attend(&self, files: &[PathBuf]) -> bool {
        let named = files.iter().chain([&self.path]);
        // Both a link and its target may change.
        let both = named.flat_map(|path| [Some(path.clone()), fs::canonicalize(path).ok()]);
        let paths: BTreeSet<PathBuf> = both.flatten().collect();
        let names = paths.iter().filter_map(|path| path.file_name().map(Into::into)).collect();
        lock(&self.bell.state).names = names;
        if let Some(folders) = &mut *lock(&self.watcher) {
            folders.follow(&paths);
        }
        let mut last_check = lock(&self.last_check);
        let is_more = paths.iter().any(|path| !last_check.prints.contains_key(path));
        last_check.prints.retain(|path, _| paths.contains(path));
        for path in paths {
            last_check
                .prints
                .entry(path)
                .or_insert_with_key(|path| FileStamp::of(path, self.maximum()));
        }
        is_more
    }

    /// Maximum size of a file in bytes.
    fn maximum(&self) -> u64 {
        self.limits.data_bytes.max(self.limits.file_bytes)
    }

    /// Checks the files if the bell rang or the period is over, and counts a new edition if one
    /// changed.
    fn check(&self, last_check: &mut LastCheck) {
        let tuned = lock(&self.tuned).0;
        if tuned != last_check.tuned {
            last_check.tuned = tuned;
            last_check.number += 1;
        }
        let rings = self.bell.rings();
        let is_rung = rings != last_check.rings;
        if !is_rung && last_check.at.elapsed() < PERIOD {
            return;
        }
        (last_check.rings, last_check.at) = (rings, Instant::now());
        let mut is_changed = false;
        for (path, print) in &mut last_check.prints {
            // Two saves may have the same time and length.
            if is_rung || FileStamp::stamp(path) != print.stamp {
                let now = FileStamp::of(path, self.maximum());
                is_changed |= now.sha256 != print.sha256;
                *print = now;
            }
        }
        last_check.number += u64::from(is_changed);
    }

    /// Reads the scene and watches the files that it names.
    fn load(&self) -> Result<Scene, SceneError> {
        loop {
            let text = SceneText::read_within(&self.path, &self.limits)?;
            let patches = [&*self.patches, &self.tuned()].concat();
            let (scene, files) = load_with_files(&text, &patches, &self.limits);
            // A file may have changed before it was watched, so the scene is read again. An invalid
            // text does not remove watches, because the corrected text may name the same files.
            let is_more = (scene.is_ok() || !files.is_empty()) && self.attend(&files);
            if !is_more {
                return scene;
            }
        }
    }

    /// Time to wait for a valid text.
    fn patience(&self) -> Duration {
        let has_text = fs::metadata(&self.path).is_ok_and(|meta| meta.len() > 0);
        if has_text { PATIENCE } else { LONG_PATIENCE }
    }

    /// Waits for an edition newer than `seen`. Returns whether one came within `time`.
    fn wait_for_newer(&self, seen: u64, time: Option<Duration>, end: &dyn Interruption) -> bool {
        let start = Instant::now();
        loop {
            let rings = self.bell.rings();
            if self.poll_newer(seen) {
                return true;
            }
            if end.is_set() || time.is_some_and(|time| start.elapsed() >= time) {
                return false;
            }
            self.bell.wait(rings, WAIT);
        }
    }
}

impl Folders {
    /// Watches the folders of these files, and no others. If a folder cannot be watched, the next
    /// call tries again.
    fn follow(&mut self, paths: &BTreeSet<PathBuf>) {
        let folder = |path: &PathBuf| match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let wanted: BTreeSet<PathBuf> = paths.iter().map(folder).collect();
        for folder in self.known.difference(&wanted) {
            // The system has already dropped the watch of a removed folder.
            let _ = self.watcher.unwatch(folder);
        }
        self.known.retain(|folder| wanted.contains(folder));
        for folder in wanted {
            if !self.known.contains(&folder)
                && self.watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok()
            {
                self.known.insert(folder);
            }
        }
    }
}

impl Changes for FileChanges {
    fn next(&self, seen: u64, end: &dyn Interruption) -> Option<Edition> {
        if !self.wait_for_newer(seen, None, end) {
            return None;
        }
        loop {
            // A save after this line counts as a newer edition.
            let number = lock(&self.last_check).number;
            let scene = self.load();
            if scene.is_ok() || !self.wait_for_newer(number, Some(self.patience()), end) {
                return Some(Edition { number, scene });
            }
        }
    }

    fn poll_newer(&self, seen: u64) -> bool {
        let mut last_check = lock(&self.last_check);
        self.check(&mut last_check);
        last_check.number > seen
    }
}

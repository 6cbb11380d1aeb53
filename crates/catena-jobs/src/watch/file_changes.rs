//! Editions of a scene file: each save of it, or of a file that it names, is one.
//!
//! The system tells that something has happened in a folder; whether the files have changed is told
//! by what stands in them. Where the system tells nothing, as on network drives, times and lengths
//! of the files are looked at every second.

use super::{Changes, Edition};
use crate::job::Interruption;
use catena_base::read;
use catena_base::threads;
use catena_output::hash::sha256;
use catena_scene::{Limits, Patch, Scene, SceneError, SceneText, load_with_files};
use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

/// How often files are looked at where the system tells nothing.
const PERIOD: Duration = Duration::from_secs(1);
/// How often somebody who waits looks whether all is to end.
const WAIT: Duration = Duration::from_millis(50);
/// A text that cannot be used may be half of one that is being saved: for so long a better one is
/// waited for, and longer where the file is missing or empty.
const PATIENCE: Duration = Duration::from_millis(120);
const LONG_PATIENCE: Duration = Duration::from_millis(600);

/// The editions of a scene file.
pub struct FileChanges {
    path: PathBuf,
    patches: Vec<Patch>,
    limits: Limits,
    bell: Arc<Bell>,
    /// `None` where the system cannot tell.
    watcher: Mutex<Option<Folders>>,
    look: Mutex<Look>,
}

/// Is rung when something has happened to one of the files.
#[derive(Default)]
struct Bell {
    state: Mutex<BellState>,
    rung: Condvar,
}

#[derive(Default)]
struct BellState {
    rings: u64,
    /// The names of the files that matter, without their folders.
    names: BTreeSet<OsString>,
}

/// Folders whose events ring the bell.
struct Folders {
    watcher: RecommendedWatcher,
    known: BTreeSet<PathBuf>,
}

/// What was seen of the files.
struct Look {
    prints: BTreeMap<PathBuf, Print>,
    /// The number of the newest edition.
    number: u64,
    /// The rings of the bell when that was seen, and when it was.
    rings: u64,
    at: Instant,
}

/// What tells whether a file has changed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Print {
    /// Time of the last change and length.
    stamp: Option<(Option<SystemTime>, u64)>,
    sha256: Option<String>,
}

impl Print {
    fn stamp(path: &Path) -> Option<(Option<SystemTime>, u64)> {
        let meta = fs::metadata(path).ok()?;
        Some((meta.modified().ok(), meta.len()))
    }

    /// That of a file of at most so many bytes, which a scene can name.
    fn of(path: &Path, most: u64) -> Self {
        let bytes = read::file(path, most).ok();
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

    /// Waits until it is rung again, and at most so long.
    fn wait(&self, rings: u64, time: Duration) {
        let is_silent = |state: &mut BellState| state.rings == rings;
        let _ = self.rung.wait_timeout_while(lock(&self.state), time, is_silent);
    }
}

impl FileChanges {
    /// Those of a file with these changes in it. Limits hold for reading it.
    pub fn new(path: &Path, patches: &[Patch], limits: &Limits) -> Self {
        let bell = Arc::new(Bell::default());
        let theirs = Arc::clone(&bell);
        let ring = move |event: notify::Result<Event>| {
            if let Ok(event) = event {
                theirs.ring(&event);
            }
        };
        // The watcher needs a thread of its own, and panics later where it gets none.
        let watcher =
            threads::can_start().then(|| notify::recommended_watcher(ring).ok()).flatten();
        let folders = watcher.map(|watcher| Folders { watcher, known: BTreeSet::new() });
        let changes = Self {
            path: path.to_owned(),
            patches: patches.to_vec(),
            limits: limits.clone(),
            bell,
            watcher: Mutex::new(folders),
            look: Mutex::new(Look {
                prints: BTreeMap::new(),
                number: 1,
                rings: 0,
                at: Instant::now(),
            }),
        };
        changes.attend(&[]);
        changes
    }

    /// Whether the system tells of changes. Otherwise they are seen within a second.
    pub fn is_told(&self) -> bool {
        lock(&self.watcher).as_ref().is_some_and(|folders| !folders.known.is_empty())
    }

    /// From now on the scene and these files are looked at. Returns whether one of them was not
    /// before.
    fn attend(&self, files: &[PathBuf]) -> bool {
        let named = files.iter().chain([&self.path]);
        // A link changes where it stands, and where it leads to.
        let both = named.flat_map(|path| [Some(path.clone()), fs::canonicalize(path).ok()]);
        let paths: BTreeSet<PathBuf> = both.flatten().collect();
        let names = paths.iter().filter_map(|path| path.file_name().map(Into::into)).collect();
        lock(&self.bell.state).names = names;
        if let Some(folders) = &mut *lock(&self.watcher) {
            folders.follow(&paths);
        }
        let mut look = lock(&self.look);
        let is_more = paths.iter().any(|path| !look.prints.contains_key(path));
        look.prints.retain(|path, _| paths.contains(path));
        for path in paths {
            look.prints.entry(path).or_insert_with_key(|path| Print::of(path, self.most()));
        }
        is_more
    }

    /// Bytes that a file can have.
    fn most(&self) -> u64 {
        self.limits.data_bytes.max(self.limits.file_bytes)
    }

    /// Looks at the files where something may have happened to them.
    fn look(&self, look: &mut Look) {
        let rings = self.bell.rings();
        let is_rung = rings != look.rings;
        if !is_rung && look.at.elapsed() < PERIOD {
            return;
        }
        (look.rings, look.at) = (rings, Instant::now());
        let mut is_changed = false;
        for (path, print) in &mut look.prints {
            // A second save can have the time and the length of the first.
            if is_rung || Print::stamp(path) != print.stamp {
                let now = Print::of(path, self.most());
                is_changed |= now.sha256 != print.sha256;
                *print = now;
            }
        }
        look.number += u64::from(is_changed);
    }

    /// Reads the scene as it stands, and attends to the files that it names.
    fn load(&self) -> Result<Scene, SceneError> {
        loop {
            let text = SceneText::read_within(&self.path, &self.limits)?;
            let (scene, files) = load_with_files(&text, &self.patches, &self.limits);
            // What a file was before it was attended to is not known, so it is read again. Files
            // that an older text named may be named again, so a wrong text forgets none.
            let is_more = (scene.is_ok() || !files.is_empty()) && self.attend(&files);
            if !is_more {
                return scene;
            }
        }
    }

    /// How long a better text is waited for.
    fn patience(&self) -> Duration {
        let has_text = fs::metadata(&self.path).is_ok_and(|meta| meta.len() > 0);
        if has_text { PATIENCE } else { LONG_PATIENCE }
    }

    /// Waits for something newer than an edition; says whether it came in time.
    fn comes(&self, seen: u64, time: Option<Duration>, end: &dyn Interruption) -> bool {
        let start = Instant::now();
        loop {
            let rings = self.bell.rings();
            if self.is_newer(seen) {
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
    /// Follows the folders of these files, and no others. One that cannot be followed is tried
    /// again the next time.
    fn follow(&mut self, paths: &BTreeSet<PathBuf>) {
        let folder = |path: &PathBuf| match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let wanted: BTreeSet<PathBuf> = paths.iter().map(folder).collect();
        for folder in self.known.difference(&wanted) {
            // A folder that is gone is followed no longer anyway.
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
        if !self.comes(seen, None, end) {
            return None;
        }
        loop {
            // What is saved from here on is a newer edition.
            let number = lock(&self.look).number;
            let scene = self.load();
            if scene.is_ok() || !self.comes(number, Some(self.patience()), end) {
                return Some(Edition { number, scene });
            }
        }
    }

    fn is_newer(&self, seen: u64) -> bool {
        let mut look = lock(&self.look);
        self.look(&mut look);
        look.number > seen
    }
}

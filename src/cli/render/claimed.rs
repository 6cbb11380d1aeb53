//! A render that shares its folder with others: each claims a piece of the frames after the other.

use super::{Made, Task, begin, steady};
use crate::cli::{
    Failure,
    frames::{Press, Reel, Shop},
    interrupt::Interrupt,
    progress::Progress,
    timings::Stage,
};
use crate::output::{
    OutputError,
    claim::{Claim, Claims, Standing},
    folder::{self, Folder},
    journal::Journal,
    lock::{self, Hold, Lock},
    manifest::{FrameEntry, Manifest, Steady},
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    ops::Range,
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Frames of a piece.
const PIECE: u64 = 32;
/// How often one who waits looks again.
const LOOK: Duration = Duration::from_millis(100);
/// How often one who works shows that he does.
const BEAT: Duration = Duration::from_millis(500);

pub(super) fn run(task: &Task<'_>) -> Result<(), Failure> {
    let patience = Duration::from_secs(task.args.claim_patience);
    let Some((folder, manifest, notes)) = join(task, patience)? else {
        let there = Manifest::read(task.path)?.filter(|there| there.source == *task.source);
        return Err(task.interrupted(&there.map_or_else(Vec::new, |there| there.frames)));
    };
    let missing = task.missing(&manifest.frames);
    let progress = task.progress(missing.len(), &notes);
    let shop =
        Shop { timings: task.timings, interrupt: task.interrupt, on_frame: &|| progress.frame() };
    let reel = Reel::new(task.scene, Some(task.keeping(&folder)), task.interrupt, usize::MAX);
    let press = Press::new(task.painter, &reel.shots(), &folder, task.timings);
    let claims = Claims::open(&folder.claims(&task.range), &task.key, patience)?;
    let mut worker = Worker {
        task,
        folder: &folder,
        shop,
        press,
        reel,
        claims,
        progress: &progress,
        done: BTreeSet::new(),
    };

    let manifest = loop {
        worker.work(&manifest)?;
        if task.interrupt.is_set() {
            return Err(task.interrupted(&worker.leave()?));
        }
        if let Some(manifest) = worker.gather(patience)? {
            break manifest;
        }
    };
    let Worker { mut reel, .. } = worker;
    reel.go_to(task.last())?;
    let made = Made::new(task, &reel, &manifest);
    let private = folder.private().to_path_buf();
    drop(folder);
    // The last one to leave tidies up, unless somebody is just joining; what cannot be removed does no harm.
    if let Ok(Some(_gate)) = Lock::gate(&private)
        && let Ok(Some(folder)) = Folder::try_open(task.path, Hold::Alone)
    {
        let _ = folder.forget_claims();
    }
    made.tell(task, &progress)
}

/// Waits for the gate, which nobody holds for long; `None` when the process is to end.
fn gate(
    path: &Path,
    interrupt: &Interrupt,
    patience: Duration,
) -> Result<Option<Lock>, OutputError> {
    let private = folder::prepare(path)?;
    let start = Instant::now();
    loop {
        if let Some(lock) = Lock::gate(&private)? {
            return Ok(Some(lock));
        }
        if interrupt.is_set() {
            return Ok(None);
        }
        if start.elapsed() > patience {
            return Err(lock::held(path, &private));
        }
        thread::sleep(LOOK);
    }
}

/// Makes the folder ready, if nobody has, and joins those who render into it; `None` when the process is to end.
fn join(
    task: &Task<'_>,
    patience: Duration,
) -> Result<Option<(Folder, Manifest, Vec<String>)>, OutputError> {
    let Some(_gate) = gate(task.path, task.interrupt, patience)? else { return Ok(None) };
    let mut notes = Vec::new();
    if let Some(folder) = Folder::try_open(task.path, Hold::Alone)? {
        notes = task.timings.time(Stage::Prepare, || begin(task, &folder))?.notes;
    }
    let folder = Folder::open(task.path, Hold::Shared)?;
    match Manifest::read(task.path)? {
        Some(manifest) if manifest.source == *task.source => Ok(Some((folder, manifest, notes))),
        _ => {
            let cause = io::Error::other(
                "others render another scene, size, --set or version of catena into it with --claim; choose another --out",
            );
            Err(OutputError::new("render into", task.path, cause))
        }
    }
}

/// One of those who share the folder.
struct Worker<'a> {
    task: &'a Task<'a>,
    folder: &'a Folder,
    shop: Shop<'a>,
    press: Press<'a>,
    reel: Reel<'a>,
    claims: Claims,
    progress: &'a Progress,
    /// Pieces that are known to be finished.
    done: BTreeSet<u64>,
}

impl Worker<'_> {
    /// The piece behind the frames: the steady-state comparison.
    fn steady_piece(&self) -> u64 {
        self.task.range.end.div_ceil(PIECE)
    }

    /// Works until every piece is done, or the process is to end.
    fn work(&mut self, manifest: &Manifest) -> Result<(), Failure> {
        let steady = self.steady_piece();
        let end = if self.task.args.no_steady { steady } else { steady + 1 };
        let pieces = self.task.range.start / PIECE..end;
        let has_steady =
            manifest.steady.as_ref().filter(|steady| steady.last_frame == self.task.last());
        loop {
            let open: Vec<u64> =
                pieces.clone().filter(|piece| !self.done.contains(piece)).collect();
            if open.is_empty() {
                return Ok(());
            }
            for piece in open {
                if self.task.interrupt.is_set() {
                    return Ok(());
                }
                match self.claims.claim(piece)? {
                    Standing::Taken => continue,
                    Standing::Done => {}
                    Standing::Mine(claim) => {
                        let is_whole = if piece == steady {
                            beating(&claim.journal, || self.steady(&claim, has_steady))?
                        } else {
                            self.draw(&claim, &manifest.frames)?
                        };
                        if !is_whole {
                            claim.journal.leave()?;
                            continue;
                        }
                    }
                }
                self.done.insert(piece);
            }
            thread::sleep(LOOK);
        }
    }

    /// Draws a piece; whether it is whole.
    fn draw(&mut self, claim: &Claim, known: &[FrameEntry]) -> Result<bool, Failure> {
        let range = self.frames_of(claim.piece);
        let known = known.iter().filter(|entry| range.contains(&entry.frame));
        let earlier = claim.earlier.iter().filter(|entry| range.contains(&entry.frame));
        let mut entries: BTreeMap<u64, FrameEntry> = known
            .chain(earlier)
            .filter(|entry| self.folder.is_whole(entry))
            .map(|entry| (entry.frame, entry.clone()))
            .collect();
        let missing: Vec<u64> =
            range.clone().filter(|frame| !entries.contains_key(frame)).collect();
        let Self { shop, press, reel, claims, .. } = self;
        let drawn = beating(&claim.journal, || {
            shop.print(press, reel, &missing, &claim.journal, &|| claims.is_mine(claim))
        })?;
        entries.extend(drawn.into_iter().map(|entry| (entry.frame, entry)));
        let is_whole = entries.len() as u64 == range.end - range.start;
        if is_whole {
            if range.contains(&self.task.last()) {
                self.reel.go_to(self.task.last())?;
                self.reel.keep(true)?;
            }
            self.claims.finish(claim.piece, &entries.into_values().collect::<Vec<_>>())?;
        }
        Ok(is_whole)
    }

    fn frames_of(&self, piece: u64) -> Range<u64> {
        let range = &self.task.range;
        range.start.max(piece * PIECE)..range.end.min((piece + 1) * PIECE)
    }

    /// Makes the steady-state comparison, or finds it made; whether it is there.
    fn steady(&self, claim: &Claim, made: Option<&Steady>) -> Result<bool, Failure> {
        let steady = match made.filter(|steady| self.folder.has(&steady.file, &steady.sha256)) {
            Some(steady) => Some(steady.clone()),
            None => steady::make(self.task, self.progress, self.folder)?,
        };
        if let Some(steady) = &steady {
            self.claims.finish(claim.piece, steady)?;
        }
        Ok(steady.is_some())
    }

    /// Writes the manifest when all pieces are there and their files are what they were; `None` when something has to be done anew.
    fn gather(&mut self, patience: Duration) -> Result<Option<Manifest>, Failure> {
        let Some(_gate) = gate(self.task.path, self.task.interrupt, patience)? else {
            return Ok(None);
        };
        let mut manifest = Manifest::read(self.task.path)?.unwrap_or_else(|| self.task.manifest());
        let mut entries: BTreeMap<u64, FrameEntry> =
            manifest.frames.into_iter().map(|entry| (entry.frame, entry)).collect();
        let steady = self.steady_piece();
        for piece in self.task.range.start / PIECE..steady {
            let drawn: Vec<FrameEntry> = self.claims.done(piece).unwrap_or_default();
            let is_there = self.frames_of(piece).eq(drawn.iter().map(|entry| entry.frame));
            if !is_there || !drawn.par_iter().all(|entry| self.folder.is_whole(entry)) {
                self.reopen(piece)?;
                return Ok(None);
            }
            entries.extend(drawn.into_iter().map(|entry| (entry.frame, entry)));
        }
        if !self.task.args.no_steady {
            manifest.steady = self.claims.done::<Steady>(steady);
            let made = manifest.steady.as_ref();
            if !made.is_some_and(|steady| self.folder.has(&steady.file, &steady.sha256)) {
                self.reopen(steady)?;
                return Ok(None);
            }
        }
        manifest.frames = entries.into_values().collect();
        manifest.write(self.task.path)?;
        Ok(Some(manifest))
    }

    /// Writes what all have drawn so far into the manifest, when the process is to end. One who holds the gate now knows better.
    fn leave(&self) -> Result<Vec<FrameEntry>, OutputError> {
        let gate = Lock::gate(self.folder.private())?;
        let found = self.folder.found(self.task.source);
        if gate.is_some() {
            let steady = Manifest::read(self.task.path)?.and_then(|manifest| manifest.steady);
            let manifest =
                Manifest { frames: found.frames.clone(), steady, ..self.task.manifest() };
            manifest.write(self.task.path)?;
        }
        Ok(found.frames)
    }

    fn reopen(&mut self, piece: u64) -> Result<(), OutputError> {
        self.done.remove(&piece);
        self.claims.reopen(piece)
    }
}

/// Does the work, and shows all the while that it is being done.
fn beating<R>(journal: &Journal, work: impl FnOnce() -> R) -> R {
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let beats = move || {
            while is_done.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                // Where that fails the work fails as well, and says why.
                let _ = journal.beat();
            }
        };
        // Without this thread the claim may be taken over, and the piece drawn twice: no harm but the work.
        let _ = thread::Builder::new().spawn_scoped(scope, beats);
        let result = work();
        drop(done);
        result
    })
}

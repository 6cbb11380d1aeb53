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
    atomic::Durability,
    claim::{Claim, ClaimOutcome, Claims},
    folder::{self, Folder},
    journal::Journal,
    lock::{self, Lock, LockMode},
    manifest::{FrameEntry, Manifest, SteadyEntry},
    ownership::OwnedFiles,
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
    let said = task.interrupted_with();
    task.interrupt.will_be_seen(move || said(None));
    let Some((folder, manifest, notes)) = join(task, patience)? else {
        let there = Manifest::read(task.path)?.filter(|there| there.source == *task.source);
        return Err(task.interrupted(&there.map_or_else(Vec::new, |there| there.frames)));
    };
    let missing = task.missing(&manifest.frames);
    let progress = task.progress(missing.len(), &notes);
    task.ends_by_itself(&progress);
    let shop = Shop {
        timings: task.timings,
        interrupt: task.interrupt,
        on_frame: &|| progress.frame(),
        on_failure: &|| {},
    };
    let reel = Reel::new(task.scene, Some(task.keeping(&folder)), task.interrupt, usize::MAX);
    // The folder may be another machine's, whose errors come late.
    let press =
        Press::new(task.painter, &reel.shots(), (&folder, Durability::Synced), task.timings);
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
        if let Some(refusal) = worker.reel.refusal() {
            worker.leave()?;
            return Err(refusal);
        }
        if let Some(manifest) = worker.gather(patience)? {
            break manifest;
        }
    };
    let Worker { mut reel, .. } = worker;
    if !reel.go_to(task.last())? {
        let refusal = reel.refusal();
        return Err(refusal.unwrap_or_else(|| task.interrupted(&manifest.frames)));
    }
    let made = Made::new(task, &reel, &manifest);
    drop(folder);
    // The last one to leave tidies up; what cannot be removed does no harm. Each lets go of the folder first, so the last one at the gate is
    // alone.
    if let Ok(Some(_gate)) = gate(task.path, task.interrupt, patience)
        && let Ok(Some(folder)) = Folder::try_open(task.path, LockMode::Exclusive)
    {
        let _ = folder.remove_claims(&task.range);
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
            return Err(lock::gate_held_error(path, &private));
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
    if let Some(folder) = Folder::try_open(task.path, LockMode::Exclusive)? {
        notes = task.timings.time(Stage::Prepare, || begin(task, &folder))?.notes;
    }
    let folder = Folder::open(task.path, LockMode::Shared)?;
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

/// The frames of all pieces, and the steady-state comparison where one is asked for.
type Collected = (Vec<FrameEntry>, Option<SteadyEntry>);

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

    /// Works until every piece is done, or the process is to end, or a simulation does not go on.
    fn work(&mut self, manifest: &Manifest) -> Result<(), Failure> {
        let steady = self.steady_piece();
        let end = if self.task.args.no_steady { steady } else { steady + 1 };
        let pieces = self.task.range.start / PIECE..end;
        let has_steady =
            manifest.steady.as_ref().filter(|steady| steady.limits == self.task.limits());
        loop {
            let open: Vec<u64> =
                pieces.clone().filter(|piece| !self.done.contains(piece)).collect();
            if open.is_empty() {
                return Ok(());
            }
            for piece in open {
                if self.task.interrupt.is_set() || self.reel.refusal().is_some() {
                    return Ok(());
                }
                match self.claims.claim(piece)? {
                    ClaimOutcome::Taken => continue,
                    ClaimOutcome::Done => {}
                    ClaimOutcome::Claimed(claim) => {
                        let is_whole = beating(&claim.journal, || match piece == steady {
                            true => self.steady(&claim, has_steady),
                            false => self.draw(&claim, &manifest.frames),
                        })?;
                        claim.journal.mark_left()?;
                        if !is_whole {
                            continue;
                        }
                    }
                }
                self.done.insert(piece);
            }
            if self.reel.refusal().is_some() {
                return Ok(());
            }
            thread::sleep(LOOK);
        }
    }

    /// Draws a piece; whether it is whole.
    fn draw(&mut self, claim: &Claim, known: &[FrameEntry]) -> Result<bool, Failure> {
        let range = self.frames_of(claim.piece);
        let there = known.iter().chain(&claim.earlier);
        let there: Vec<FrameEntry> =
            there.filter(|entry| range.contains(&entry.frame)).cloned().collect();
        let whole = there.iter().filter(|entry| self.folder.has_frame(entry));
        let mut entries: BTreeMap<u64, FrameEntry> =
            whole.map(|entry| (entry.frame, entry.clone())).collect();
        let missing: Vec<u64> =
            range.clone().filter(|frame| !entries.contains_key(frame)).collect();
        self.clear_place(&there, there.iter().filter(|entry| !entries.contains_key(&entry.frame)))?;
        let Self { shop, press, reel, claims, .. } = self;
        let is_mine = || claims.is_mine(claim);
        let drawn = shop.print(press, reel, &missing, &claim.journal, &is_mine)?;
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
    fn steady(&self, claim: &Claim, made: Option<&SteadyEntry>) -> Result<bool, Failure> {
        let steady = match made.filter(|steady| self.folder.has_file(&steady.file, &steady.sha256))
        {
            Some(steady) => Some(steady.clone()),
            None => {
                if let Some(made) = made {
                    self.make_way_for_steady(made)?;
                }
                let place = (self.folder, &claim.journal);
                steady::make(self.task, self.progress, place, &|| true)?
            }
        };
        if let Some(steady) = &steady {
            self.claims.finish(claim.piece, steady)?;
        }
        Ok(steady.is_some())
    }

    /// Writes the manifest when all pieces are there and their files are what they were; `None` when something has to be done anew.
    fn gather(&mut self, patience: Duration) -> Result<Option<Manifest>, Failure> {
        let Some((drawn, steady)) = self.collect()? else { return Ok(None) };
        // Another one may have seen to it.
        if let Some(manifest) = Manifest::read(self.task.path)?
            && manifest.under_way.is_none()
            && holds_all(&manifest.frames, &drawn)
            && (steady.is_none() || manifest.steady == steady)
        {
            return Ok(Some(manifest));
        }
        // Files are looked at before the gate is taken: that can take long.
        let damaged: Vec<&FrameEntry> =
            drawn.par_iter().filter(|entry| !self.folder.has_frame(entry)).collect();
        if !damaged.is_empty() {
            self.clear_place(&drawn, damaged.iter().copied())?;
            damaged.iter().try_for_each(|entry| self.reopen(entry.frame / PIECE))?;
            return Ok(None);
        }
        if let Some(steady) = &steady
            && !self.folder.has_file(&steady.file, &steady.sha256)
        {
            self.make_way_for_steady(steady)?;
            self.reopen(self.steady_piece())?;
            return Ok(None);
        }
        let Some(_gate) = gate(self.task.path, self.task.interrupt, patience)? else {
            return Ok(None);
        };
        let mut manifest = Manifest::read(self.task.path)?.unwrap_or_else(|| self.task.manifest());
        let all = manifest.frames.into_iter().chain(drawn);
        let all: BTreeMap<u64, FrameEntry> = all.map(|entry| (entry.frame, entry)).collect();
        manifest.frames = all.into_values().collect();
        manifest.steady = steady.or(manifest.steady);
        // Others may be at another range still.
        manifest.under_way =
            manifest.under_way.filter(|range| Some(*range) != self.task.manifest().under_way);
        manifest.write(self.task.path)?;
        Ok(Some(manifest))
    }

    /// What finished pieces say; `None` where one is not finished after all.
    fn collect(&mut self) -> Result<Option<Collected>, OutputError> {
        let mut all = Vec::new();
        let steady_piece = self.steady_piece();
        for piece in self.task.range.start / PIECE..steady_piece {
            let drawn: Vec<FrameEntry> = self.claims.done(piece).unwrap_or_default();
            if !self.frames_of(piece).eq(drawn.iter().map(|entry| entry.frame)) {
                self.reopen(piece)?;
                return Ok(None);
            }
            all.extend(drawn);
        }
        if self.task.args.no_steady {
            return Ok(Some((all, None)));
        }
        let steady = self.claims.done::<SteadyEntry>(steady_piece);
        if steady.is_none() {
            self.reopen(steady_piece)?;
        }
        Ok(steady.map(|steady| (all, Some(steady))))
    }

    /// Writes what all have drawn so far into the manifest, when the process is to end. One who holds the gate now knows better.
    fn leave(&self) -> Result<Vec<FrameEntry>, OutputError> {
        let gate = Lock::gate(self.folder.private())?;
        let found = self.folder.earlier_render(self.task.source);
        if gate.is_some() {
            let steady = Manifest::read(self.task.path)?.and_then(|manifest| manifest.steady);
            let manifest =
                Manifest { frames: found.frames.clone(), steady, ..self.task.manifest() };
            manifest.write(self.task.path)?;
        }
        Ok(found.frames)
    }

    /// Makes way for files that are not what entries say.
    fn clear_place<'b>(
        &self,
        known: &[FrameEntry],
        damaged: impl Iterator<Item = &'b FrameEntry>,
    ) -> Result<(), OutputError> {
        let mut owned = OwnedFiles::default();
        known.iter().for_each(|entry| owned.add(&entry.file, &entry.sha256));
        for entry in damaged {
            let note = self.folder.clear_place(&owned, &entry.file)?;
            note.iter().for_each(|note| self.progress.note(note));
        }
        Ok(())
    }

    fn make_way_for_steady(&self, steady: &SteadyEntry) -> Result<(), OutputError> {
        let mut owned = OwnedFiles::default();
        owned.add(&steady.file, &steady.sha256);
        let note = self.folder.clear_place(&owned, &steady.file)?;
        note.iter().for_each(|note| self.progress.note(note));
        Ok(())
    }

    fn reopen(&mut self, piece: u64) -> Result<(), OutputError> {
        self.done.remove(&piece);
        self.claims.reopen(piece)
    }
}

/// Whether a list in order of frames has all of another one.
fn holds_all(list: &[FrameEntry], entries: &[FrameEntry]) -> bool {
    entries.iter().all(|entry| {
        let place = list.binary_search_by_key(&entry.frame, |listed| listed.frame);
        place.is_ok_and(|place| list[place] == *entry)
    })
}

/// Does the work, and shows all the while that it is being done.
fn beating<R>(journal: &Journal, work: impl FnOnce() -> R) -> R {
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let beats = move || {
            while is_done.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                // Where that fails the work fails as well, and says why.
                let _ = journal.heartbeat();
            }
        };
        // Without this thread the claim may be taken over, and the piece drawn twice: no harm but the work.
        let _ = thread::Builder::new().spawn_scoped(scope, beats);
        let result = work();
        drop(done);
        result
    })
}

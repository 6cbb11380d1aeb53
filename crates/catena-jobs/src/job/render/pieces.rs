//! Pieces of a shared render. Processes claim, draw and finish them one by one, and one process
//! verifies all files at the end.

use super::task::Task;
use super::{RenderError, steady};
use crate::job::Interruption;
use crate::job::frames::{FramePipeline, FrameSimulator, FrameWriter};
use catena_base::threads;
use catena_output::claim::{Claim, ClaimOutcome, Claims};
use catena_output::folder::Folder;
use catena_output::journal::Journal;
use catena_output::lock::Lock;
use catena_output::manifest::{FrameEntry, Manifest, SteadyEntry};
use catena_output::ownership::OwnedFiles;
use catena_output::{OutputError, folder, lock};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Interval at which a waiting process checks the folder.
pub(super) const WAIT: Duration = Duration::from_millis(100);
/// Number of frames in a piece.
pub(super) const PIECE: u64 = 32;
/// Interval between heartbeats of a working process.
const BEAT: Duration = Duration::from_millis(500);

/// A process that shares the folder with others.
pub(super) struct Worker<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) folder: &'a Folder,
    pipeline: FramePipeline<'a>,
    writer: FrameWriter<'a>,
    pub(super) simulator: FrameSimulator<'a>,
    pub(super) claims: Claims,
    /// Pieces that are known to be finished.
    pub(super) done: BTreeSet<u64>,
    /// Hashes of the files that this process has written or verified.
    pub(super) seen: BTreeSet<String>,
    /// Modification time of the manifest, if the render was complete when this process joined.
    pub(super) trusted: Option<SystemTime>,
    /// Whether the frames in the manifest were verified when the folder was prepared.
    trusts_manifest: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        task: &'a Task<'a>,
        folder: &'a Folder,
        pipeline: FramePipeline<'a>,
        writer: FrameWriter<'a>,
        simulator: FrameSimulator<'a>,
        claims: Claims,
    ) -> Self {
        let (done, seen) = Default::default();
        let (trusted, trusts_manifest) = (None, folder.is_locked());
        Self {
            task,
            folder,
            pipeline,
            writer,
            simulator,
            claims,
            done,
            seen,
            trusted,
            trusts_manifest,
        }
    }

    /// Adds the files that this process has already verified.
    pub(super) fn having_seen(self, seen: BTreeSet<String>, trusted: Option<SystemTime>) -> Self {
        Self { seen, trusted, ..self }
    }

    /// Number of the steady-state comparison as a piece, after the pieces of frames.
    pub(super) fn steady_piece(&self) -> u64 {
        self.task.range.end.div_ceil(PIECE)
    }

    /// Number of the last piece, in which all files are verified and the manifest is written.
    pub(super) fn last_piece(&self) -> u64 {
        self.steady_piece() + 1
    }

    /// Works until all pieces are finished, the job is interrupted, or a simulation has exhausted
    /// its budget.
    pub(super) fn work(&mut self, manifest: &Manifest) -> Result<(), RenderError> {
        let steady = self.steady_piece();
        let end = if self.task.options.steady { steady + 1 } else { steady };
        let pieces = self.task.range.start / PIECE..end;
        let has_steady = manifest.steady.as_ref().filter(|steady| self.task.has_waited(steady));
        loop {
            let open: Vec<u64> =
                pieces.clone().filter(|piece| !self.done.contains(piece)).collect();
            if open.is_empty() {
                return Ok(());
            }
            for piece in open {
                if self.task.interruption.is_set() || self.simulator.refusal().is_some() {
                    return Ok(());
                }
                match self.claims.claim(piece)? {
                    ClaimOutcome::Taken => continue,
                    ClaimOutcome::Done => {}
                    ClaimOutcome::Claimed(claim) => {
                        let has_frame = with_heartbeat(&claim.journal, || match piece == steady {
                            true => self.steady(&claim, has_steady),
                            false => self.draw(&claim, &manifest.frames),
                        })?;
                        claim.journal.mark_left()?;
                        if !has_frame {
                            continue;
                        }
                    }
                }
                self.done.insert(piece);
            }
            if self.simulator.refusal().is_some() {
                return Ok(());
            }
            thread::sleep(WAIT);
        }
    }

    /// Draws a piece and returns whether it is complete.
    fn draw(&mut self, claim: &Claim, known: &[FrameEntry]) -> Result<bool, RenderError> {
        let range = self.frames_of(claim.piece);
        let is_in_range = |entry: &&FrameEntry| range.contains(&entry.frame);
        let known: Vec<&FrameEntry> = known.iter().filter(is_in_range).collect();
        let earlier = claim.earlier.iter().filter(is_in_range);
        let there: Vec<FrameEntry> = known.iter().copied().chain(earlier).cloned().collect();
        let is_whole = |entry: &&FrameEntry| {
            // One process verifies all files at the end, so verified frames are not hashed again
            // here.
            let is_known = self.trusts_manifest && known.contains(entry);
            match is_known {
                true => self.folder.file(&entry.file).is_file(),
                false => self.folder.has_frame(&self.task.source.names, entry),
            }
        };
        let whole = there.iter().filter(is_whole);
        let mut entries: BTreeMap<u64, FrameEntry> =
            whole.map(|entry| (entry.frame, entry.clone())).collect();
        let missing: Vec<u64> =
            range.clone().filter(|frame| !entries.contains_key(frame)).collect();
        self.clear_place(&there, there.iter().filter(|entry| !entries.contains_key(&entry.frame)))?;
        let Self { pipeline, writer, simulator, claims, .. } = self;
        let is_mine = || claims.is_mine(claim);
        let drawn = pipeline.write(writer, simulator, &missing, &claim.journal, &is_mine)?;
        self.seen.extend(drawn.iter().map(|entry| entry.sha256.clone()));
        entries.extend(drawn.into_iter().map(|entry| (entry.frame, entry)));
        let has_frame = entries.len() as u64 == range.end - range.start;
        if has_frame {
            if range.contains(&self.task.last()) {
                self.simulator.advance_to(self.task.last())?;
                self.simulator.write_checkpoint(true)?;
            }
            self.claims.finish(claim.piece, &entries.into_values().collect::<Vec<_>>())?;
        }
        Ok(has_frame)
    }

    pub(super) fn frames_of(&self, piece: u64) -> Range<u64> {
        let range = &self.task.range;
        range.start.max(piece * PIECE)..range.end.min((piece + 1) * PIECE)
    }

    /// Draws the steady-state comparison unless it exists. Returns whether it exists afterwards.
    fn steady(&self, claim: &Claim, made: Option<&SteadyEntry>) -> Result<bool, RenderError> {
        let steady = match made.filter(|steady| self.folder.has_file(&steady.file, &steady.sha256))
        {
            Some(steady) => Some(steady.clone()),
            None => {
                if let Some(made) = made {
                    self.clear_steady(made)?;
                }
                steady::make(self.task, self.folder, &claim.journal, &|| true)?
            }
        };
        if let Some(steady) = &steady {
            self.claims.finish(claim.piece, steady)?;
        }
        Ok(steady.is_some())
    }

    /// Removes or moves aside files that do not match their entries.
    pub(super) fn clear_place<'b>(
        &self,
        known: &[FrameEntry],
        damaged: impl Iterator<Item = &'b FrameEntry>,
    ) -> Result<(), OutputError> {
        let mut ours = OwnedFiles::default();
        known.iter().for_each(|entry| ours.add(&entry.file, &entry.sha256));
        for entry in damaged {
            let note = self.folder.clear_place(&ours, &entry.file)?;
            note.iter().for_each(|note| self.task.progress.note(note));
        }
        Ok(())
    }

    pub(super) fn clear_steady(&self, steady: &SteadyEntry) -> Result<(), OutputError> {
        let mut ours = OwnedFiles::default();
        ours.add(&steady.file, &steady.sha256);
        let note = self.folder.clear_place(&ours, &steady.file)?;
        note.iter().for_each(|note| self.task.progress.note(note));
        Ok(())
    }

    pub(super) fn reopen(&mut self, piece: u64) -> Result<(), OutputError> {
        self.done.remove(&piece);
        self.claims.reopen(piece)
    }
}

/// Runs `work` and writes heartbeats into the journal in the meantime.
pub(super) fn with_heartbeat<R>(journal: &Journal, work: impl FnOnce() -> R) -> R {
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let beats = move || {
            while is_done.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                // If writing fails here, it also fails in the work, which reports the error.
                let _ = journal.heartbeat();
            }
        };
        // Without this thread, another process may claim the piece and draw it again, which costs
        // only time.
        let _ = threads::spawn_scoped(scope, "beats", beats);
        let result = work();
        drop(done);
        result
    })
}

/// Frames of all pieces, and the steady-state comparison if one is requested.
type Collected = (Vec<FrameEntry>, Option<SteadyEntry>);

impl Worker<'_> {
    /// Completes the render once all pieces are finished: one process verifies all files and writes
    /// the manifest, and the others wait. `None` if there is more to do or to wait for.
    pub(super) fn gather(&mut self, patience: Duration) -> Result<Option<Manifest>, RenderError> {
        let piece = self.last_piece();
        match self.claims.claim(piece)? {
            ClaimOutcome::Done => {
                let manifest = Manifest::read(self.task.path)?;
                if manifest.is_none() {
                    self.reopen(piece)?;
                }
                Ok(manifest)
            }
            ClaimOutcome::Taken => {
                thread::sleep(WAIT);
                Ok(None)
            }
            ClaimOutcome::Claimed(claim) => {
                let manifest = with_heartbeat(&claim.journal, || self.verify(patience))?;
                if manifest.is_some() {
                    self.claims.finish(piece, &Vec::<FrameEntry>::new())?;
                }
                claim.journal.mark_left()?;
                Ok(manifest)
            }
        }
    }

    /// Writes the manifest if the files of all pieces are intact. `None` if a piece has to be drawn
    /// again.
    fn verify(&mut self, patience: Duration) -> Result<Option<Manifest>, RenderError> {
        let Some((drawn, steady)) = self.collect()? else { return Ok(None) };
        let (folder, seen, names) = (self.folder, &self.seen, &self.task.source.names);
        // Another process may have completed the same render and verified all files.
        let is_known = |entry: &FrameEntry| {
            seen.contains(&entry.sha256)
                || self.trusted.is_some_and(|time| folder.is_older(&names.file(entry.frame), time))
        };
        let is_whole = |entry: &FrameEntry| match is_known(entry) {
            true => folder.file(&entry.file).is_file(),
            false => folder.has_frame(names, entry),
        };
        // Verification may take long, so it happens before the gate is taken.
        let damaged: Vec<&FrameEntry> = drawn.par_iter().filter(|entry| !is_whole(entry)).collect();
        if !damaged.is_empty() {
            self.clear_place(&drawn, damaged.iter().copied())?;
            damaged.iter().try_for_each(|entry| self.reopen(entry.frame / PIECE))?;
            return Ok(None);
        }
        if let Some(steady) = &steady
            && !self.folder.has_file(&steady.file, &steady.sha256)
        {
            self.clear_steady(steady)?;
            self.reopen(self.steady_piece())?;
            return Ok(None);
        }
        let Some(_gate) = gate(self.task.path, self.task.interruption, patience)? else {
            return Ok(None);
        };
        let mut manifest = Manifest::read(self.task.path)?.unwrap_or_else(|| self.task.manifest());
        let all = manifest.frames.into_iter().chain(drawn);
        let all: BTreeMap<u64, FrameEntry> = all.map(|entry| (entry.frame, entry)).collect();
        manifest.frames = all.into_values().collect();
        manifest.steady = steady.or(manifest.steady);
        // Other processes may still render another range.
        manifest.under_way =
            manifest.under_way.filter(|range| Some(*range) != self.task.manifest().under_way);
        manifest.write(self.task.path)?;
        Ok(Some(manifest))
    }

    /// Collects the results of finished pieces. `None` if one is not finished after all.
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
        if !self.task.options.steady {
            return Ok(Some((all, None)));
        }
        let steady = self.claims.done::<SteadyEntry>(steady_piece);
        if steady.is_none() {
            self.reopen(steady_piece)?;
        }
        Ok(steady.map(|steady| (all, Some(steady))))
    }

    /// Writes all finished frames of all processes into the manifest when the job is interrupted.
    /// If another process holds the gate, it has newer information and nothing is written.
    pub(super) fn write_finished(&self) -> Result<Vec<FrameEntry>, OutputError> {
        let gate = Lock::gate(self.folder.private())?;
        let (done, range) = (&self.done, &self.task.range);
        let is_foreign = |frame, _| done.contains(&(frame / PIECE)) || !range.contains(&frame);
        let found = self.folder.earlier_render(&self.task.source, &is_foreign)?;
        if gate.is_some() {
            let steady = Manifest::read(self.task.path)?.and_then(|manifest| manifest.steady);
            let manifest =
                Manifest { frames: found.frames.clone(), steady, ..self.task.manifest() };
            manifest.write(self.task.path)?;
        }
        Ok(found.frames)
    }
}

/// Waits for the gate, which processes hold only briefly. `None` if the job is interrupted.
///
/// # Errors
/// The gate is still held after `patience`.
pub(crate) fn gate(
    path: &Path,
    interruption: &dyn Interruption,
    patience: Duration,
) -> Result<Option<Lock>, OutputError> {
    let private = folder::prepare(path)?;
    let start = Instant::now();
    loop {
        if let Some(lock) = Lock::gate(&private)? {
            return Ok(Some(lock));
        }
        if interruption.is_set() {
            return Ok(None);
        }
        if start.elapsed() > patience {
            return Err(lock::gate_held_error(path, &private));
        }
        thread::sleep(WAIT);
    }
}

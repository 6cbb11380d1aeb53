//! The pieces of a shared render: frames are claimed, drawn and gathered piece by piece.

use super::{RenderError, steady, task::Task};
use crate::job::frames::{FramePipeline, FrameSimulator, FrameWriter};
use catena_base::threads;
use catena_output::{
    OutputError,
    claim::{Claim, ClaimOutcome, Claims},
    folder::Folder,
    journal::Journal,
    manifest::{FrameEntry, Manifest, SteadyEntry},
    ownership::OwnedFiles,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, SystemTime},
};

/// How long a process waits before it looks at the folder again.
pub(super) const WAIT: Duration = Duration::from_millis(100);
/// Frames of a piece.
pub(super) const PIECE: u64 = 32;
/// How often a process that works gives a sign of life.
const BEAT: Duration = Duration::from_millis(500);

/// One of the processes that share the folder.
pub(super) struct Worker<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) folder: &'a Folder,
    pipeline: FramePipeline<'a>,
    writer: FrameWriter<'a>,
    pub(super) simulator: FrameSimulator<'a>,
    pub(super) claims: Claims,
    /// Pieces that are known to be finished.
    pub(super) done: BTreeSet<u64>,
    /// Hashes of the files that this process has written or found to be whole itself.
    pub(super) seen: BTreeSet<String>,
    /// When the manifest was written, if the render was whole when this process joined.
    pub(super) trusted: Option<SystemTime>,
    /// Whether frames of the manifest were found to be whole when the folder was made ready.
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

    /// With files that this process has found to be whole.
    pub(super) fn having_seen(self, seen: BTreeSet<String>, trusted: Option<SystemTime>) -> Self {
        Self { seen, trusted, ..self }
    }

    /// The piece behind the frames: the steady-state comparison.
    pub(super) fn steady_piece(&self) -> u64 {
        self.task.range.end.div_ceil(PIECE)
    }

    /// The piece behind all: a look at every file, and the manifest.
    pub(super) fn last_piece(&self) -> u64 {
        self.steady_piece() + 1
    }

    /// Works until every piece is done, or the job is to end, or a simulation does not go on.
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
                        let has_frame = beating(&claim.journal, || match piece == steady {
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

    /// Draws a piece and returns whether it is whole.
    fn draw(&mut self, claim: &Claim, known: &[FrameEntry]) -> Result<bool, RenderError> {
        let range = self.frames_of(claim.piece);
        let is_in_range = |entry: &&FrameEntry| range.contains(&entry.frame);
        let known: Vec<&FrameEntry> = known.iter().filter(is_in_range).collect();
        let earlier = claim.earlier.iter().filter(is_in_range);
        let there: Vec<FrameEntry> = known.iter().copied().chain(earlier).cloned().collect();
        let is_whole = |entry: &&FrameEntry| {
            // What was found to be whole is looked at once more at the end, by one process.
            let is_known = self.trusts_manifest && known.contains(entry);
            match is_known {
                true => self.folder.file(&entry.file).is_file(),
                false => self.folder.has_frame(entry),
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
                self.simulator.go_to(self.task.last())?;
                self.simulator.keep(true)?;
            }
            self.claims.finish(claim.piece, &entries.into_values().collect::<Vec<_>>())?;
        }
        Ok(has_frame)
    }

    pub(super) fn frames_of(&self, piece: u64) -> Range<u64> {
        let range = &self.task.range;
        range.start.max(piece * PIECE)..range.end.min((piece + 1) * PIECE)
    }

    /// Makes the steady-state comparison where it is not there, and returns whether it is now.
    fn steady(&self, claim: &Claim, made: Option<&SteadyEntry>) -> Result<bool, RenderError> {
        let steady = match made.filter(|steady| self.folder.has_file(&steady.file, &steady.sha256))
        {
            Some(steady) => Some(steady.clone()),
            None => {
                if let Some(made) = made {
                    self.make_way_for_steady(made)?;
                }
                let place = (self.folder, &claim.journal);
                steady::make(self.task, place, &|| true)?
            }
        };
        if let Some(steady) = &steady {
            self.claims.finish(claim.piece, steady)?;
        }
        Ok(steady.is_some())
    }

    /// Removes or moves aside files that are not what entries say.
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

    pub(super) fn make_way_for_steady(&self, steady: &SteadyEntry) -> Result<(), OutputError> {
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

/// Does the work, and gives signs of life in the journal all the while.
pub(super) fn beating<R>(journal: &Journal, work: impl FnOnce() -> R) -> R {
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let beats = move || {
            while is_done.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                // Where that fails the work fails as well, and says why.
                let _ = journal.heartbeat();
            }
        };
        // Without this thread another process may claim the piece and draw it once more, which
        // costs only work.
        let _ = threads::spawn_scoped(scope, "beats", beats);
        let result = work();
        drop(done);
        result
    })
}

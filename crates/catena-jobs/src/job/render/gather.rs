//! End of a shared render. One process verifies all files and writes the manifest from the results
//! of all pieces.

use super::{
    RenderError,
    pieces::{PIECE, WAIT, Worker, with_heartbeat},
    shared::gate,
};
use catena_output::{
    OutputError,
    claim::ClaimOutcome,
    lock::Lock,
    manifest::{FrameEntry, Manifest, SteadyEntry},
    names::frame_name,
};
use rayon::prelude::*;
use std::{collections::BTreeMap, thread, time::Duration};

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
        let (folder, seen) = (self.folder, &self.seen);
        // Another process may have completed the same render and verified all files.
        let is_known = |entry: &FrameEntry| {
            seen.contains(&entry.sha256)
                || self.trusted.is_some_and(|time| folder.is_older(&frame_name(entry.frame), time))
        };
        let is_whole = |entry: &FrameEntry| match is_known(entry) {
            true => folder.file(&entry.file).is_file(),
            false => folder.has_frame(entry),
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
            self.make_way_for_steady(steady)?;
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
    pub(super) fn leave(&self) -> Result<Vec<FrameEntry>, OutputError> {
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

//! The end of a shared render: what all pieces say becomes the manifest.

use super::{
    RenderError,
    pieces::{PIECE, Worker},
    shared::gate,
};
use crate::output::{
    OutputError,
    lock::Lock,
    manifest::{FrameEntry, Manifest, SteadyEntry},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, time::Duration};

/// The frames of all pieces, and the steady-state comparison where one is asked for.
type Collected = (Vec<FrameEntry>, Option<SteadyEntry>);

impl Worker<'_> {
    /// Writes the manifest when all pieces are there and their files are what they were; `None`
    /// when a piece has to be drawn anew.
    pub(super) fn gather(&mut self, patience: Duration) -> Result<Option<Manifest>, RenderError> {
        let Some((drawn, steady)) = self.collect()? else { return Ok(None) };
        // Another process may have written it.
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
        let Some(_gate) = gate(self.task.path, self.task.interruption, patience)? else {
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
        if !self.task.options.steady {
            return Ok(Some((all, None)));
        }
        let steady = self.claims.done::<SteadyEntry>(steady_piece);
        if steady.is_none() {
            self.reopen(steady_piece)?;
        }
        Ok(steady.map(|steady| (all, Some(steady))))
    }

    /// Writes what all processes have drawn so far into the manifest, when the job is to end. Does
    /// not write where another process holds the gate, which knows more.
    pub(super) fn leave(&self) -> Result<Vec<FrameEntry>, OutputError> {
        let gate = Lock::gate(self.folder.private())?;
        let found = self.folder.earlier_render(&self.task.source);
        if gate.is_some() {
            let steady = Manifest::read(self.task.path)?.and_then(|manifest| manifest.steady);
            let manifest =
                Manifest { frames: found.frames.clone(), steady, ..self.task.manifest() };
            manifest.write(self.task.path)?;
        }
        Ok(found.frames)
    }
}

/// Whether a list in order of frames has all of another one.
fn holds_all(list: &[FrameEntry], entries: &[FrameEntry]) -> bool {
    entries.iter().all(|entry| {
        let place = list.binary_search_by_key(&entry.frame, |listed| listed.frame);
        place.is_ok_and(|place| list[place] == *entry)
    })
}

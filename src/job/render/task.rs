//! What a render is about, and what both kinds of render do with its folder.

use super::{RenderError, RenderOptions, Rendered, endings::endings, patience::Patience};
use crate::analysis::settle::Ending;
use crate::job::{
    BodyOutcome, FrameChoice, Interruption, Progress,
    cautions::bodies,
    frames::{CheckpointPlan, FramePipeline, FrameSimulator},
    prepare::Drawing,
};
use crate::output::{
    OutputError,
    checkpoint::Checkpoints,
    clearing::WantedFiles,
    folder::{EarlierRender, Folder},
    hash::sha256,
    manifest::{FrameEntry, Manifest, RenderSource},
};
use crate::render::{Painter, text::Font};
use crate::scene::{Scene, UsedFile};
use std::{collections::HashSet, ops::Range, path::Path};

/// All that a render is about.
pub(super) struct Task<'a> {
    pub(super) options: &'a RenderOptions,
    pub(super) scene: &'a Scene,
    pub(super) font: &'a Font,
    pub(super) painter: &'a Painter<'a>,
    /// The frames that are asked for.
    pub(super) range: Range<u64>,
    /// The folder.
    pub(super) path: &'a Path,
    pub(super) source: RenderSource,
    /// The key of the source.
    pub(super) key: String,
    pub(super) progress: &'a dyn Progress,
    pub(super) interruption: &'a dyn Interruption,
}

impl<'a> Task<'a> {
    pub(super) fn new(
        drawing: &'a Drawing,
        painter: &'a Painter<'a>,
        path: &'a Path,
        options: &'a RenderOptions,
        (progress, interruption): (&'a dyn Progress, &'a dyn Interruption),
    ) -> Self {
        let Drawing { scene, range, font, font_sha256 } = drawing;
        let source = source(scene, font_sha256.clone());
        Self {
            options,
            scene,
            font,
            painter,
            range: range.clone(),
            path,
            key: source.key(),
            source,
            progress,
            interruption,
        }
    }

    pub(super) fn last(&self) -> u64 {
        self.range.end - 1
    }

    fn checkpoints(&self, folder: &Folder) -> Checkpoints {
        Checkpoints::new(folder.private(), &self.key)
    }

    /// The simulations, with checkpoints in the folder.
    pub(super) fn simulator(&self, folder: &Folder) -> FrameSimulator<'a> {
        let every = self.options.checkpoint_every;
        let plan = CheckpointPlan { checkpoints: self.checkpoints(folder), every };
        FrameSimulator::new(self.scene, Some(plan), self.interruption, usize::MAX)
    }

    pub(super) fn pipeline<'b>(&self, on_failure: &'b (dyn Fn() + Sync)) -> FramePipeline<'b>
    where
        'a: 'b,
    {
        let (progress, interruption) = (self.progress, self.interruption);
        FramePipeline { progress, interruption, on_failure }
    }

    /// A manifest without frames.
    pub(super) fn manifest(&self) -> Manifest {
        let under_way = Some([self.range.start, self.last()]);
        Manifest { source: self.source.clone(), frames: Vec::new(), under_way, steady: None }
    }

    pub(super) fn patience(&self) -> Patience {
        Patience::new(self.scene, self.options.steady_time, self.last())
    }

    /// For each panel the frame after which its bodies are given up: the last frame at least.
    pub(super) fn limits(&self) -> Vec<u64> {
        let patience = self.patience();
        let panels = self.scene.panels.iter();
        panels.map(|panel| patience.limit(panel.rest.limit, self.last())).collect()
    }

    /// The frames that are asked for and not there.
    pub(super) fn missing(&self, there: &[FrameEntry]) -> Vec<u64> {
        let there: HashSet<u64> = there.iter().map(|entry| entry.frame).collect();
        self.range.clone().filter(|frame| !there.contains(frame)).collect()
    }

    /// Tells that the frames begin, of which so many have yet to be drawn, and what there is to
    /// note.
    pub(super) fn begin(&self, missing: usize, notes: &[String]) {
        let all = self.range.end - self.range.start;
        self.progress.begin(all, all - missing as u64);
        notes.iter().for_each(|note| self.progress.note(note));
    }

    /// The error for an interrupted render that left these frames.
    pub(super) fn interrupted(&self, frames: &[FrameEntry]) -> RenderError {
        let all = self.range.end - self.range.start;
        RenderError::Interrupted { there: all - self.missing(frames).len() as u64, frames: all }
    }

    /// What there is at the end.
    pub(super) fn rendered(&self, simulator: &FrameSimulator<'_>, manifest: &Manifest) -> Rendered {
        let steady = manifest.steady.as_ref().filter(|_| self.options.steady);
        let bodies = simulator.outcomes(steady.map(endings));
        Rendered {
            frames: self.range.end - self.range.start,
            has_steady: steady.is_some(),
            note: steady.and_then(|_| self.longer_wait(&bodies)),
            bodies,
        }
    }

    /// Prepares a folder that is this process's alone: takes over what an earlier render of the
    /// same has left, and removes what else is catena's.
    pub(super) fn prepare(&self, folder: &Folder) -> Result<EarlierRender, OutputError> {
        let mut found = folder.earlier_render(&self.source);
        if !matches!(self.options.frames, FrameChoice::Part(_)) {
            let all = found.frames.len();
            found.frames.retain(|entry| self.range.contains(&entry.frame));
            if let beyond @ 1.. = all - found.frames.len() {
                let end = self.range.end;
                found.notes.push(format!(
                    "note: {beyond} frames of an earlier render from {end} on are removed, since {end} frames are asked for"
                ));
            }
        }
        // Bodies are waited for up to the last frame at least, so another last frame may mean
        // another picture.
        found.steady = found.steady.filter(|steady| steady.limits == self.limits());
        let missing = self.missing(&found.frames).into_iter().collect();
        let steady = found.steady.is_none() && self.options.steady;
        let wanted = WantedFiles { frames: missing, steady, size: self.scene.size };
        let clearing = folder.plan(&found, &wanted)?;
        found.notes.extend(clearing.notes.iter().cloned());
        let (frames, steady) = (found.frames.clone(), found.steady.clone());
        // From here on the folder is known as ours, and what is kept is known, should this render
        // be interrupted.
        let manifest = Manifest { frames, steady, ..self.manifest() };
        found.notes.extend(folder.clear(&clearing, &manifest)?);
        if found.has_other_source {
            self.checkpoints(folder).clear()?;
        }
        folder.remove_all_claims()?;
        Ok(found)
    }

    /// How to wait longer, where waiting ended before a body was at rest or reached its limit.
    fn longer_wait(&self, outcomes: &[BodyOutcome]) -> Option<String> {
        let limits = bodies(self.scene).into_iter().map(|(panel, _)| panel.rest.limit);
        let is_moving = |body: &BodyOutcome| matches!(body.ending, Some(Ending::Moving { .. }));
        let moving = limits.zip(outcomes).filter(|(_, body)| is_moving(body));
        self.patience().way_on(moving.map(|(limit, _)| limit).max()?)
    }
}

/// A file that the scene reads, and its SHA-256.
fn hashed(file: &UsedFile) -> (String, String) {
    (file.name.clone(), sha256(&file.bytes))
}

/// What the bytes of a render depend on.
fn source(scene: &Scene, font_sha256: Option<String>) -> RenderSource {
    RenderSource {
        catena: env!("CARGO_PKG_VERSION").into(),
        build: env!("CATENA_BUILD").into(),
        scene: scene.name.clone(),
        scene_sha256: sha256(scene.text.as_bytes()),
        scene_text: scene.text.clone(),
        size: scene.size,
        set: scene.changes(),
        files: scene.files.iter().map(hashed).collect(),
        font_sha256,
    }
}

//! What a render is about, and what both kinds of render do with its folder.

use super::{RenderError, RenderOptions, Rendered, endings::endings, patience::Patience};
use crate::job::{
    BodyOutcome, FrameChoice, Interruption, Progress,
    cautions::bodies,
    frames::{CheckpointPlan, FramePipeline, FrameSimulator},
    prepare::Drawing,
};
use catena_analysis::settle::Ending;
use catena_draw::frames::FramesAhead;
use catena_draw::{Painter, text::Font};
use catena_output::{
    OutputError,
    atomic::{self, Durability},
    checkpoint::Checkpoints,
    clearing::WantedFiles,
    folder::{EarlierRender, Folder},
    hash::sha256,
    lock::without_locks,
    manifest::{FrameEntry, Manifest, RenderSource, SteadyEntry},
    names::frame_name,
};
use catena_scene::{Scene, UsedFile};
use std::{
    collections::HashSet,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// All that a render is about.
pub(super) struct Task<'a> {
    pub(super) options: &'a RenderOptions,
    pub(super) scene: &'a Scene,
    pub(super) font: &'a Font,
    pub(super) painter: &'a Painter<'a>,
    /// Frames that are simulated already, for the first simulator.
    ahead: Mutex<Option<FramesAhead>>,
    /// The frames that are asked for of this process; a shard can have none.
    pub(super) range: Range<u64>,
    /// The last frame of the whole render, which other shards may have.
    pub(super) last_of_all: u64,
    /// The report of a shard, which is not there as long as something is missing.
    report: Option<PathBuf>,
    /// How safe frames are before they take their names.
    pub(super) care: Durability,
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
            ahead: Mutex::default(),
            range: range.clone(),
            last_of_all: range.end.saturating_sub(1),
            report: None,
            care: Durability::Written,
            path,
            key: source.key(),
            source,
            progress,
            interruption,
        }
    }

    /// Adds frames that are simulated already.
    pub(super) fn with_ahead(self, ahead: Option<FramesAhead>) -> Self {
        Self { ahead: Mutex::new(ahead), ..self }
    }

    /// The part of it that a shard has, in a folder of its own.
    pub(super) fn part(self, range: Range<u64>, path: &'a Path, report: PathBuf) -> Self {
        // The folder may be another machine's, whose errors come late.
        Self { range, path, report: Some(report), care: Durability::Synced, ..self }
    }

    /// The same without any frames: what is left is the comparison.
    pub(super) fn without_frames(&self) -> Task<'a> {
        let range = self.range.start..self.range.start;
        let (report, source, key) = (self.report.clone(), self.source.clone(), self.key.clone());
        Task { range, report, source, key, ahead: Mutex::default(), ..*self }
    }

    /// Something is about to be made that was missing, so no report may say otherwise.
    pub(super) fn is_unfinished(&self) -> Result<(), OutputError> {
        self.report.as_deref().map_or(Ok(()), atomic::remove)
    }

    /// The last frame that is asked for of this process; 0 for a shard that has none.
    pub(super) fn last(&self) -> u64 {
        if self.range.is_empty() { 0 } else { self.range.end - 1 }
    }

    fn checkpoints(&self, folder: &Folder) -> Checkpoints {
        Checkpoints::new(folder.private(), &self.key)
    }

    /// The simulations, with checkpoints in the folder.
    pub(super) fn simulator(&self, folder: &Folder) -> FrameSimulator<'a> {
        let RenderOptions { checkpoint_every: every, checkpoint_at, .. } = self.options;
        let asked = checkpoint_at.iter().copied().collect();
        let plan = CheckpointPlan { checkpoints: self.checkpoints(folder), every: *every, asked };
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        FrameSimulator::new(self.scene, Some(plan), self.interruption, usize::MAX, ahead.take())
    }

    /// The same, and these frames in the order in which they are asked of it.
    pub(super) fn simulator_of(
        &self,
        folder: &Folder,
        frames: Vec<u64>,
    ) -> (FrameSimulator<'a>, Vec<u64>) {
        let mut simulator = self.simulator(folder);
        let frames = simulator.arrange(frames, self.options.order);
        (simulator, frames)
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
        let under_way = (!self.range.is_empty()).then(|| [self.range.start, self.last()]);
        let (frames, packs) = (Vec::new(), Vec::new());
        Manifest { source: self.source.clone(), frames, under_way, packs, steady: None }
    }

    pub(super) fn patience(&self) -> Patience {
        Patience::new(self.scene, self.options.steady_time, self.last_of_all)
    }

    /// For each panel the frame after which its bodies are given up: the last frame at least.
    pub(super) fn limits(&self) -> Vec<u64> {
        let patience = self.patience();
        let panels = self.scene.panels.iter();
        panels.map(|panel| patience.limit(panel.rest.limit)).collect()
    }

    /// Whether a comparison has waited for bodies as long as this render does, or up to the same
    /// frames where this render makes none.
    pub(super) fn has_waited(&self, steady: &SteadyEntry) -> bool {
        let is_same_wait = !self.options.steady || steady.waited == self.patience().words();
        steady.limits == self.limits() && is_same_wait
    }

    /// The frames that are asked for and not there.
    pub(super) fn missing(&self, there: &[FrameEntry]) -> Vec<u64> {
        let there: HashSet<u64> = there.iter().map(|entry| entry.frame).collect();
        self.range.clone().filter(|frame| !there.contains(frame)).collect()
    }

    /// Whether these frames and this comparison are all that is asked for.
    pub(super) fn has_all(&self, there: &[FrameEntry], steady: Option<&SteadyEntry>) -> bool {
        let has_steady = steady.is_some_and(|steady| self.has_waited(steady));
        self.missing(there).is_empty() && (has_steady || !self.options.steady)
    }

    /// Tells that the frames begin, of which so many have yet to be drawn, and what there is to
    /// note.
    pub(super) fn begin(&self, missing: usize, notes: &[String]) {
        let is_part = matches!(self.options.frames, FrameChoice::Part(_));
        if is_part && self.options.shared.is_none() {
            self.progress.note(ALONE);
        }
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
        let is_part = matches!(self.options.frames, FrameChoice::Part(_));
        // Who joins late finds files that one process has looked at for all. What was written since
        // is looked at again.
        let trusts = self.options.shared.is_some();
        let is_foreign = |frame, whole: Option<SystemTime>| {
            let since = whole.filter(|_| trusts);
            (is_part && !self.range.contains(&frame))
                || since.is_some_and(|time| folder.is_older(&frame_name(frame), time))
        };
        let mut found = folder.earlier_render(&self.source, &is_foreign)?;
        if !self.options.replaces_quietly {
            found.notes.extend(found.other_source.clone());
        }
        if !folder.is_locked() {
            found.notes.push(without_locks(self.path));
        }
        if !is_part {
            let all = found.frames.len();
            found.frames.retain(|entry| self.range.contains(&entry.frame));
            if let beyond @ 1.. = all - found.frames.len() {
                let Range { start, end } = self.range;
                let why = match start {
                    0 => format!("from {end} on are removed, since {end} frames are asked for"),
                    _ => "are removed, since others are asked for".into(),
                };
                found.notes.push(format!("note: {beyond} frames of an earlier render {why}"));
            }
        }
        // Bodies are waited for up to the last frame at least, so another last frame may mean
        // another picture.
        found.steady = found.steady.filter(|steady| self.has_waited(steady));
        let is_whole = self.has_all(&found.frames, found.steady.as_ref());
        let missing = self.missing(&found.frames).into_iter().collect();
        let steady = found.steady.is_none() && self.options.steady;
        let wanted = WantedFiles { frames: missing, steady, size: self.scene.size };
        let clearing = folder.plan(&found, &wanted)?;
        found.notes.extend(clearing.notes.iter().cloned());
        let (frames, steady) = (found.frames.clone(), found.steady.clone());
        // From here on the folder is known as ours, and what is kept is known, should this render
        // be interrupted.
        let mut manifest = Manifest { frames, steady, ..self.manifest() };
        // Those who join trust a manifest of which nothing is under way. Without locks it also
        // tells them that somebody is here.
        if is_whole && folder.is_locked() {
            manifest.under_way = None;
        }
        found.notes.extend(folder.clear(&clearing, &manifest)?);
        if found.other_source.is_some() {
            self.checkpoints(folder).clear()?;
        }
        folder.remove_all_claims()?;
        Ok(found)
    }

    /// How to wait longer, where waiting ended before a body was at rest or reached its limit.
    fn longer_wait(&self, outcomes: &[BodyOutcome]) -> Option<String> {
        let limits = bodies(self.scene).into_iter().map(|(panel, _)| panel.rest.limit);
        let ended = limits.zip(outcomes).filter_map(|(limit, body)| match body.ending {
            Some(Ending::Moving { frame, .. }) if frame < limit => Some((frame, limit)),
            _ => None,
        });
        let (frame, limit) = ended.min()?;
        self.patience().way_on(frame, limit)
    }
}

/// What happens to others while a part of the frames is rendered by one process.
const ALONE: &str = "note: until this ends, other renders into the folder are refused (exit code 5); ranges that are \
    rendered at the same time need --claim, which shares the folder, or --shard I/N, which gives each a folder of its own";

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

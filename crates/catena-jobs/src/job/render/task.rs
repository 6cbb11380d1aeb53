//! State of a render: its folder and its waiting time, common to exclusive and shared renders.

use super::endings::endings;
use super::{RenderError, RenderOptions, Rendered};
use crate::job::check::bodies;
use crate::job::frames::{CheckpointPlan, FramePipeline, FrameSimulator, FrameWriter};
use crate::job::prepare::Drawing;
use crate::job::{BodyOutcome, Interruption, Progress};
use catena_analysis::settle::{Ending, RestRule, Unrest, unrest};
use catena_base::text::number::{counted, short};
use catena_draw::frames::FramesAhead;
use catena_draw::text::Font;
use catena_draw::{Painter, PanelFrame};
use catena_output::OutputError;
use catena_output::atomic::{self, Durability};
use catena_output::checkpoint::Checkpoints;
use catena_output::clearing::WantedFiles;
use catena_output::folder::{EarlierRender, Folder};
use catena_output::hash::sha256;
use catena_output::lock::without_locks;
use catena_output::manifest::{FrameEntry, Manifest, RenderSource, SteadyEntry};
use catena_output::names::{FrameFormat, FrameNames};
use catena_scene::limits::{MIN_SECONDS, frame_cost};
use catena_scene::{Body, Panel, RestCriteria, Scene, UsedFile};
use catena_sim::Setup;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Everything that a render works with.
pub(super) struct Task<'a> {
    pub(super) options: &'a RenderOptions,
    pub(super) scene: &'a Scene,
    pub(super) font: &'a Font,
    pub(super) painter: &'a Painter<'a>,
    /// Frames that are already simulated, for the first simulator.
    ahead: Mutex<Option<FramesAhead>>,
    /// Frames of this process. The range of a shard can be empty.
    pub(super) range: Range<u64>,
    /// Last frame of the whole render, which may belong to another shard.
    pub(super) last_of_all: u64,
    /// Report of a shard, which must not exist while frames are missing.
    report: Option<PathBuf>,
    /// Durability of a file before it gets its final name.
    pub(super) care: Durability,
    /// Folder of the frames.
    pub(super) path: &'a Path,
    pub(super) source: RenderSource,
    /// Key of the source.
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
        progress: &'a dyn Progress,
        interruption: &'a dyn Interruption,
    ) -> Self {
        let Drawing { scene, range, font, font_sha256, .. } = drawing;
        let source = source(scene, font_sha256.clone(), options.names.clone());
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

    /// Adds frames that are already simulated.
    pub(super) fn with_ahead(self, ahead: Option<FramesAhead>) -> Self {
        Self { ahead: Mutex::new(ahead), ..self }
    }

    /// Restricts the task to a shard, which has a folder of its own.
    pub(super) fn part(self, range: Range<u64>, path: &'a Path, report: PathBuf) -> Self {
        // The folder may be on another machine, whose write errors arrive late.
        Self { range, path, report: Some(report), care: Durability::Synced, ..self }
    }

    /// Returns a task without frames, which makes only the comparison.
    pub(super) fn without_frames(&self) -> Task<'a> {
        let range = self.range.start..self.range.start;
        let (report, source, key) = (self.report.clone(), self.source.clone(), self.key.clone());
        Task { range, report, source, key, ahead: Mutex::default(), ..*self }
    }

    /// Removes the shard's report before missing files are made, since a report marks the shard as
    /// finished.
    pub(super) fn withdraw_report(&self) -> Result<(), OutputError> {
        self.report.as_deref().map_or(Ok(()), atomic::remove)
    }

    /// Last frame of this process; 0 for a shard without frames.
    pub(super) fn last(&self) -> u64 {
        if self.range.is_empty() { 0 } else { self.range.end - 1 }
    }

    fn checkpoints(&self, folder: &Folder) -> Checkpoints {
        Checkpoints::new(folder.private(), &self.key)
    }

    /// Simulator with checkpoints in the folder.
    pub(super) fn simulator(&self, folder: &Folder) -> FrameSimulator<'a> {
        let RenderOptions { checkpoint_every: every, checkpoint_at, .. } = self.options;
        let asked = checkpoint_at.iter().copied().collect();
        let plan = CheckpointPlan { checkpoints: self.checkpoints(folder), every: *every, asked };
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = ahead.take();
        let mut simulator =
            FrameSimulator::new(self.scene, Some(plan), self.interruption, usize::MAX, ahead);
        if self.source.names.format() == FrameFormat::Exr {
            simulator.keep_before();
        }
        simulator
    }

    /// Simulator with checkpoints in the folder, and the frames in the order in which it will
    /// produce them.
    pub(super) fn simulator_of(
        &self,
        folder: &Folder,
        frames: Vec<u64>,
    ) -> (FrameSimulator<'a>, Vec<u64>) {
        let mut simulator = self.simulator(folder);
        let frames = simulator.arrange(frames, self.options.order);
        (simulator, frames)
    }

    /// Writer of frames into the folder. `first` is frame 0.
    pub(super) fn writer<'b>(
        &'b self,
        first: &[PanelFrame],
        folder: &'b Folder,
        care: Durability,
    ) -> FrameWriter<'b> {
        FrameWriter::new(self.painter, first, &self.source.names, folder, care, self.progress)
    }

    pub(super) fn pipeline<'b>(&self, on_failure: &'b (dyn Fn() + Sync)) -> FramePipeline<'b>
    where
        'a: 'b,
    {
        let (progress, interruption) = (self.progress, self.interruption);
        FramePipeline { progress, interruption, on_failure }
    }

    /// Returns a manifest without frames.
    pub(super) fn manifest(&self) -> Manifest {
        let under_way = (!self.range.is_empty()).then(|| [self.range.start, self.last()]);
        let (frames, packs) = (Vec::new(), Vec::new());
        Manifest { source: self.source.clone(), frames, under_way, packs, steady: None }
    }

    pub(super) fn patience(&self) -> Patience {
        Patience::new(self.scene, self.options.steady_time, self.last_of_all)
    }

    /// Maximum frame up to which the bodies of each panel are simulated, at least the last frame.
    pub(super) fn limits(&self) -> Vec<u64> {
        let patience = self.patience();
        let panels = self.scene.panels.iter();
        panels.map(|panel| patience.limit(panel.rest.limit)).collect()
    }

    /// Returns for each body the part of it that never rests, if any, in the order of the scene.
    pub(super) fn unrests(&self) -> Vec<Option<Unrest>> {
        let of_body = |(panel, body): (&Panel, &Body)| {
            let RestCriteria { speed, frames, limit, .. } = panel.rest;
            unrest(&body.setup, RestRule::for_body(&body.setup, speed, frames, limit))
        };
        bodies(self.scene).into_iter().map(of_body).collect()
    }

    /// Description of the wait. Equal waits have equal descriptions.
    pub(super) fn wait(&self) -> String {
        let words = self.patience().words();
        match self.unrests().iter().any(Option::is_some) {
            true => format!("{words}; up to frame {} for what never rests", self.last_of_all),
            false => words,
        }
    }

    /// Whether a comparison has waited as long as this render does. If this render makes none,
    /// equal frame limits suffice.
    pub(super) fn has_waited(&self, steady: &SteadyEntry) -> bool {
        let is_same_wait = !self.options.steady || steady.waited == self.wait();
        steady.limits == self.limits() && is_same_wait
    }

    /// Requested frames of this process, ascending.
    pub(super) fn frames(&self) -> impl Iterator<Item = u64> + '_ {
        self.range.clone().filter(|frame| self.options.frames.has(*frame))
    }

    /// Number of the requested frames of this process.
    fn count(&self) -> u64 {
        self.frames().count() as u64
    }

    /// Requested frames that do not exist.
    pub(super) fn missing(&self, there: &[FrameEntry]) -> Vec<u64> {
        let there: HashSet<u64> = there.iter().map(|entry| entry.frame).collect();
        self.frames().filter(|frame| !there.contains(frame)).collect()
    }

    /// Whether these frames and this comparison are everything requested.
    pub(super) fn has_all(&self, there: &[FrameEntry], steady: Option<&SteadyEntry>) -> bool {
        let has_steady = steady.is_some_and(|steady| self.has_waited(steady));
        self.missing(there).is_empty() && (has_steady || !self.options.steady)
    }

    /// Reports the start of the frames, of which `missing` have to be drawn, and the notes.
    pub(super) fn begin(&self, missing: usize, notes: &[String]) {
        let is_part = self.options.frames.is_part();
        if is_part && self.options.shared.is_none() {
            self.progress.note(ALONE);
        }
        let all = self.count();
        self.progress.begin(all, all - missing as u64);
        notes.iter().for_each(|note| self.progress.note(note));
    }

    /// Error of an interrupted render that has produced these frames.
    pub(super) fn interrupted(&self, frames: &[FrameEntry]) -> RenderError {
        let all = self.count();
        RenderError::Interrupted { there: all - self.missing(frames).len() as u64, frames: all }
    }

    /// Result of the render.
    pub(super) fn rendered(&self, simulator: &FrameSimulator<'_>, manifest: &Manifest) -> Rendered {
        let steady = manifest.steady.as_ref().filter(|_| self.options.steady);
        let mut bodies = simulator.outcomes(steady.map(endings));
        let solved = steady.iter().flat_map(|steady| &steady.bodies).map(|body| &body.solved);
        for (body, solved) in bodies.iter_mut().zip(solved) {
            body.from_solved = solved.as_ref().map(|solved| solved.distance);
        }
        Rendered {
            frames: self.count(),
            has_steady: steady.is_some(),
            note: steady.and_then(|_| self.longer_wait(&bodies)),
            bodies,
        }
    }

    /// Prepares a folder to which this process has exclusive access: finds reusable files of an
    /// earlier render, and removes other files of catena.
    pub(super) fn prepare(&self, folder: &Folder) -> Result<EarlierRender, OutputError> {
        let is_part = self.options.frames.is_part();
        // In a shared render, a late joiner trusts the files that another process has verified.
        // Files written since are verified again.
        let trusts = self.options.shared.is_some();
        let is_foreign = |frame, whole: Option<SystemTime>| {
            let since = whole.filter(|_| trusts);
            (is_part && !(self.range.contains(&frame) && self.options.frames.has(frame)))
                || since.is_some_and(|time| folder.is_older(&self.source.names.file(frame), time))
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
                let are = if beyond == 1 { "is" } else { "are" };
                let why = match start {
                    0 => format!(
                        "from {end} on {are} removed, because {} requested",
                        if end == 1 { "1 frame is".into() } else { format!("{end} frames are") }
                    ),
                    _ => format!("{are} removed, because other frames are requested"),
                };
                let beyond = counted(beyond as u64, "frame");
                found.notes.push(format!("note: {beyond} of an earlier render {why}"));
            }
        }
        // The wait extends at least to the last frame, so another last frame may change the
        // picture.
        found.steady = found.steady.filter(|steady| self.has_waited(steady));
        let is_whole = self.has_all(&found.frames, found.steady.as_ref());
        let missing = self.missing(&found.frames).into_iter().collect();
        let steady = found.steady.is_none() && self.options.steady;
        let (size, names) = (self.scene.size, self.source.names.clone());
        let wanted = WantedFiles { frames: missing, steady, size, names };
        let clearing = folder.plan(&found, &wanted)?;
        found.notes.extend(clearing.notes.iter().cloned());
        let (frames, steady) = (found.frames.clone(), found.steady.clone());
        // Written before files are removed, so that an interrupted render leaves a folder with
        // known content.
        let mut manifest = Manifest { frames, steady, ..self.manifest() };
        // A joining process trusts a manifest that is not under way. Without locks, the mark also
        // shows other processes that this process is working.
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

    /// Advice on waiting longer, if the wait ended before a body was at rest or reached its limit.
    fn longer_wait(&self, outcomes: &[BodyOutcome]) -> Option<String> {
        let limits = bodies(self.scene).into_iter().map(|(panel, _)| panel.rest.limit);
        let ended =
            limits.zip(outcomes).zip(self.unrests()).filter_map(|((limit, body), unrest)| {
                // Neither a solved rest nor a body that never rests needs a wait.
                let waits = body.from_solved.is_none() && unrest.is_none();
                match body.ending {
                    Some(Ending::Moving { frame, .. }) if frame < limit && waits => {
                        Some((frame, limit))
                    }
                    _ => None,
                }
            });
        let (frame, limit) = ended.min()?;
        self.patience().wait_advice(frame, limit)
    }
}

/// Note about other processes while one process renders a part of the frames.
const ALONE: &str = "note: until this render ends, other renders into this folder fail with exit \
                     code 5; to render ranges in parallel, use --claim, which shares the folder, \
                     or --shard I/N, which uses separate folders";

/// Name and SHA-256 of a file that the scene reads.
fn hashed(file: &UsedFile) -> (String, String) {
    (file.name.clone(), sha256(&file.bytes))
}

/// Everything that the bytes of a render depend on.
fn source(scene: &Scene, font_sha256: Option<String>, names: FrameNames) -> RenderSource {
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
        names,
    }
}

/// Waiting time of the steady-state comparison: about the time that the frames take, unless the
/// user requests more.
///
/// The wait counts work instead of time, so that the picture is the same on every machine.
/// Estimates limit the frame that may be reached. Work counted during the run, such as contacts and
/// iterations, may end the wait earlier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patience {
    /// Estimated seconds per frame of all bodies.
    a_frame: f64,
    /// Last frame that bodies may reach while the render waits for them.
    frames: u64,
    /// Last rendered frame, which bodies reach in any case.
    last: u64,
    /// Seconds of one core that the user allows.
    asked: Option<f64>,
}

impl Patience {
    /// Computes the waiting time of a render. `asked` is the number of seconds of one core that the
    /// user allows. `last` is the last rendered frame, which bodies reach in any case.
    pub(super) fn new(scene: &Scene, asked: Option<f64>, last: u64) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let a_frame: f64 = bodies.map(|body| 1e-9 * frame_cost(&body.setup) as f64).sum();
        let seconds = asked.unwrap_or(MIN_SECONDS.max(a_frame * last as f64));
        // A free scene or infinite seconds give a number above any limit of a scene.
        Self { a_frame, frames: ((seconds / a_frame) as u64).max(last), last, asked }
    }

    /// Frame up to which the bodies of a panel are simulated at most. `limit` is the limit from the
    /// scene.
    pub(super) fn limit(self, limit: u64) -> u64 {
        limit.max(self.last).min(self.frames)
    }

    /// Description of the wait. Equal waits have equal descriptions.
    pub(super) fn words(self) -> String {
        match self.asked {
            Some(seconds) => format!("{} s of one core", short(seconds)),
            None => format!(
                "as long as {}, and at least {} s of one core",
                match self.last {
                    0 => "1 frame takes".into(),
                    last => format!("{} frames take", last + 1),
                },
                short(MIN_SECONDS)
            ),
        }
    }

    /// Whether to continue waiting for a body at `frame`. The body has used `spent` nanoseconds so
    /// far, `at_last` of them up to the last rendered frame.
    pub(super) fn lasts(self, setup: &Setup, frame: u64, [spent, at_last]: [u64; 2]) -> bool {
        // Share of this body in the seconds of all bodies.
        let share = 1e-9 * frame_cost(setup) as f64 / self.a_frame.max(1e-9);
        let nanoseconds = |seconds: f64| (1e9 * seconds * share) as u64;
        let maximum = match self.asked {
            Some(seconds) => nanoseconds(seconds),
            None => nanoseconds(MIN_SECONDS).max(at_last),
        };
        frame < self.last || spent < maximum
    }

    /// Setup of a body during the wait. A longer requested wait raises its work budget.
    pub(super) fn allow(self, setup: &Arc<Setup>) -> Arc<Setup> {
        let mut setup = Arc::clone(setup);
        let asked = self.asked.map(|seconds| (1e9 * seconds) as u64);
        if let Some(asked) = asked.filter(|asked| *asked > setup.budget.work) {
            Arc::make_mut(&mut setup).budget.work = asked;
        }
        setup
    }

    /// Advice on waiting up to frame `limit`, if the wait ended at an earlier `frame`.
    pub(super) fn wait_advice(self, frame: u64, limit: u64) -> Option<String> {
        // The counted work may exceed the estimate.
        let waited = self.asked.unwrap_or(MIN_SECONDS.max(self.a_frame * self.last as f64));
        let counted = waited / frame.max(1) as f64;
        let seconds = (self.a_frame.max(counted) * limit as f64).ceil();
        (limit > frame).then(|| {
            format!(
                "note: waiting for rest ended at frame {frame}, so steady.png shows bodies that \
                 were still moving; --steady-time {seconds} waits up to about frame {limit}, the \
                 rest.limit of the scene"
            )
        })
    }
}

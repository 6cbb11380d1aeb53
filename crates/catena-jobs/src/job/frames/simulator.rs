//! Simulation of all panels, frame by frame.

use super::order::FrameOrder;
use crate::job::{BodyOutcome, Interruption, Progress, RunError, error::refused};
use catena_analysis::settle::Ending;
use catena_draw::{
    PanelFrame,
    frames::{
        FramesAhead, SceneCheckpoint, SceneRuns, SimulatedFrame, frame_bytes, position_bytes,
    },
};
use catena_output::{OutputError, checkpoint::Checkpoints};
use catena_scene::Scene;
use catena_sim::Simulation;
use std::{
    collections::{BTreeMap, BTreeSet},
    mem::take,
    time::{Duration, Instant},
};

/// Maximum number of frames in a chunk. The first chunk has one frame, so that the first picture
/// appears soon.
const CHUNK_FRAMES: usize = 64;
/// Maximum size of the positions in a chunk of more than one frame, in bytes.
const CHUNK_BYTES: usize = 32 << 20;
/// Approximate maximum number of bytes of frames that are simulated before their turn.
const KEPT_BYTES: usize = 256 << 20;
/// Elapsed time after which a chunk ends, even if it has fewer frames than planned.
const CHUNK_TIME: Duration = Duration::from_millis(250);
/// Default interval of checkpoints: the simulation time that a killed render loses.
const CHECKPOINT_TIME: Duration = Duration::from_secs(2);

/// Location and frequency of checkpoints.
pub(in crate::job) struct CheckpointPlan {
    pub(in crate::job) checkpoints: Checkpoints,
    /// Number of frames between checkpoints. `None` uses [`CHECKPOINT_TIME`].
    pub(in crate::job) every: Option<u64>,
    /// Requested frames. If not empty, checkpoints are written only at these frames.
    pub(in crate::job) asked: BTreeSet<u64>,
}

impl CheckpointPlan {
    fn is_due(&self, frame: u64, since: Duration) -> bool {
        match self.every {
            _ if !self.asked.is_empty() => self.asked.contains(&frame),
            Some(every) => frame.is_multiple_of(every),
            None => since >= CHECKPOINT_TIME,
        }
    }
}

/// Simulates the frames of a scene.
pub(in crate::job) struct FrameSimulator<'a> {
    scene: &'a Scene,
    runs: SceneRuns<'a>,
    /// All panels at frame 0.
    first: Vec<PanelFrame>,
    plan: Option<CheckpointPlan>,
    /// Time and frame at which a checkpoint was last written or read.
    kept: (Instant, u64),
    interruption: &'a dyn Interruption,
    /// Maximum number of frames in the next chunk.
    chunk: usize,
    /// Maximum number of frames in any chunk.
    maximum: usize,
    /// Frames to keep once they are simulated, because they are requested later.
    to_keep: BTreeSet<u64>,
    kept_frames: BTreeMap<u64, SimulatedFrame>,
    /// Maximum number of kept frames.
    room: usize,
}

impl<'a> FrameSimulator<'a> {
    /// Starts at frame 0, or after frames that are already simulated. A chunk has at most `maximum`
    /// frames.
    pub(in crate::job) fn new(
        scene: &'a Scene,
        plan: Option<CheckpointPlan>,
        interruption: &'a dyn Interruption,
        maximum: usize,
        ahead: Option<FramesAhead>,
    ) -> Self {
        let mut ahead = ahead.unwrap_or_else(|| FramesAhead::none(&scene.panels));
        let (first, frames) = (take(&mut ahead.first), take(&mut ahead.frames));
        let bytes = position_bytes(scene);
        Self {
            scene,
            runs: SceneRuns::after(scene, ahead),
            first,
            plan,
            kept: (Instant::now(), 0),
            interruption,
            chunk: 1,
            maximum: (CHUNK_BYTES / bytes.max(1)).clamp(1, CHUNK_FRAMES.min(maximum.max(1))),
            to_keep: BTreeSet::new(),
            kept_frames: frames,
            room: KEPT_BYTES / frame_bytes(scene),
        }
    }

    /// Stores with each frame the panels of the previous frame.
    pub(in crate::job) fn keep_before(&mut self) {
        self.runs.keep_before();
    }

    /// Registers the frames that will be requested, in order. Frames passed before their turn are
    /// kept.
    pub(in crate::job) fn arrange(&mut self, frames: Vec<u64>, order: FrameOrder) -> Vec<u64> {
        if order == FrameOrder::Film {
            return frames;
        }
        let sequence = order.arrange(&frames, self.room);
        self.to_keep = sequence.kept;
        self.keep_frame();
        sequence.frames
    }

    /// Keeps the current frame of the runs if it is requested later.
    fn keep_frame(&mut self) {
        let at = self.runs.at();
        if self.to_keep.remove(&at) {
            self.kept_frames.insert(at, self.runs.frame());
        }
    }

    /// Panels at frame 0.
    pub(in crate::job) fn first(&self) -> &[PanelFrame] {
        &self.first
    }

    /// Reports the code path of the steps of each body.
    pub(super) fn report_paths(&self, progress: &dyn Progress) {
        for (label, simulation) in self.scene.body_labels().iter().zip(self.runs.simulations()) {
            progress.path(label, &simulation.path());
        }
    }

    /// Returns the outcome of each body up to the current frame. `endings` has later endings, if
    /// known.
    pub(in crate::job) fn outcomes(
        &self,
        endings: Option<Vec<Option<Ending>>>,
    ) -> Vec<BodyOutcome> {
        let diverged = self.runs.diverged();
        let endings = endings.unwrap_or_else(|| {
            let ending = |at: &Option<u64>| at.map(|frame| Ending::Diverged { frame });
            diverged.iter().map(ending).collect()
        });
        let labels = self.scene.body_labels().into_iter();
        let stops = self.runs.simulations().map(Simulation::route_stops);
        let numbers = diverged.into_iter().zip(self.runs.unconverged()).zip(stops);
        labels
            .zip(endings)
            .zip(numbers)
            .map(|((label, ending), ((diverged, unconverged), route_stops))| BodyOutcome {
                label,
                ending,
                diverged,
                unconverged: *unconverged,
                route_stops,
                from_solved: None,
            })
            .collect()
    }

    /// Returns the error of a simulation that has used up its budget.
    pub(in crate::job) fn refusal(&self) -> Option<RunError> {
        let refused = || refused(self.scene, self.runs.simulations());
        self.runs.is_refused().then(refused).flatten()
    }

    /// Simulates the first of `frames` and removes them from the range. Returns an empty list at
    /// the end, after an interruption, or when a simulation has used up its budget.
    pub(super) fn chunk(
        &mut self,
        frames: &mut &[u64],
    ) -> Result<Vec<SimulatedFrame>, OutputError> {
        let start = Instant::now();
        let mut chunk = Vec::new();
        while let [frame, rest @ ..] = *frames {
            let is_long = chunk.len() >= self.chunk || start.elapsed() > CHUNK_TIME;
            if is_long && !chunk.is_empty() {
                break;
            }
            let continues = match self.kept_frames.contains_key(frame) {
                true => !self.interruption.is_set(),
                false => self.advance_to(*frame)?,
            };
            if !continues {
                break;
            }
            let kept = self.kept_frames.remove(frame);
            chunk.push(kept.unwrap_or_else(|| self.runs.frame()));
            *frames = rest;
        }
        self.chunk = self.maximum.min(2 * self.chunk);
        Ok(chunk)
    }

    /// Simulates up to a frame, from the nearest checkpoint. Returns false after an interruption or
    /// when a simulation has used up its budget.
    pub(in crate::job) fn advance_to(&mut self, frame: u64) -> Result<bool, OutputError> {
        if frame < self.runs.at() {
            self.rewind();
        }
        if frame > self.runs.at() + 1 {
            self.jump(frame);
        }
        while self.runs.at() < frame {
            if self.interruption.is_set() || self.runs.is_refused() {
                return Ok(false);
            }
            self.advance();
            if self.runs.is_refused() {
                return Ok(false);
            }
            self.write_checkpoint(false)?;
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.runs.rewind();
        self.kept.1 = 0;
    }

    /// Jumps to the last checkpoint between the current frame and `frame`, if any.
    fn jump(&mut self, frame: u64) {
        let Some(plan) = &self.plan else { return };
        // Frames to keep must be simulated.
        let first = self.to_keep.range(self.runs.at() + 1..).next();
        let frame = first.map_or(frame, |first| frame.min(*first));
        // Motion blur and motion vectors need the state at the previous frame.
        let frame = if self.runs.needs_before() { frame - 1 } else { frame };
        if frame <= self.runs.at() {
            return;
        }
        // Stop at a requested checkpoint that does not exist, to write it.
        let missing =
            plan.asked.range(self.runs.at() + 1..=frame).find(|at| !plan.checkpoints.has(**at));
        let range = self.runs.at() + 1..=missing.copied().unwrap_or(frame);
        let Some((at, found)) = plan.checkpoints.last::<SceneCheckpoint>(range) else {
            return;
        };
        match self.runs.resume(at, found) {
            true => self.kept = (Instant::now(), at),
            false => self.kept.1 = 0,
        }
    }

    fn advance(&mut self) {
        self.runs.advance();
        self.keep_frame();
    }

    /// Writes a checkpoint if one is due or forced.
    pub(in crate::job) fn write_checkpoint(&mut self, always: bool) -> Result<(), OutputError> {
        let Some(plan) = &self.plan else { return Ok(()) };
        let (time, frame) = self.kept;
        let at = self.runs.at();
        let is_due = plan.is_due(at, time.elapsed());
        if at > frame && !self.runs.is_refused() && (is_due || always) {
            let checkpoint = self.runs.checkpoint();
            match plan.asked.contains(&at) {
                true => plan.checkpoints.write_to_stay(at, &checkpoint)?,
                false => plan.checkpoints.write(at, &checkpoint)?,
            }
            self.kept = (Instant::now(), at);
        }
        Ok(())
    }
}

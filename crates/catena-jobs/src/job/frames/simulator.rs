//! Simulation of all panels, one frame after another.

use super::{batches::Batches, order::FrameOrder};
use crate::job::{BodyOutcome, Interruption, Progress, RunError, error::refused};
use catena_analysis::settle::Ending;
use catena_draw::{BodyCheckpoint, PanelFrame, PanelRun};
use catena_output::{OutputError, checkpoint::Checkpoints, hash::NumberHash};
use catena_scene::Scene;
use catena_sim::Outcome;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// Maximum number of frames in a chunk, and maximum bytes of their positions. The first chunk is
/// one frame, so that the first picture appears early.
const CHUNK_FRAMES: usize = 64;
const CHUNK_BYTES: usize = 32 << 20;
/// Approximate memory for frames that are simulated before their turn, in bytes.
const KEPT_BYTES: usize = 256 << 20;
/// Estimated memory of a body besides its positions: a fixed number of bytes, and a multiple of the
/// size of the positions.
const BODY_BYTES: usize = 2048;
const BODY_FACTOR: usize = 4;
/// Duration after which a chunk is closed.
const CHUNK_TIME: Duration = Duration::from_millis(250);
/// Default interval between checkpoints, which limits the work that a killed render loses.
const CHECKPOINT_TIME: Duration = Duration::from_secs(2);

/// A frame that has been simulated but not drawn.
pub(in crate::job) struct SimulatedFrame {
    pub(super) frame: u64,
    pub(super) panels: Vec<PanelFrame>,
    pub(super) state_sha256: String,
}

/// State from which all simulations can resume at a frame.
#[derive(Serialize, Deserialize)]
struct SceneCheckpoint {
    panels: Vec<Vec<BodyCheckpoint>>,
    unconverged: Vec<u64>,
}

/// Location and frequency of checkpoints.
pub(in crate::job) struct CheckpointPlan {
    pub(in crate::job) checkpoints: Checkpoints,
    /// Interval in frames. `None` uses a time interval.
    pub(in crate::job) every: Option<u64>,
    /// Frames at which checkpoints are written. Unless empty, no others are written.
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

/// Simulator of the frames of a scene.
pub(in crate::job) struct FrameSimulator<'a> {
    scene: &'a Scene,
    runs: Vec<PanelRun>,
    batches: Batches,
    /// Current frame of the runs.
    at: u64,
    /// Number of steps of each body that did not converge so far.
    unconverged: Vec<u64>,
    plan: Option<CheckpointPlan>,
    /// Time and frame of the last checkpoint that was written or read.
    kept: (Instant, u64),
    interruption: &'a dyn Interruption,
    /// Whether a simulation has exhausted its budget.
    is_refused: bool,
    /// Size of the next chunk, and maximum size of any chunk.
    chunk: usize,
    most: usize,
    /// Frames to store when they are simulated, because they are drawn later.
    to_keep: BTreeSet<u64>,
    kept_frames: BTreeMap<u64, SimulatedFrame>,
    /// Maximum number of stored frames.
    room: usize,
}

impl<'a> FrameSimulator<'a> {
    /// Starts at frame 0. Chunks have at most `most` frames, and fewer if other limits require it.
    pub(in crate::job) fn new(
        scene: &'a Scene,
        plan: Option<CheckpointPlan>,
        interruption: &'a dyn Interruption,
        most: usize,
    ) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let bytes: usize =
            bodies.clone().map(|body| body.setup.initial.x.len() * size_of::<f64>()).sum();
        let count = bodies.count();
        let kept = (BODY_FACTOR * bytes).saturating_add(BODY_BYTES * count);
        Self {
            scene,
            runs: scene.panels.iter().map(PanelRun::new).collect(),
            batches: Batches::default(),
            at: 0,
            unconverged: vec![0; count],
            plan,
            kept: (Instant::now(), 0),
            interruption,
            is_refused: false,
            chunk: 1,
            most: (CHUNK_BYTES / bytes.max(1)).clamp(1, CHUNK_FRAMES.min(most.max(1))),
            to_keep: BTreeSet::new(),
            kept_frames: BTreeMap::new(),
            room: KEPT_BYTES / kept.max(1),
        }
    }

    /// Arranges the frames that will be requested. Frames that are simulated before their turn will
    /// be stored.
    pub(in crate::job) fn arrange(&mut self, frames: Vec<u64>, order: FrameOrder) -> Vec<u64> {
        if order == FrameOrder::Film {
            return frames;
        }
        let sequence = order.arrange(&frames, self.room);
        self.to_keep = sequence.kept;
        self.keep_frame();
        sequence.frames
    }

    /// Stores the current frame if it is drawn later.
    fn keep_frame(&mut self) {
        if self.to_keep.remove(&self.at) {
            self.kept_frames.insert(self.at, self.simulated());
        }
    }

    /// Current state of all panels.
    pub(in crate::job) fn panels(&self) -> Vec<PanelFrame> {
        self.runs.iter().map(|run| run.current().clone()).collect()
    }

    /// Reports the execution path of each body's steps.
    pub(super) fn tell_paths(&self, progress: &dyn Progress) {
        let simulations = self.runs.iter().flat_map(PanelRun::simulations);
        for (label, simulation) in self.scene.body_labels().iter().zip(simulations) {
            progress.path(label, &simulation.path());
        }
    }

    /// Outcome of each body up to the current frame. `endings` are the later endings, if known.
    pub(in crate::job) fn outcomes(
        &self,
        endings: Option<Vec<Option<Ending>>>,
    ) -> Vec<BodyOutcome> {
        let diverged = self.runs.iter().flat_map(|run| &run.current().bodies);
        let diverged: Vec<Option<u64>> = diverged.map(|body| body.diverged).collect();
        let endings = endings.unwrap_or_else(|| {
            let ending = |at: &Option<u64>| at.map(|frame| Ending::Diverged { frame });
            diverged.iter().map(ending).collect()
        });
        let labels = self.scene.body_labels().into_iter();
        let numbers = diverged.into_iter().zip(&self.unconverged);
        labels
            .zip(endings)
            .zip(numbers)
            .map(|((label, ending), (diverged, unconverged))| BodyOutcome {
                label,
                ending,
                diverged,
                unconverged: *unconverged,
            })
            .collect()
    }

    /// Error of the simulation that has exhausted its budget, if there is one.
    pub(in crate::job) fn refusal(&self) -> Option<RunError> {
        let all = || self.runs.iter().flat_map(PanelRun::simulations);
        self.is_refused.then(|| refused(self.scene, all())).flatten()
    }

    /// Simulates the next chunk of `frames` and removes it from the slice. The chunk is empty at
    /// the end, after an interruption, or if a simulation has exhausted its budget.
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
            if !self.kept_frames.contains_key(frame) && !self.go_to(*frame)? {
                break;
            }
            let kept = self.kept_frames.remove(frame);
            chunk.push(kept.unwrap_or_else(|| self.simulated()));
            *frames = rest;
        }
        self.chunk = self.most.min(2 * self.chunk);
        Ok(chunk)
    }

    /// Simulates up to a frame, starting at the nearest checkpoint. Returns false if the job is
    /// interrupted or a simulation exhausts its budget.
    pub(in crate::job) fn go_to(&mut self, frame: u64) -> Result<bool, OutputError> {
        if frame < self.at {
            self.rewind();
        }
        if frame > self.at + 1 {
            self.jump(frame);
        }
        while self.at < frame {
            if self.interruption.is_set() || self.is_refused {
                return Ok(false);
            }
            self.advance();
            if self.is_refused {
                return Ok(false);
            }
            self.keep(false)?;
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.runs = self.scene.panels.iter().map(PanelRun::new).collect();
        self.unconverged.fill(0);
        (self.at, self.kept.1) = (0, 0);
    }

    /// Jumps to the last checkpoint between the current frame and the target, if there is one.
    fn jump(&mut self, frame: u64) {
        let Some(plan) = &self.plan else { return };
        // Frames to be stored must not be skipped.
        let first = self.to_keep.range(self.at + 1..).next();
        let frame = first.map_or(frame, |first| frame.min(*first));
        // A requested checkpoint that does not exist is written in passing.
        let missing = plan.asked.range(self.at + 1..=frame).find(|at| !plan.checkpoints.has(**at));
        let range = self.at + 1..=missing.copied().unwrap_or(frame);
        let Some((at, found)) = plan.checkpoints.last::<SceneCheckpoint>(range) else {
            return;
        };
        let is_same = found.panels.len() == self.runs.len()
            && found.unconverged.len() == self.unconverged.len();
        let mut panels = self.runs.iter_mut().zip(&found.panels);
        if is_same && panels.all(|(run, checkpoint)| run.resume(checkpoint)) {
            (self.at, self.unconverged, self.kept) = (at, found.unconverged, (Instant::now(), at));
        } else {
            // Some panels may already have jumped.
            self.rewind();
        }
    }

    fn advance(&mut self) {
        let all = self.runs.iter_mut().flat_map(PanelRun::simulations_mut);
        self.batches.advance(all.collect());
        self.runs.iter_mut().for_each(PanelRun::update);
        let simulations = self.runs.iter().flat_map(PanelRun::simulations);
        for (count, simulation) in self.unconverged.iter_mut().zip(simulations) {
            // Steps after a divergence say nothing about the iterations of the method.
            if simulation.outcome() == Outcome::Fine {
                *count = count.saturating_add(simulation.report().unconverged);
            }
            self.is_refused |= simulation.refusal().is_some();
        }
        self.at += 1;
        self.keep_frame();
    }

    /// Writes a checkpoint if one is due, or if `always` is set.
    pub(in crate::job) fn keep(&mut self, always: bool) -> Result<(), OutputError> {
        let Some(plan) = &self.plan else { return Ok(()) };
        let (time, frame) = self.kept;
        let is_due = plan.is_due(self.at, time.elapsed());
        if self.at > frame && !self.is_refused && (is_due || always) {
            let panels = self.runs.iter().map(PanelRun::checkpoint).collect();
            let checkpoint = SceneCheckpoint { panels, unconverged: self.unconverged.clone() };
            match plan.asked.contains(&self.at) {
                true => plan.checkpoints.write_to_stay(self.at, &checkpoint)?,
                false => plan.checkpoints.write(self.at, &checkpoint)?,
            }
            self.kept = (Instant::now(), self.at);
        }
        Ok(())
    }

    fn simulated(&self) -> SimulatedFrame {
        let mut hash = NumberHash::default();
        for simulation in self.runs.iter().flat_map(PanelRun::simulations) {
            let state = simulation.state();
            hash.add(&[state.t]);
            hash.add(&state.x);
            hash.add(&state.v);
        }
        SimulatedFrame { frame: self.at, panels: self.panels(), state_sha256: hash.finish() }
    }
}

//! The simulations of all panels, frame after frame.

use super::{ahead::FramesAhead, batches::Batches, order::FrameOrder};
use crate::job::{BodyOutcome, Interruption, Progress, RunError, refusal::refused};
use catena_analysis::settle::Ending;
use catena_draw::{BodyCheckpoint, PanelFrame, PanelRun};
use catena_output::{OutputError, checkpoint::Checkpoints, hash::NumberHash};
use catena_scene::Scene;
use catena_sim::{Outcome, State};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// The most frames of a chunk, and bytes of its positions. The first chunk is one frame, so that
/// the first picture is there soon.
const CHUNK_FRAMES: usize = 64;
const CHUNK_BYTES: usize = 32 << 20;
/// Bytes of frames that are simulated before others that are wanted first, about.
const KEPT_BYTES: usize = 256 << 20;
/// What a body has beside its positions, in bytes: at least, and as a multiple of those.
const BODY_BYTES: usize = 2048;
const BODY_FACTOR: usize = 4;
/// After this time a chunk is not made longer.
const CHUNK_TIME: Duration = Duration::from_millis(250);
/// How much simulation a killed render loses, where nobody says how often to write checkpoints.
const CHECKPOINT_TIME: Duration = Duration::from_secs(2);

/// A frame that is simulated and not drawn yet.
pub(in crate::job) struct SimulatedFrame {
    pub(super) frame: u64,
    pub(super) panels: Vec<PanelFrame>,
    pub(super) state_sha256: String,
}

/// All that the simulations need to go on from a frame.
#[derive(Serialize, Deserialize)]
struct SceneCheckpoint {
    panels: Vec<Vec<BodyCheckpoint>>,
    unconverged: Vec<u64>,
}

/// Where and how often checkpoints are written.
pub(in crate::job) struct CheckpointPlan {
    pub(in crate::job) checkpoints: Checkpoints,
    /// After so many frames; `None` leaves it to the clock.
    pub(in crate::job) every: Option<u64>,
    /// At these frames and nowhere else, unless there is none.
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
    runs: Vec<PanelRun>,
    /// Whether the runs have the budgets of a pass instead of the scene's.
    is_pass: bool,
    /// The panels at frame 0.
    first: Vec<PanelFrame>,
    batches: Batches,
    /// The frame that the runs are at.
    at: u64,
    /// Steps of each body that did not converge so far.
    unconverged: Vec<u64>,
    plan: Option<CheckpointPlan>,
    /// When a checkpoint was last written or read, and at which frame.
    kept: (Instant, u64),
    interruption: &'a dyn Interruption,
    /// Whether a simulation has used up its budget.
    is_refused: bool,
    /// How many frames the next chunk has, and any at the most.
    chunk: usize,
    most: usize,
    /// Frames that are kept once they are simulated, because they come later.
    to_keep: BTreeSet<u64>,
    kept_frames: BTreeMap<u64, SimulatedFrame>,
    /// How many of them there is room for.
    room: usize,
}

impl<'a> FrameSimulator<'a> {
    /// Starts at frame 0, or after frames that are simulated already. A chunk has at most `most`
    /// frames.
    pub(in crate::job) fn new(
        scene: &'a Scene,
        plan: Option<CheckpointPlan>,
        interruption: &'a dyn Interruption,
        most: usize,
        ahead: Option<FramesAhead>,
    ) -> Self {
        let ahead = ahead.unwrap_or_else(|| FramesAhead::none(&scene.panels));
        let FramesAhead { runs, at, is_pass, unconverged, first, frames } = ahead;
        let bytes = position_bytes(scene);
        Self {
            scene,
            runs,
            is_pass,
            first,
            batches: Batches::default(),
            at,
            unconverged,
            plan,
            kept: (Instant::now(), 0),
            interruption,
            is_refused: false,
            chunk: 1,
            most: (CHUNK_BYTES / bytes.max(1)).clamp(1, CHUNK_FRAMES.min(most.max(1))),
            to_keep: BTreeSet::new(),
            kept_frames: frames,
            room: KEPT_BYTES / frame_bytes(scene),
        }
    }

    /// Arranges frames that will be asked for, and keeps what is passed before its turn.
    pub(in crate::job) fn arrange(&mut self, frames: Vec<u64>, order: FrameOrder) -> Vec<u64> {
        if order == FrameOrder::Film {
            return frames;
        }
        let sequence = order.arrange(&frames, self.room);
        self.to_keep = sequence.kept;
        self.keep_frame();
        sequence.frames
    }

    /// Keeps the frame that the runs are at, if it is asked for later.
    fn keep_frame(&mut self) {
        if self.to_keep.remove(&self.at) {
            self.kept_frames.insert(self.at, self.simulated());
        }
    }

    /// The panels at frame 0.
    pub(in crate::job) fn first(&self) -> &[PanelFrame] {
        &self.first
    }

    /// The panels at the current frame.
    pub(super) fn panels(&self) -> Vec<PanelFrame> {
        panels(&self.runs)
    }

    /// Tells which path the steps of each body take.
    pub(super) fn tell_paths(&self, progress: &dyn Progress) {
        let simulations = self.runs.iter().flat_map(PanelRun::simulations);
        for (label, simulation) in self.scene.body_labels().iter().zip(simulations) {
            progress.path(label, &simulation.path());
        }
    }

    /// What became of each body up to now. `endings` says how they ended later, where that is
    /// known.
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

    /// Why the simulations do not go on, where one of them has used up its budget.
    pub(in crate::job) fn refusal(&self) -> Option<RunError> {
        let all = || self.runs.iter().flat_map(PanelRun::simulations);
        self.is_refused.then(|| refused(self.scene, all())).flatten()
    }

    /// Simulates the first of `frames` and takes them away; none at the end, or when the job is to
    /// end or a simulation has used up its budget.
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
            let goes_on = match self.kept_frames.contains_key(frame) {
                true => !self.interruption.is_set(),
                false => self.go_to(*frame)?,
            };
            if !goes_on {
                break;
            }
            let kept = self.kept_frames.remove(frame);
            chunk.push(kept.unwrap_or_else(|| self.simulated()));
            *frames = rest;
        }
        self.chunk = self.most.min(2 * self.chunk);
        Ok(chunk)
    }

    /// Simulates up to a frame, from the nearest checkpoint. Returns whether it got there: it does
    /// unless the job is to end or a simulation has used up its budget.
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
        self.is_pass = false;
        self.runs = self.scene.panels.iter().map(PanelRun::new).collect();
        self.unconverged.fill(0);
        (self.at, self.kept.1) = (0, 0);
    }

    /// Goes to the last checkpoint between here and a frame, if there is one.
    fn jump(&mut self, frame: u64) {
        let Some(plan) = &self.plan else { return };
        // What is to be kept must be passed.
        let first = self.to_keep.range(self.at + 1..).next();
        let frame = first.map_or(frame, |first| frame.min(*first));
        // A checkpoint that is asked for and not there is made on the way.
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
            // Some panels may have moved.
            self.rewind();
        }
    }

    fn advance(&mut self) {
        if std::mem::take(&mut self.is_pass) {
            let all = self.scene.panels.iter().zip(&self.runs);
            self.runs = all.map(|(panel, run)| run.fork(panel)).collect();
        }
        let all = self.runs.iter_mut().flat_map(PanelRun::simulations_mut);
        self.batches.advance(all.collect());
        self.runs.iter_mut().for_each(PanelRun::update);
        let simulations = self.runs.iter().flat_map(PanelRun::simulations);
        for (count, simulation) in self.unconverged.iter_mut().zip(simulations) {
            // What follows a divergence says nothing about the method's iterations.
            if simulation.outcome() == Outcome::Fine {
                *count = count.saturating_add(simulation.report().unconverged);
            }
            self.is_refused |= simulation.refusal().is_some();
        }
        self.at += 1;
        self.keep_frame();
    }

    /// Writes a checkpoint where one is due, or in any case.
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
            add_state(&mut hash, simulation.state());
        }
        SimulatedFrame { frame: self.at, panels: self.panels(), state_sha256: hash.finish() }
    }
}

/// The panels at the current frame.
pub(super) fn panels(runs: &[PanelRun]) -> Vec<PanelFrame> {
    runs.iter().map(|run| run.current().clone()).collect()
}

/// Adds the state of a body to the hash of a frame.
pub(super) fn add_state(hash: &mut NumberHash, state: &State) {
    hash.add(&[state.t]);
    hash.add(&state.x);
    hash.add(&state.v);
}

/// Bytes of the positions of a frame.
fn position_bytes(scene: &Scene) -> usize {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| body.setup.initial.x.len() * size_of::<f64>()).sum()
}

/// Approximate number of bytes of a frame in memory; at least 1.
pub(super) fn frame_bytes(scene: &Scene) -> usize {
    let count: usize = scene.panels.iter().map(|panel| panel.bodies.len()).sum();
    (BODY_FACTOR * position_bytes(scene)).saturating_add(BODY_BYTES * count).max(1)
}

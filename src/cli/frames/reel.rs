//! The simulations of all panels, frame after frame.

use crate::analysis::settle::Ending;
use crate::cli::{Failure, interrupt::Interrupt, refusal::refused};
use crate::output::{OutputError, checkpoint::Checkpoints, hash::NumberHash};
use crate::render::{BodyPoint, PanelShot, Tracker};
use crate::scene::Scene;
use crate::sim::{Outcome, run::batch::Batch};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Frames of a chunk at the most, and bytes of positions. The first chunk is one frame, so that the first picture is there soon.
const CHUNK_FRAMES: usize = 64;
const CHUNK_BYTES: usize = 32 << 20;
/// After this time a chunk is not made longer.
const CHUNK_TIME: Duration = Duration::from_millis(250);
/// How much simulation a killed render loses, where nobody says how often to write checkpoints.
const CHECKPOINT_TIME: Duration = Duration::from_secs(2);

/// A frame that is simulated and not drawn yet.
pub(in crate::cli) struct Job {
    pub(super) frame: u64,
    pub(super) shots: Vec<PanelShot>,
    pub(super) state_sha256: String,
}

/// All that the simulations need to go on from a frame.
#[derive(Serialize, Deserialize)]
struct Point {
    panels: Vec<Vec<BodyPoint>>,
    unconverged: Vec<u64>,
}

/// Where and how often checkpoints are written.
pub(in crate::cli) struct Keeping {
    pub(in crate::cli) checkpoints: Checkpoints,
    /// After so many frames; `None` leaves it to the clock.
    pub(in crate::cli) every: Option<u64>,
}

/// Simulates.
pub(in crate::cli) struct Reel<'a> {
    scene: &'a Scene,
    trackers: Vec<Tracker>,
    batch: Batch,
    /// The frame that the trackers are at.
    at: u64,
    /// Steps of each body that did not converge so far.
    unconverged: Vec<u64>,
    keeping: Option<Keeping>,
    /// When a checkpoint was last written or read, and at which frame.
    kept: (Instant, u64),
    interrupt: Interrupt,
    /// Whether a simulation does not go on.
    is_refused: bool,
    /// How many frames the next chunk has, and any at the most.
    chunk: usize,
    most: usize,
}

impl<'a> Reel<'a> {
    /// At frame 0. `most` is how many frames a chunk has at the most, below the limits that hold anyway.
    pub(in crate::cli) fn new(
        scene: &'a Scene,
        keeping: Option<Keeping>,
        interrupt: &Interrupt,
        most: usize,
    ) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let bytes: usize =
            bodies.clone().map(|body| body.setup.initial.x.len() * size_of::<f64>()).sum();
        Self {
            scene,
            trackers: scene.panels.iter().map(Tracker::new).collect(),
            batch: Batch::default(),
            at: 0,
            unconverged: vec![0; bodies.count()],
            keeping,
            kept: (Instant::now(), 0),
            interrupt: interrupt.clone(),
            is_refused: false,
            chunk: 1,
            most: (CHUNK_BYTES / bytes.max(1)).clamp(1, CHUNK_FRAMES.min(most.max(1))),
        }
    }

    /// What all panels show now.
    pub(in crate::cli) fn shots(&self) -> Vec<PanelShot> {
        self.trackers.iter().map(|tracker| tracker.shot().clone()).collect()
    }

    /// For each body whether and when it diverged.
    pub(in crate::cli) fn diverged(&self) -> Vec<Option<Ending>> {
        let bodies = self.trackers.iter().flat_map(|tracker| &tracker.shot().bodies);
        bodies.map(|body| body.diverged.map(|frame| Ending::Diverged { frame })).collect()
    }

    /// Steps of each body that did not converge on the way here.
    pub(in crate::cli) fn unconverged(&self) -> &[u64] {
        &self.unconverged
    }

    /// Why the simulations do not go on, where one of them took more than it may.
    pub(in crate::cli) fn refusal(&self) -> Option<Failure> {
        let all = || self.trackers.iter().flat_map(Tracker::simulations);
        self.is_refused.then(|| refused(self.scene, all())).flatten()
    }

    /// The next of these frames, which it takes away; none at the end, or when the process is to
    /// end or a simulation does not go on.
    pub(super) fn chunk(&mut self, frames: &mut &[u64]) -> Result<Vec<Job>, OutputError> {
        let start = Instant::now();
        let mut jobs = Vec::new();
        while let [frame, rest @ ..] = *frames {
            let is_long = jobs.len() >= self.chunk || start.elapsed() > CHUNK_TIME;
            if (is_long && !jobs.is_empty()) || !self.go_to(*frame)? {
                break;
            }
            jobs.push(self.job());
            *frames = rest;
        }
        self.chunk = self.most.min(2 * self.chunk);
        Ok(jobs)
    }

    /// Simulates up to a frame, from the nearest checkpoint; says whether it got there, which it
    /// does unless the process is to end or a simulation does not go on.
    pub(in crate::cli) fn go_to(&mut self, frame: u64) -> Result<bool, OutputError> {
        if frame < self.at {
            self.rewind();
        }
        if frame > self.at + 1 {
            self.jump(frame);
        }
        while self.at < frame {
            if self.interrupt.is_set() || self.is_refused {
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
        self.trackers = self.scene.panels.iter().map(Tracker::new).collect();
        self.unconverged.fill(0);
        (self.at, self.kept.1) = (0, 0);
    }

    /// Goes to the last checkpoint between here and a frame, if there is one.
    fn jump(&mut self, frame: u64) {
        let Some(keeping) = &self.keeping else { return };
        let Some((at, point)) = keeping.checkpoints.last::<Point>(self.at + 1..=frame) else {
            return;
        };
        let is_same = point.panels.len() == self.trackers.len()
            && point.unconverged.len() == self.unconverged.len();
        let mut panels = self.trackers.iter_mut().zip(&point.panels);
        if is_same && panels.all(|(tracker, points)| tracker.go_to(points)) {
            (self.at, self.unconverged, self.kept) = (at, point.unconverged, (Instant::now(), at));
        } else {
            // Some panels may have moved.
            self.rewind();
        }
    }

    fn advance(&mut self) {
        let all = self.trackers.iter_mut().flat_map(Tracker::simulations_mut);
        self.batch.advance_frames(&mut all.collect::<Vec<_>>());
        self.trackers.iter_mut().for_each(Tracker::look);
        let simulations = self.trackers.iter().flat_map(Tracker::simulations);
        for (count, simulation) in self.unconverged.iter_mut().zip(simulations) {
            // What follows a divergence says nothing about the method's iterations.
            if simulation.outcome() == Outcome::Fine {
                *count += simulation.report().unconverged;
            }
            self.is_refused |= simulation.refusal().is_some();
        }
        self.at += 1;
    }

    /// Writes a checkpoint where one is due, or in any case.
    pub(in crate::cli) fn keep(&mut self, always: bool) -> Result<(), OutputError> {
        let Some(keeping) = &self.keeping else { return Ok(()) };
        let (time, frame) = self.kept;
        let is_due = match keeping.every {
            Some(every) => self.at.is_multiple_of(every),
            None => time.elapsed() >= CHECKPOINT_TIME,
        };
        if self.at > frame && !self.is_refused && (is_due || always) {
            let panels = self.trackers.iter().map(Tracker::point).collect();
            let point = Point { panels, unconverged: self.unconverged.clone() };
            keeping.checkpoints.write(self.at, &point)?;
            self.kept = (Instant::now(), self.at);
        }
        Ok(())
    }

    fn job(&self) -> Job {
        let mut hash = NumberHash::default();
        for simulation in self.trackers.iter().flat_map(Tracker::simulations) {
            let state = simulation.state();
            hash.add(&[state.t]);
            hash.add(&state.x);
            hash.add(&state.v);
        }
        Job { frame: self.at, shots: self.shots(), state_sha256: hash.finish() }
    }
}

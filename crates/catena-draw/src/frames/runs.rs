//! The simulations of all panels of a scene, at one frame.

use super::{FramesAhead, SimulatedFrame, batches::Batches};
use crate::frames::ahead::{add_state, panels};
use crate::{BodyCheckpoint, PanelFrame, PanelRun};
use catena_base::hash::NumberHash;
use catena_scene::{MotionBlur, Panel, Scene};
use catena_sim::{Outcome, Simulation};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::mem::take;

/// Everything that the simulations need to continue from a frame.
#[derive(Serialize, Deserialize)]
pub struct SceneCheckpoint {
    panels: Vec<Vec<BodyCheckpoint>>,
    unconverged: Vec<u64>,
}

/// Simulations of all panels of a scene, at one frame.
pub struct SceneRuns<'a> {
    panels: &'a [Panel],
    runs: Vec<PanelRun>,
    /// Whether the runs have the budgets of a pass instead of the scene's.
    is_pass: bool,
    batches: Batches,
    /// Number of the current frame.
    at: u64,
    /// Number of steps so far that did not converge, per body.
    unconverged: Vec<u64>,
    /// Whether a simulation has used up its budget.
    is_refused: bool,
    blur: Option<MotionBlur>,
    /// All panels at the moments of the current frame, for motion blur. Empty if the runs have not
    /// advanced to the frame.
    moments: Vec<Vec<PanelFrame>>,
    /// Whether frames include the panels at the previous frame.
    keeps_before: bool,
    before: Option<Vec<PanelFrame>>,
}

impl<'a> SceneRuns<'a> {
    /// Starts a scene at frame 0.
    pub fn new(scene: &'a Scene) -> Self {
        Self::after(scene, FramesAhead::none(&scene.panels))
    }

    /// Continues runs that a lookahead has advanced.
    pub fn after(scene: &'a Scene, ahead: FramesAhead) -> Self {
        let FramesAhead { runs, at, is_pass, unconverged, .. } = ahead;
        Self {
            panels: &scene.panels,
            runs,
            is_pass,
            batches: Batches::default(),
            at,
            unconverged,
            is_refused: false,
            blur: scene.motion_blur,
            moments: Vec::new(),
            keeps_before: false,
            before: None,
        }
    }

    /// Number of the current frame.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Whether a simulation has used up its budget. Afterwards no run advances.
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Simulations of all bodies, panel by panel.
    pub fn simulations(&self) -> impl Iterator<Item = &Simulation> {
        self.runs.iter().flat_map(PanelRun::simulations)
    }

    /// Number of steps so far that did not converge, per body.
    pub fn unconverged(&self) -> &[u64] {
        &self.unconverged
    }

    /// Frame at which each body diverged; `None` if it has not.
    pub fn diverged(&self) -> Vec<Option<u64>> {
        let bodies = self.runs.iter().flat_map(|run| &run.current().bodies);
        bodies.map(|body| body.diverged).collect()
    }

    /// All panels at the current frame.
    pub fn panels(&self) -> Vec<PanelFrame> {
        panels(&self.runs)
    }

    /// The current frame with the hash of its states.
    pub fn frame(&self) -> SimulatedFrame {
        let mut hash = NumberHash::default();
        self.simulations().for_each(|simulation| add_state(&mut hash, simulation.state()));
        SimulatedFrame {
            frame: self.at,
            panels: self.panels(),
            moments: self.moments.clone(),
            before: self.before.clone(),
            state_sha256: hash.finish(),
        }
    }

    /// Returns to frame 0.
    pub fn rewind(&mut self) {
        self.is_pass = false;
        self.runs = self.panels.iter().map(PanelRun::new).collect();
        self.unconverged.fill(0);
        self.moments.clear();
        self.before = None;
        self.at = 0;
    }

    /// Advances all bodies by one frame.
    pub fn advance(&mut self) {
        if take(&mut self.is_pass) {
            let all = self.panels.iter().zip(&self.runs);
            self.runs = all.map(|(panel, run)| run.fork(panel)).collect();
        }
        if self.keeps_before {
            self.before = Some(self.panels());
        }
        let forks = self.forks();
        let all = self.runs.iter_mut().flat_map(PanelRun::simulations_mut);
        self.batches.advance(all.collect());
        self.runs.iter_mut().for_each(PanelRun::update);
        let simulations = self.runs.iter().flat_map(PanelRun::simulations);
        for (count, simulation) in self.unconverged.iter_mut().zip(simulations) {
            // Iterations after a divergence are not a property of the method.
            if simulation.outcome() == Outcome::Fine {
                *count = count.saturating_add(simulation.report().unconverged);
            }
            self.is_refused |= simulation.refusal().is_some();
        }
        self.at += 1;
        self.take_moments(forks);
    }

    /// Includes the panels at the previous frame in each frame.
    pub fn keep_before(&mut self) {
        self.keeps_before = true;
    }

    /// Whether a frame depends on the previous one, so that runs must advance through every frame.
    pub fn needs_before(&self) -> bool {
        self.blur.is_some() || self.keeps_before
    }

    /// A second run of each panel at the current frame, if motion blur needs moments before the
    /// next frame.
    fn forks(&self) -> Vec<PanelRun> {
        let all = self.panels.iter().zip(&self.runs).filter(|_| self.blur.is_some());
        all.map(|(panel, run)| run.fork(panel)).collect()
    }

    /// Computes the moments of the current frame with `forks`, the runs at the previous frame.
    fn take_moments(&mut self, forks: Vec<PanelRun>) {
        let Some(blur) = self.blur else { return };
        let shares: Vec<f64> = blur.moments().collect();
        let after: Vec<&PanelFrame> = self.runs.iter().map(PanelRun::current).collect();
        let runs = forks.into_par_iter().zip(after);
        let panels: Vec<Vec<PanelFrame>> =
            runs.map(|(fork, after)| fork.moments(after, &shares)).collect();
        let at = |index: usize| panels.iter().map(|moments| moments[index].clone()).collect();
        self.moments = (0..shares.len()).map(at).collect();
    }

    /// A checkpoint of the current frame.
    pub fn checkpoint(&self) -> SceneCheckpoint {
        let panels = self.runs.iter().map(PanelRun::checkpoint).collect();
        SceneCheckpoint { panels, unconverged: self.unconverged.clone() }
    }

    /// Continues from a checkpoint of frame `at`. If the checkpoint does not fit the scene, rewinds
    /// to frame 0 and returns false.
    pub fn resume(&mut self, at: u64, checkpoint: SceneCheckpoint) -> bool {
        let is_same = checkpoint.panels.len() == self.runs.len()
            && checkpoint.unconverged.len() == self.unconverged.len();
        let mut panels = self.runs.iter_mut().zip(&checkpoint.panels);
        if is_same && panels.all(|(run, checkpoint)| run.resume(checkpoint)) {
            (self.at, self.unconverged) = (at, checkpoint.unconverged);
            self.moments.clear();
            self.before = None;
            return true;
        }
        // Some panels may have been restored already.
        self.rewind();
        false
    }
}

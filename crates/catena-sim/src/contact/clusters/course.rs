//! Predicted motion of the nodes of a body since a proof: each moves by the same displacement in
//! every step.
//!
//! A proof about distances bounds only the deviations from this motion. They grow with the square
//! of time, so the proof lasts much longer than one about displacements.

use crate::body::State;

/// Number of steps between two stored positions.
const INTERVAL: u64 = 16;
/// Minimum and maximum number of steps that a prediction is made for.
const HORIZONS: (f64, f64) = (2.0, 1024.0);
/// Number of steps of the first prediction.
const BEGINNING: f64 = 32.0;
/// Fraction of the life of the last prediction in which a new one is not better.
const YOUNG: f64 = 0.25;
/// Growth of the expected life of the other kind of prediction, per proof, so that it is tried
/// again.
const RETRIAL: f64 = 1.1;

/// Predicted motion of all nodes.
#[derive(Default)]
pub(super) struct Course {
    /// Positions at the time of the proof, flat by axis; empty if there is no proof.
    pub(super) centre: Vec<f64>,
    /// Displacement per step, flat by axis.
    pub(super) stride: Vec<f64>,
    /// Number of steps since the proof.
    pub(super) steps: f64,
    /// Maximum number of steps since the proof.
    pub(super) horizon: f64,
    /// Prediction of the last proof, if it held at the start of this one, and the number of its
    /// steps.
    pub(super) ended: (Vec<f64>, Vec<f64>, f64),
    /// Number of steps that the last proof lasted.
    life: f64,
    /// Time at the end of the last step; `None` if there was none.
    time: Option<f64>,
    /// Number of all steps, and positions at earlier steps with their numbers: older, newer.
    clock: u64,
    earlier: [(u64, Vec<f64>); 2],
    /// Whether the stride is a mean over earlier steps, not the displacement in one step.
    is_mean: bool,
    /// Expected lives of proofs with the displacement in one step, and with a mean.
    lives: [f64; 2],
}

impl Course {
    /// Ends the prediction.
    pub(super) fn forget(&mut self) {
        if !self.centre.is_empty() {
            self.life = self.steps;
        }
        self.centre.clear();
    }

    /// Ends the prediction, and removes all earlier positions.
    pub(super) fn restart(&mut self) {
        self.forget();
        self.earlier.iter_mut().for_each(|(_, x)| x.clear());
    }

    /// Notes that there is no proof with this prediction.
    pub(super) fn fail(&mut self) {
        self.life = 1.0;
    }

    /// Counts a step. Without a prediction for its start, none remains.
    pub(super) fn count(&mut self, start: &State, end: &State) {
        if !self.has_reached(start) {
            self.restart();
        }
        self.time = Some(end.t);
        self.clock += 1;
        self.steps += 1.0;
        if self.clock.is_multiple_of(INTERVAL) {
            self.earlier.swap(0, 1);
            self.earlier[1].0 = self.clock;
            self.earlier[1].1.clone_from(&start.x);
        }
    }

    /// Whether a state is the end of the last step.
    pub(super) fn has_reached(&self, state: &State) -> bool {
        self.time == Some(state.t)
    }

    /// Whether the prediction is for this state and has lasted for a small fraction of the life of
    /// the last one.
    pub(super) fn is_young(&self, state: &State) -> bool {
        !self.centre.is_empty() && self.has_reached(state) && self.steps <= YOUNG * self.life
    }

    /// Counts steps that were taken at once and end at a time.
    pub(super) fn pass(&mut self, count: f64, time: f64) {
        self.time = Some(time);
        self.clock += count as u64;
        self.steps += count;
    }

    /// Predicts the motion from the start of the current step on. The stride is the displacement in
    /// this step, or the mean of some earlier steps, in which fast oscillations cancel.
    pub(super) fn plan(&mut self, start: &[f64], end: &[f64]) {
        self.end_proof(self.steps - 1.0);
        let (then, earlier) = &self.earlier[0];
        self.is_mean = !earlier.is_empty() && self.lives[1] > self.lives[0];
        self.stride.clear();
        match self.is_mean {
            true => {
                let share = 1.0 / (self.clock - then).max(1) as f64;
                let changes = start.iter().zip(earlier).map(|(x, earlier)| share * (x - earlier));
                self.stride.extend(changes);
            }
            false => self.stride.extend(end.iter().zip(start).map(|(end, start)| end - start)),
        }
        self.horizon = self.next_horizon();
        self.steps = 1.0;
    }

    /// Predicts the motion from `state` to `ends` in a number of steps.
    pub(super) fn plan_motion(&mut self, state: &State, ends: &[f64], count: f64) {
        if !self.has_reached(state) {
            self.restart();
        }
        self.end_proof(self.steps);
        self.time = Some(state.t);
        self.is_mean = false;
        self.stride.clear();
        self.stride.extend(ends.iter().zip(&state.x).map(|(end, x)| (end - x) / count));
        self.horizon = self.next_horizon().max(count);
        self.steps = 0.0;
    }

    /// Removes the last proof, which has lasted for a number of steps.
    fn end_proof(&mut self, steps: f64) {
        if !self.centre.is_empty() {
            self.life = steps;
        }
        let (centre, stride, ended) = &mut self.ended;
        std::mem::swap(centre, &mut self.centre);
        std::mem::swap(stride, &mut self.stride);
        *ended = steps;
        self.centre.clear();
        let kind = usize::from(self.is_mean);
        self.lives[kind] = self.life;
        self.lives[1 - kind] = RETRIAL * self.lives[1 - kind] + 1.0;
    }

    /// Returns the number of steps of the next prediction: twice as many as the last one held.
    fn next_horizon(&self) -> f64 {
        let wanted = if self.life > 0.0 { 2.0 * self.life } else { BEGINNING };
        wanted.max(HORIZONS.0).min(HORIZONS.1)
    }
}

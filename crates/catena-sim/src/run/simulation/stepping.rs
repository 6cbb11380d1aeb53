//! Steps from outside: any number of them. States are bit-identical to whole frames, and the
//! outcome is the same.

use super::{Outcome, Simulation, Taken};
use crate::method::StepReport;

impl Simulation {
    /// Takes a number of steps. Any division of a run into calls gives states that are
    /// bit-identical to [`Simulation::advance_frame`], and the same outcome. Whole frames use
    /// kernels if available.
    pub fn advance_steps(&mut self, count: u64) {
        let substeps = self.setup.substeps;
        let end = self.steps.saturating_add(count);
        while self.steps < end && self.refusal.is_none() {
            let is_at_start = self.steps.is_multiple_of(substeps);
            if is_at_start && end - self.steps >= substeps {
                self.advance_frame();
                continue;
            }
            if is_at_start {
                self.report = StepReport::none();
                self.taken = Taken::StepByStep;
            }
            self.step();
            self.judge_step();
        }
    }

    /// Number of steps to the end of a number of frames. 1 means the current frame, or the whole
    /// next frame if the run is at the start of one.
    pub fn steps_to_frame(&self, frames: u64) -> u64 {
        let substeps = self.setup.substeps;
        frames.saturating_mul(substeps).saturating_sub(self.steps % substeps)
    }

    /// Resets the count of work, for a run whose caller limits each call instead of the whole run.
    pub fn renew_budget(&mut self) {
        if self.refusal.is_none() {
            self.meter.resume(0);
        }
    }

    /// Records the first step that counts as diverged, and sets the outcome at the end of a frame.
    fn judge_step(&mut self) {
        let substeps = self.setup.substeps;
        if self.outcome != Outcome::Fine || self.refusal.is_some() {
            return;
        }
        let is_out_of_order = self.is_out_of_order();
        if is_out_of_order && self.steering.suspect.is_none() {
            self.steering.suspect = Some(self.steps);
        }
        if self.steps.is_multiple_of(substeps) {
            let suspect = self.steering.suspect.take();
            if is_out_of_order {
                let step = suspect.unwrap_or(self.steps);
                self.outcome = Outcome::Diverged { frame: self.steps / substeps, step };
            }
        }
    }
}

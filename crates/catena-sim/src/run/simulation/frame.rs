//! Advances frames or single steps. A frame takes all steps at once in a kernel or a lane,
//! otherwise one by one. Divergence is checked at the end of a frame. Only an invalid frame is
//! searched for the step that diverged.

use super::{Outcome, Simulation, Taken, new_sum};
use crate::body::State;
use crate::force::System;
use crate::kernel::chain_lanes::ChainLane;
use crate::method::StepReport;
use crate::run::{Setup, ledger::LedgerEntry};
use std::sync::Arc;

impl Simulation {
    /// Takes all steps of one frame, from the current step. Divergence is checked at the end of the
    /// frame. With contact of the drawn geometry, it is checked after each step. A frame that
    /// diverged is repeated to find the step.
    pub fn advance_frame(&mut self) {
        self.report = StepReport::none();
        self.count_frame();
        if self.meter.is_over() {
            self.steps = self.steps.saturating_add(self.setup.substeps);
            self.check_meter();
            return;
        }
        let is_watched = self.outcome == Outcome::Fine;
        if self.burst() {
            self.taken = Taken::WholeFrames;
            if is_watched && self.is_out_of_order() {
                self.undo_burst();
                self.find_divergence();
            }
            return;
        }
        self.taken = Taken::StepByStep;
        let mut start = std::mem::take(&mut self.frame_start);
        if is_watched {
            self.save(&mut start);
        }
        let end = self.steps.saturating_add(self.setup.substeps);
        if self.setup.is_method_alone() && !self.is_step_by_step() && !self.is_pushed() {
            self.take_bare_steps(end);
        } else {
            self.taken = Taken::WholeFrames;
            while self.steps < end && self.refusal.is_none() {
                if !self.leap(end) {
                    self.take_step();
                    self.taken = Taken::StepByStep;
                }
            }
        }
        self.steps = end;
        if is_watched && self.refusal.is_none() && self.is_out_of_order() {
            // The ledger already contains the frame.
            let keeper = self.keeper.take();
            self.restore(&start);
            self.find_divergence();
            self.keeper = keeper;
        }
        self.frame_start = start;
    }

    /// Takes steps up to `end` that consist of the method alone, without any checks.
    fn take_bare_steps(&mut self, end: u64) {
        let setup = Arc::clone(&self.setup);
        let dt = setup.dt();
        let sum = self.sum.get_or_insert_with(|| new_sum(&setup, &self.springs));
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors)
            .summed(sum.as_ref())
            .metered(&self.meter);
        let may_repeat = setup.anchors.is_empty() && !setup.step_control.chooses_steps();
        let going_on = if may_repeat { system.going_on() } else { system };
        let mut next = &system;
        while self.steps < end && !self.meter.is_over() {
            self.integrator.step(next, &mut self.state, dt);
            let report = self.integrator.report().unwrap_or(StepReport::one(dt));
            self.report = self.report.and(report);
            self.steps += 1;
            self.state.t = self.setup.time_after(self.steps);
            self.anchors.apply(&mut self.state);
            next = &going_on;
        }
        self.check_meter();
    }

    /// Counts the cost of a frame. The cost is the same with and without a kernel, because the use
    /// of kernels may depend on the machine.
    fn count_frame(&self) {
        let prices = self.meter.prices();
        let cost = match self.is_step_by_step() {
            true => prices.ledger_frame,
            false => prices.frame,
        };
        self.meter.spend(cost);
    }

    /// Whether the current state counts as diverged, by the same test as at the end of a frame.
    pub fn is_out_of_order(&self) -> bool {
        self.watch.is_out_of_order(&self.setup, &self.springs, &self.state)
    }

    /// Takes all steps of a frame at once and returns whether this was possible. This requires a
    /// method with a kernel and no other effects. The previous state is kept for
    /// [`Simulation::undo_burst`].
    fn burst(&mut self) -> bool {
        let setup = Arc::clone(&self.setup);
        if !setup.is_plain_without_contacts() || self.is_step_by_step() {
            return false;
        }
        let course = match setup.contacts.is_empty() {
            true => None,
            false => match self.clear_frame() {
                None => return false,
                course => course,
            },
        };
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors);
        let end = &mut self.frame_start.state;
        end.x.resize(self.state.x.len(), 0.0);
        end.v.resize(self.state.v.len(), 0.0);
        if !self.integrator.burst(&system, &self.state, end, setup.dt(), setup.substeps) {
            return false;
        }
        std::mem::swap(&mut self.state, end);
        self.contact_forces.clear();
        self.count(setup.substeps);
        if let Some(course) = &course {
            self.pass_clear(course);
        }
        if let Some(report) = self.integrator.report() {
            self.report = report;
        }
        true
    }

    /// Reverts [`Simulation::burst`].
    fn undo_burst(&mut self) {
        std::mem::swap(&mut self.state, &mut self.frame_start.state);
        self.steps -= self.setup.substeps;
        self.integrator.undo_burst();
    }

    /// Counts steps that a kernel has taken.
    pub(super) fn count(&mut self, count: u64) {
        let dt = self.setup.dt();
        self.report = self.report.and(StepReport::many(dt, count));
        self.steps = self.steps.saturating_add(count);
        self.state.t = self.setup.time_after(self.steps);
        self.anchors.apply(&mut self.state);
    }

    /// Whether a recorder needs every step. Kernels of whole frames do not expose single steps.
    pub(super) fn is_step_by_step(&self) -> bool {
        self.keeper.is_some() || self.forces.is_some()
    }

    /// Whether the history of the run allows it to advance in lanes.
    pub(crate) fn is_free(&self) -> bool {
        self.outcome == Outcome::Fine
            && self.forces.is_none()
            && !self.is_pushed()
            && self.keeper.as_ref().is_none_or(|keeper| keeper.fits_lanes())
            && self.refusal.is_none()
    }

    /// Whether the run is free, and whether it keeps a ledger.
    pub(crate) fn conditions(&self) -> [bool; 2] {
        [self.is_free(), self.keeper.is_some()]
    }

    /// Entry of the ledger; `None` if the run keeps none.
    pub(crate) fn ledger_entry(&self) -> Option<LedgerEntry> {
        self.keeper.as_ref().map(|keeper| keeper.entry())
    }

    /// Inputs of a lane; `None` if no lane fits the run.
    pub(crate) fn lane(&mut self) -> Option<(&Setup, &State, ChainLane<'_>)> {
        let setup = Some(&*self.setup).filter(|setup| setup.is_plain() && self.is_free())?;
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors);
        Some((setup, &self.state, self.integrator.lane(&system, &self.state)?))
    }

    /// Appends the memory of the method.
    pub(crate) fn save_method(&self, memory: &mut Vec<f64>) {
        self.integrator.save(memory);
    }

    /// Takes over a frame from a lane: the state at its end, the method's memory and the ledger
    /// entry. If that state is invalid, the simulation repeats the frame on its own.
    pub(crate) fn arrive(&mut self, end: &State, memory: &[f64], entry: Option<&LedgerEntry>) {
        if self.watch.is_out_of_order(&self.setup, &self.springs, end) {
            return self.advance_frame();
        }
        self.report = StepReport::none();
        self.count_frame();
        if self.meter.is_over() {
            self.steps = self.steps.saturating_add(self.setup.substeps);
            return self.check_meter();
        }
        self.taken = Taken::SideBySide;
        self.state.x.copy_from_slice(&end.x);
        self.state.v.copy_from_slice(&end.v);
        self.integrator.restore(memory);
        if let (Some(keeper), Some(entry)) = (&mut self.keeper, entry) {
            keeper.take_over(*entry);
        }
        self.count(self.setup.substeps);
    }

    /// Repeats the frame from its start and checks each step. The final state is unchanged.
    fn find_divergence(&mut self) {
        self.report = StepReport::none();
        let end = self.steps.saturating_add(self.setup.substeps);
        // The cost of the frame is already counted.
        let meter = std::mem::take(&mut self.meter);
        while self.steps < end {
            self.take_step();
            if self.outcome == Outcome::Fine && self.is_out_of_order() {
                let frame = end / self.setup.substeps;
                self.outcome = Outcome::Diverged { frame, step: self.steps };
            }
        }
        self.meter = meter;
    }
}

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

//! Updates the model of a run to the rest lengths of each step.

use super::Simulation;
use crate::force::Account;
use crate::run::watch::Watch;
use std::sync::Arc;

impl Simulation {
    /// Sets the spring lengths for the next step: at a time within the step that the method
    /// chooses, or at its end for methods that hold lengths.
    pub(super) fn lengthen_for_step(&mut self) {
        if self.setup.lengths.is_empty() {
            return;
        }
        let [start, end] = [self.steps, self.steps + 1].map(|steps| self.setup.time_after(steps));
        let t = match self.setup.method.holds_lengths() {
            true => end,
            false => start + self.integrator.share_of_lengths() * (end - start),
        };
        self.change_lengths(t);
        self.book(Account::Anchors);
    }

    /// Sets the spring lengths for the time of the state, at the end of a step.
    pub(super) fn lengthen_to_state(&mut self) {
        if !self.setup.lengths.is_empty() {
            self.change_lengths(self.state.t);
            self.book(Account::Anchors);
        }
    }

    /// Sets the spring lengths for a time, and renews everything that has a copy of these lengths.
    pub(super) fn change_lengths(&mut self, t: f64) {
        if self.setup.lengths.is_empty() {
            return;
        }
        let first = Arc::clone(&self.first_setup);
        let setup = Arc::make_mut(&mut self.setup);
        // Events may have changed the curves.
        setup.lengths.apply(&first.model, t, &mut setup.model);
        self.length_changes += 1;
        (self.sum, self.lengths) = (None, None);
        self.watch = Watch::new(&self.setup);
        if let Some(keeper) = &mut self.keeper {
            keeper.follow(&self.setup);
        }
    }
}

//! Rest lengths over time: the model of a run gets those of each step.

use super::Simulation;
use crate::force::Account;
use crate::run::watch::Watch;
use std::sync::Arc;

impl Simulation {
    /// Gives springs the lengths for the coming step: those of its middle, or of its end for
    /// methods that hold lengths.
    pub(super) fn lengthen_for_step(&mut self) {
        if self.setup.lengths.is_empty() {
            return;
        }
        let end = self.setup.time_after(self.steps + 1);
        let t = match self.setup.method.holds_lengths() {
            true => end,
            false => 0.5 * (self.setup.time_after(self.steps) + end),
        };
        self.change_lengths(t);
        self.book(Account::Anchors);
    }

    /// Gives springs the lengths of the time of the state, at the end of a step.
    pub(super) fn lengthen_to_state(&mut self) {
        if !self.setup.lengths.is_empty() {
            self.change_lengths(self.state.t);
            self.book(Account::Anchors);
        }
    }

    /// Gives springs the lengths of a time. Everything that keeps copies of them is renewed.
    pub(super) fn change_lengths(&mut self, t: f64) {
        if self.setup.lengths.is_empty() {
            return;
        }
        let first = Arc::clone(&self.first_setup);
        first.lengths.apply(&first.model, t, &mut Arc::make_mut(&mut self.setup).model);
        self.length_changes += 1;
        (self.sum, self.lengths) = (None, None);
        self.watch = Watch::new(&self.setup);
        if let Some(keeper) = &mut self.keeper {
            keeper.follow(&self.setup);
        }
    }
}

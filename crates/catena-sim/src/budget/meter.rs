//! Counts what a run takes while it goes on, and ends it where that is more than it may take.
//!
//! What a step takes at least is counted before it is taken. Methods that iterate or divide their
//! step, and contacts, count what they take beyond that, and give up at once when they are told so.
//! Counts are of operations and never of time, so a run is refused at the same step on every
//! machine, whichever kernels it has.

use super::{Cost, Prices};
use std::cell::Cell;

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Nanoseconds of one core, as [`Cost`] and contacts count them.
    pub work: u64,
    /// Pairs of nodes of the body that may touch each other in one step; each takes memory.
    pub pairs: u64,
}

impl Budget {
    /// No bounds but those of the machine.
    pub const UNLIMITED: Self = Self { work: u64::MAX, pairs: u64::MAX };
}

/// Why a run does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// It would take more work than this.
    Work(u64),
    /// More pairs of nodes than this may touch in a step.
    Pairs(u64),
}

/// A run that does not go on: why, and where it ended. Its state means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub excess: Excess,
    /// The frame that was not reached.
    pub frame: u64,
}

/// Counts for one run.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    prices: Prices,
    spent: Cell<u64>,
    excess: Cell<Option<Excess>>,
}

impl Default for Meter {
    /// One that never ends a run.
    fn default() -> Self {
        Self::within(Budget::UNLIMITED, Prices::default())
    }
}

impl Meter {
    /// For a run within a budget, whose operations have these prices.
    pub fn within(budget: Budget, prices: Prices) -> Self {
        Self { budget, prices, spent: Cell::new(0), excess: Cell::new(None) }
    }

    /// Why the run is not to go on; `None` where it is.
    pub fn excess(&self) -> Option<Excess> {
        self.excess.get()
    }

    /// Whether the run is not to go on.
    pub fn is_over(&self) -> bool {
        self.excess.get().is_some()
    }

    /// Nanoseconds counted so far.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Counts from there on.
    pub(crate) fn resume(&self, spent: u64) {
        self.spent.set(spent);
        self.excess.set(None);
    }

    /// Nanoseconds that are left.
    pub(crate) fn left(&self) -> u64 {
        self.budget.work.saturating_sub(self.spent.get())
    }

    /// Counts so many nanoseconds before they are taken, and says whether the run goes on. Where it
    /// does not, who asks gives up.
    pub(crate) fn spend(&self, work: u64) -> bool {
        let spent = self.spent.get().saturating_add(work);
        self.spent.set(spent);
        if spent > self.budget.work && self.excess.get().is_none() {
            self.excess.set(Some(Excess::Work(self.budget.work)));
        }
        !self.is_over()
    }

    /// The same for a part of a step.
    pub(crate) fn spend_on(&self, cost: Cost) -> bool {
        self.spend(self.prices.part(cost))
    }

    /// Whether there may be so many pairs that touch, and the run goes on.
    pub(crate) fn allows_pairs(&self, count: usize) -> bool {
        if count as u64 > self.budget.pairs && self.excess.get().is_none() {
            self.excess.set(Some(Excess::Pairs(self.budget.pairs)));
        }
        !self.is_over()
    }
}

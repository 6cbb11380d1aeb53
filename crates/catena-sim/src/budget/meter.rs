//! Counts the work of a run while it goes on, and ends the run when its budget is spent.
//!
//! The least work of a step is counted before the step. Methods that iterate or divide their step,
//! and contacts, count the rest, and give up as soon as the meter says so. The meter counts
//! operations and not time, so a run is refused at the same step on every machine, whichever
//! kernels it has.

use super::{Cost, Prices};
use std::cell::Cell;

/// The most work that a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Nanoseconds of one core, as [`Cost`] and contacts count them.
    pub work: u64,
    /// Pairs of nodes of one body that may touch in one step; each takes memory.
    pub pairs: u64,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Self = Self { work: u64::MAX, pairs: u64::MAX };
}

/// Which limit ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// The run needs more nanoseconds than this.
    Work(u64),
    /// More pairs of nodes than this may touch in a step.
    Pairs(u64),
    /// Its setup cannot be run at all.
    Setup,
}

/// Why a run ended early, and where. The state of such a run means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The limit that ended the run.
    pub excess: Excess,
    /// The first frame that the run did not reach.
    pub frame: u64,
}

/// Counts the work of one run.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    prices: Prices,
    spent: Cell<u64>,
    excess: Cell<Option<Excess>>,
}

impl Default for Meter {
    /// A meter without limits.
    fn default() -> Self {
        Self::within(Budget::UNLIMITED, Prices::default())
    }
}

impl Meter {
    /// A meter for a run within a budget, whose operations have these prices.
    pub fn within(budget: Budget, prices: Prices) -> Self {
        Self { budget, prices, spent: Cell::new(0), excess: Cell::new(None) }
    }

    /// The limit that ended the run; `None` while it goes on.
    pub fn excess(&self) -> Option<Excess> {
        self.excess.get()
    }

    /// Whether a limit has ended the run.
    pub fn is_over(&self) -> bool {
        self.excess.get().is_some()
    }

    /// Nanoseconds counted so far.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Goes on from this count, and forgets an earlier excess.
    pub(crate) fn resume(&self, spent: u64) {
        self.spent.set(spent);
        self.excess.set(None);
    }

    /// Nanoseconds that are left.
    pub(crate) fn left(&self) -> u64 {
        self.budget.work.saturating_sub(self.spent.get())
    }

    /// Ends the run, for a reason that is no count.
    pub(crate) fn end(&self, excess: Excess) {
        self.excess.set(Some(excess));
    }

    /// Counts nanoseconds before the work is done. Returns whether the run goes on; if it does not,
    /// the caller gives up.
    pub(crate) fn spend(&self, work: u64) -> bool {
        let spent = self.spent.get().saturating_add(work);
        self.spent.set(spent);
        if spent > self.budget.work && self.excess.get().is_none() {
            self.excess.set(Some(Excess::Work(self.budget.work)));
        }
        !self.is_over()
    }

    /// Counts a part of a step; see [`Meter::spend`].
    pub(crate) fn spend_on(&self, cost: Cost) -> bool {
        self.spend(self.prices.part(cost))
    }

    /// Whether this many pairs may touch and the run goes on.
    pub(crate) fn allows_pairs(&self, count: usize) -> bool {
        if count as u64 > self.budget.pairs && self.excess.get().is_none() {
            self.excess.set(Some(Excess::Pairs(self.budget.pairs)));
        }
        !self.is_over()
    }
}

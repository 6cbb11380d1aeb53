//! Meter that counts the work of a run, and ends the run when its budget is spent.
//!
//! The minimum work of a step is counted before the step. Contacts, and methods that iterate or
//! divide their step, count the additional work. They stop as soon as the meter requires it. The
//! meter counts operations and not time. A run therefore ends at the same step on every machine,
//! independent of the kernels that the machine can use.

use super::{Cost, Item, Prices};
use std::cell::Cell;

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Maximum work of the run in nanoseconds of one core, as counted by [`Cost`] and contacts.
    pub work: u64,
    /// Maximum number of node pairs in one body that may touch in one step. Each pair needs memory.
    pub pairs: u64,
}
crate::identity!(Budget { work, pairs });

impl Budget {
    /// Budget without limits.
    pub const UNLIMITED: Self = Self { work: u64::MAX, pairs: u64::MAX };
}

/// Limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// The run needs more than this number of nanoseconds.
    Work(u64),
    /// More than this number of pairs of nodes may touch in a step.
    Pairs(u64),
    /// The setup cannot be run at all.
    Setup,
}

/// Reason and time of an early end of a run. The state of such a run is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Limit that ended the run.
    pub excess: Excess,
    /// First frame that the run did not reach.
    pub frame: u64,
}

/// Counter for the work of one run.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    prices: Prices,
    spent: Cell<u64>,
    /// Nanoseconds of the operations that were only noted.
    noted: Cell<u64>,
    /// Count of each operation during the run, by item.
    counted: [Cell<u64>; Item::ALL.len()],
    /// Additional evaluations, sweeps and solutions beyond the minimum of each step.
    extra: Cell<[u64; 3]>,
    excess: Cell<Option<Excess>>,
}

impl Default for Meter {
    /// Creates a meter without limits.
    fn default() -> Self {
        Self::within(Budget::UNLIMITED, Prices::default())
    }
}

impl Meter {
    /// Creates a meter with a budget and prices of operations.
    pub fn within(budget: Budget, prices: Prices) -> Self {
        Self {
            budget,
            prices,
            spent: Cell::new(0),
            noted: Cell::new(0),
            counted: [const { Cell::new(0) }; Item::ALL.len()],
            extra: Cell::default(),
            excess: Cell::new(None),
        }
    }

    /// Returns the limit that ended the run; `None` if none has.
    pub fn excess(&self) -> Option<Excess> {
        self.excess.get()
    }

    /// Whether a limit has ended the run.
    pub fn is_over(&self) -> bool {
        self.excess.get().is_some()
    }

    /// Returns the nanoseconds counted so far.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Returns the nanoseconds of all operations so far, including those outside the budget.
    pub(crate) fn work(&self) -> u64 {
        self.spent.get().saturating_add(self.noted.get())
    }

    /// Resumes from a count, and clears an earlier excess.
    pub(crate) fn resume(&self, spent: u64) {
        self.spent.set(spent);
        self.excess.set(None);
    }

    /// Returns the nanoseconds left.
    pub(crate) fn left(&self) -> u64 {
        self.budget.work.saturating_sub(self.spent.get())
    }

    /// Ends the run for a reason other than a count.
    pub(crate) fn end(&self, excess: Excess) {
        self.excess.set(Some(excess));
    }

    /// Counts nanoseconds before the work is done. Returns whether the run may continue. If it
    /// returns `false`, the caller must stop.
    pub(crate) fn spend(&self, work: u64) -> bool {
        let spent = self.spent.get().saturating_add(work);
        self.spent.set(spent);
        if spent > self.budget.work && self.excess.get().is_none() {
            self.excess.set(Some(Excess::Work(self.budget.work)));
        }
        !self.is_over()
    }

    /// Counts `count` operations of kind `item` at their listed price. Returns whether the run may
    /// continue.
    pub(crate) fn count(&self, item: Item, count: u64) -> bool {
        self.add(item, count);
        self.spend(price_of(item, count))
    }

    /// Counts `count` operations for the bill of the run, outside the budget. For operations whose
    /// number depends on cached data, which a resumed run does not have: its budget must end at the
    /// same step.
    pub(crate) fn note(&self, item: Item, count: u64) {
        self.add(item, count);
        self.noted.set(self.noted.get().saturating_add(price_of(item, count)));
    }

    fn add(&self, item: Item, count: u64) {
        let counted = &self.counted[item as usize];
        counted.set(counted.get().saturating_add(count));
    }

    /// Counts additional parts of a step; see [`Meter::spend`].
    pub(crate) fn spend_on(&self, cost: Cost) -> bool {
        let parts = [cost.evaluations, cost.sweeps, cost.solutions];
        let mut extra = self.extra.get();
        extra.iter_mut().zip(parts).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self.extra.set(extra);
        self.spend(self.prices.part(cost))
    }

    /// Counts of operations during the run, and of additional evaluations, sweeps and solutions
    /// beyond the minimum of each step.
    pub(crate) fn counted(&self) -> (impl Iterator<Item = (Item, u64)>, [u64; 3]) {
        let counts = Item::ALL.iter().map(|item| (*item, self.counted[*item as usize].get()));
        (counts, self.extra.get())
    }

    /// Sets the prices of the following steps.
    pub(crate) fn set_prices(&mut self, prices: Prices) {
        self.prices = prices;
    }

    /// Prices of the parts of a step.
    pub(crate) fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Number of operations that the remaining nanoseconds allow.
    pub(crate) fn left_for(&self, item: Item) -> u64 {
        let picoseconds = u128::from(self.left()) * 1000;
        u64::try_from(picoseconds / u128::from(item.price())).unwrap_or(u64::MAX)
    }

    /// Whether `count` pairs are within the budget and the run may continue.
    pub(crate) fn allows_pairs(&self, count: usize) -> bool {
        if count as u64 > self.budget.pairs && self.excess.get().is_none() {
            self.excess.set(Some(Excess::Pairs(self.budget.pairs)));
        }
        !self.is_over()
    }
}

/// Nanoseconds of a number of operations.
fn price_of(item: Item, count: u64) -> u64 {
    u64::try_from(u128::from(item.price()) * u128::from(count) / 1000).unwrap_or(u64::MAX)
}

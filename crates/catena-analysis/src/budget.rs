//! Budgets of studies, in estimated seconds of one core (see [`Setup::step_cost`]). No clock is
//! read, so a study stops at the same point on every machine.

use catena_base::text::number::short;
use catena_sim::Setup;
use std::fmt;

/// Amount of computation, as the estimated time of one core.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct CoreTime {
    /// Estimated seconds of one core.
    pub seconds: f64,
}

impl CoreTime {
    /// Converts nanoseconds into core time.
    pub fn nanoseconds(nanoseconds: f64) -> Self {
        Self { seconds: 1e-9 * nanoseconds }
    }

    /// Returns whole nanoseconds.
    pub fn whole(self) -> u64 {
        (1e9 * self.seconds) as u64
    }

    /// Divides the time equally among `among` users; 0 counts as 1.
    pub fn shared(self, among: usize) -> Self {
        Self { seconds: self.seconds / among.max(1) as f64 }
    }

    /// Multiplies the time by a factor.
    pub fn times(self, factor: f64) -> Self {
        Self { seconds: factor * self.seconds }
    }

    /// Returns a copy of the setup whose runs are refused once they exceed this budget.
    pub fn bound(self, setup: &Setup) -> Setup {
        let mut setup = setup.clone();
        setup.budget.work = self.whole();
        setup
    }

    /// Number of frames of a run that the budget allows, at most `wanted`.
    pub fn frames(self, setup: &Setup, wanted: u64) -> u64 {
        let affordable = 1e9 * self.seconds / setup.frame_cost().max(1) as f64;
        wanted.min(affordable as u64)
    }
}

impl fmt::Display for CoreTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s of CPU time", short(self.seconds))
    }
}

/// Budget of a study, from which the cost of runs is subtracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyBudget {
    nanoseconds: f64,
}

impl StudyBudget {
    /// Creates a budget of the given amount.
    pub const fn new(amount: CoreTime) -> Self {
        Self { nanoseconds: 1e9 * amount.seconds }
    }

    /// Whether the budget allows `steps` steps of `nanoseconds` each.
    pub fn allows(&self, steps: f64, nanoseconds: u64) -> bool {
        steps * nanoseconds as f64 <= self.nanoseconds
    }

    /// Remaining time, at least 0.
    pub fn left(&self) -> CoreTime {
        CoreTime::nanoseconds(self.nanoseconds.max(0.0))
    }

    /// Returns the nanoseconds that were subtracted from `amount`, with which the budget began.
    pub fn spent_of(&self, amount: CoreTime) -> u64 {
        (1e9 * amount.seconds - self.nanoseconds).max(0.0) as u64
    }

    /// Subtracts the cost of a run, which may exceed the remaining budget.
    pub fn take(&mut self, nanoseconds: u64) {
        self.nanoseconds -= nanoseconds as f64;
    }

    /// Subtracts `steps` steps of `nanoseconds` each if the budget allows them. Returns whether the
    /// steps were subtracted.
    pub fn spend(&mut self, steps: f64, nanoseconds: u64) -> bool {
        let is_allowed = self.allows(steps, nanoseconds);
        if is_allowed {
            self.nanoseconds -= steps * nanoseconds as f64;
        }
        is_allowed
    }
}

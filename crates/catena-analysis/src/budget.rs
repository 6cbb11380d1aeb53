//! How much a study may compute: seconds of one core, as [`Setup::step_cost`] counts them. No clock
//! is read, so that a study and its end are the same on every machine.

use catena_base::text::number::short;
use catena_sim::Setup;
use std::fmt;

/// An amount of computing, by the time that one core takes for it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct CoreTime {
    /// Seconds of one core, as counted.
    pub seconds: f64,
}

impl CoreTime {
    /// The time of so many nanoseconds.
    pub fn nanoseconds(nanoseconds: f64) -> Self {
        Self { seconds: 1e-9 * nanoseconds }
    }

    /// The equal share of each of `among`.
    pub fn shared(self, among: usize) -> Self {
        Self { seconds: self.seconds / among.max(1) as f64 }
    }

    /// The time multiplied by a factor.
    pub fn times(self, factor: f64) -> Self {
        Self { seconds: factor * self.seconds }
    }

    /// A setup with this budget: its runs are refused when they would exceed it.
    pub fn bound(self, setup: &Setup) -> Setup {
        let mut setup = setup.clone();
        setup.budget.work = (1e9 * self.seconds) as u64;
        setup
    }

    /// How many of the `wanted` frames of a run it pays for.
    pub fn frames(self, setup: &Setup, wanted: u64) -> u64 {
        let affordable = 1e9 * self.seconds / setup.frame_cost().max(1) as f64;
        wanted.min(affordable as u64)
    }
}

impl fmt::Display for CoreTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s of one core", short(self.seconds))
    }
}

/// What is left of the time that a study may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyBudget {
    nanoseconds: f64,
}

impl StudyBudget {
    /// A budget of this time.
    pub const fn new(amount: CoreTime) -> Self {
        Self { nanoseconds: 1e9 * amount.seconds }
    }

    /// Whether the budget still pays for so many steps of so many nanoseconds.
    pub fn allows(&self, steps: f64, nanoseconds: u64) -> bool {
        steps * nanoseconds as f64 <= self.nanoseconds
    }

    /// The time that is left.
    pub fn left(&self) -> CoreTime {
        CoreTime::nanoseconds(self.nanoseconds.max(0.0))
    }

    /// Takes off what a run cost, which may be more than was left.
    pub fn take(&mut self, nanoseconds: u64) {
        self.nanoseconds -= nanoseconds as f64;
    }

    /// Takes off so many steps of so many nanoseconds if the budget allows them; returns whether it
    /// does.
    pub fn spend(&mut self, steps: f64, nanoseconds: u64) -> bool {
        let is_allowed = self.allows(steps, nanoseconds);
        if is_allowed {
            self.nanoseconds -= steps * nanoseconds as f64;
        }
        is_allowed
    }
}

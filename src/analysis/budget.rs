//! How much a study may compute: seconds of one core, as [`Setup::step_cost`] counts them. No clock
//! is read, so a study says the same on every machine, and it says so where its budget ends it.

use crate::sim::Setup;
use crate::text::number::short;
use std::fmt;

/// An amount of computing.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Amount {
    /// Seconds of one core, as counted.
    pub seconds: f64,
}

impl Amount {
    /// So many nanoseconds of one core.
    pub fn nanoseconds(nanoseconds: f64) -> Self {
        Self { seconds: 1e-9 * nanoseconds }
    }

    /// The part of each of so many that share it.
    pub fn shared(self, among: usize) -> Self {
        Self { seconds: self.seconds / among.max(1) as f64 }
    }

    /// So many times as much.
    pub fn times(self, factor: f64) -> Self {
        Self { seconds: factor * self.seconds }
    }

    /// A setup whose runs are refused where they would take more.
    pub fn bound(self, setup: &Setup) -> Setup {
        let mut setup = setup.clone();
        setup.budget.work = (1e9 * self.seconds) as u64;
        setup
    }

    /// How many of a run's frames are within it.
    pub fn frames(self, setup: &Setup, wanted: u64) -> u64 {
        let affordable = 1e9 * self.seconds / setup.frame_cost().max(1) as f64;
        wanted.min(affordable as u64)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s of one core", short(self.seconds))
    }
}

/// What is left of an amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    nanoseconds: f64,
}

impl Budget {
    /// A whole one.
    pub const fn new(amount: Amount) -> Self {
        Self { nanoseconds: 1e9 * amount.seconds }
    }

    /// Whether so many steps of so many nanoseconds may still be taken.
    pub fn allows(&self, steps: f64, nanoseconds: u64) -> bool {
        steps * nanoseconds as f64 <= self.nanoseconds
    }

    /// What is left.
    pub fn left(&self) -> Amount {
        Amount::nanoseconds(self.nanoseconds.max(0.0))
    }

    /// Takes off what a run took, which may have been more than was left.
    pub fn take(&mut self, nanoseconds: u64) {
        self.nanoseconds -= nanoseconds as f64;
    }

    /// Takes them off, where they may still be taken; whether they may.
    pub fn spend(&mut self, steps: f64, nanoseconds: u64) -> bool {
        let is_allowed = self.allows(steps, nanoseconds);
        if is_allowed {
            self.nanoseconds -= steps * nanoseconds as f64;
        }
        is_allowed
    }
}

//! How much a study may compute: seconds of one core, as [`Setup::step_cost`] counts them. No clock is read, so a study says the same on every
//! machine, and it says so where its budget ends it.

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

    /// Takes them off, where they may still be taken; whether they may.
    pub fn spend(&mut self, steps: f64, nanoseconds: u64) -> bool {
        let is_allowed = self.allows(steps, nanoseconds);
        if is_allowed {
            self.nanoseconds -= steps * nanoseconds as f64;
        }
        is_allowed
    }
}

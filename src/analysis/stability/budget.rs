//! How much a study may compute. It is counted, by what steps cost (see `sim::Cost`), and never timed, so what is said does not depend on
//! the machine.

use std::fmt;

/// Seconds of one core that may still be computed, as counted.
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

/// How much a budget is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// Seconds of one core, as counted.
    pub seconds: f64,
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s of computing, as counted", self.seconds)
    }
}

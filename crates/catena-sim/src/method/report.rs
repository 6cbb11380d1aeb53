//! What steps were really taken, for methods that choose their own, and whether they converged.

use serde::{Deserialize, Serialize};

/// The steps that were taken within one step of the scene, or within a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// How many steps were taken; rejected ones do not count.
    pub count: u64,
    /// The shortest of them.
    pub least_dt: f64,
    /// The longest of them.
    pub greatest_dt: f64,
    /// How many of them hit a cap on iterations before they were as exact as asked for.
    pub unconverged: u64,
}

impl StepReport {
    /// One step of dt that went as it should.
    pub fn one(dt: f64) -> Self {
        Self { count: 1, least_dt: dt, greatest_dt: dt, unconverged: 0 }
    }

    /// So many steps of dt that went as they should.
    pub fn many(dt: f64, count: u64) -> Self {
        Self { count, ..Self::one(dt) }
    }

    /// Of no step at all.
    pub fn none() -> Self {
        Self { count: 0, least_dt: f64::INFINITY, greatest_dt: 0.0, unconverged: 0 }
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            least_dt: self.least_dt.min(other.least_dt),
            greatest_dt: self.greatest_dt.max(other.greatest_dt),
            unconverged: self.unconverged + other.unconverged,
        }
    }
}

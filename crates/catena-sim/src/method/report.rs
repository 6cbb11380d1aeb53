//! The steps that a method really took, and whether they converged.

use serde::{Deserialize, Serialize};

/// The steps within one step of the scene, or within a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Number of steps; rejected ones do not count.
    pub count: u64,
    /// The shortest step; infinite if there is none.
    pub least_dt: f64,
    /// The longest step; 0 if there is none.
    pub greatest_dt: f64,
    /// Number of steps that hit a cap on iterations before they were as exact as asked for.
    pub unconverged: u64,
}

impl StepReport {
    /// The report of one step of `dt` that converged.
    pub fn one(dt: f64) -> Self {
        Self { count: 1, least_dt: dt, greatest_dt: dt, unconverged: 0 }
    }

    /// The report of `count` steps of `dt` that converged.
    pub fn many(dt: f64, count: u64) -> Self {
        Self { count, ..Self::one(dt) }
    }

    /// The report of no step at all.
    pub fn none() -> Self {
        Self { count: 0, least_dt: f64::INFINITY, greatest_dt: 0.0, unconverged: 0 }
    }

    /// The report of the steps of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            least_dt: self.least_dt.min(other.least_dt),
            greatest_dt: self.greatest_dt.max(other.greatest_dt),
            unconverged: self.unconverged + other.unconverged,
        }
    }
}

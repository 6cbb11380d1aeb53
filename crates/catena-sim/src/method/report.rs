//! The steps that a method actually took, and whether they converged.

use serde::{Deserialize, Serialize};

/// Statistics of the steps within one step of the scene, or within a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Number of steps, without rejected steps.
    pub count: u64,
    /// Minimum step; infinite if there are no steps.
    pub least_dt: f64,
    /// Maximum step; 0 if there are no steps.
    pub greatest_dt: f64,
    /// Number of steps that reached a limit of iterations before the requested accuracy.
    pub unconverged: u64,
}

impl StepReport {
    /// Returns the report of one converged step of `dt`.
    pub fn one(dt: f64) -> Self {
        Self { count: 1, least_dt: dt, greatest_dt: dt, unconverged: 0 }
    }

    /// Returns the report of `count` converged steps of `dt`.
    pub fn many(dt: f64, count: u64) -> Self {
        Self { count, ..Self::one(dt) }
    }

    /// Returns the report of no steps.
    pub fn none() -> Self {
        Self { count: 0, least_dt: f64::INFINITY, greatest_dt: 0.0, unconverged: 0 }
    }

    /// Returns the combined report.
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            least_dt: self.least_dt.min(other.least_dt),
            greatest_dt: self.greatest_dt.max(other.greatest_dt),
            unconverged: self.unconverged + other.unconverged,
        }
    }
}

//! Estimated work of a run, in nanoseconds of one core. A method states its operations per step,
//! and the price table gives the time of each.
//!
//! Prices are constants that were measured once. Whether a run is refused therefore depends neither
//! on the machine nor on its load.

use super::{Bill, Item};
use crate::body::Arrangement;

/// Minimum work of one step of a method, as counts of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Number of evaluations of all forces.
    pub evaluations: u64,
    /// Whether the step can reuse the last evaluation of the previous step as its first one. This
    /// is possible if all forces depend only on positions.
    pub reuses: bool,
    /// Number of values of earlier evaluations that are read or written per coordinate of a node.
    pub remembered: u64,
    /// Number of sweeps over the springs that the method holds.
    pub sweeps: u64,
    /// Kind of these sweeps.
    pub sweeping: Sweeping,
    /// Number of linear systems over all nodes that are assembled and solved.
    pub solutions: u64,
    /// Whether a step may take more work, because the method iterates until convergence or divides
    /// the step. The meter counts the additional work during the run.
    pub is_open: bool,
    /// Price per step and coordinate of a rope, if a kernel computes whole frames; `None` if the
    /// method has no such kernel.
    pub rope_kernel: Option<Item>,
    /// Price per step and coordinate of a sheet's springs, if a kernel computes whole frames;
    /// `None` if the method has no such kernel.
    pub sheet_kernel: Option<Item>,
}

/// Kind of sweep over held springs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweeping {
    /// Each spring is set to its length in turn, as in constraint Verlet.
    Corrections,
    /// Each spring is corrected by one iteration of PBD or XPBD.
    Iterations,
    /// All springs are solved together.
    Projections,
}

impl Sweeping {
    /// Prices of a sweep, of a spring with a kernel for its arrangement, and of a spring without
    /// one.
    const fn items(self) -> [Item; 3] {
        match self {
            Self::Corrections => [Item::Sweep, Item::Correction, Item::LooseCorrection],
            Self::Iterations => [Item::Sweep, Item::Iteration, Item::LooseIteration],
            Self::Projections => [Item::Projection, Item::ProjectedSpring, Item::ProjectedSpring],
        }
    }

    /// Bill of a sweep over a number of springs of a body.
    pub(crate) fn bill(self, springs: u64, arrangement: Arrangement) -> Bill {
        let [sweep, regular, other] = self.items();
        let is_regular = match (self, arrangement) {
            (_, Arrangement::Chain) => true,
            // Sheets have a kernel for iterations only.
            (Self::Iterations, Arrangement::Sheet { .. }) => true,
            _ => false,
        };
        Bill::of(sweep, 1).and(if is_regular { regular } else { other }, springs)
    }
}

impl Cost {
    /// Creates the cost of `count` evaluations of all forces.
    pub const fn evaluations(count: u64) -> Self {
        Self {
            evaluations: count,
            reuses: false,
            remembered: 0,
            sweeps: 0,
            sweeping: Sweeping::Iterations,
            solutions: 0,
            is_open: false,
            rope_kernel: None,
            sheet_kernel: None,
        }
    }

    /// Creates the cost of one evaluation and `count` sweeps over the held springs.
    pub const fn sweeps(count: u64, sweeping: Sweeping) -> Self {
        Self { sweeps: count, sweeping, ..Self::evaluations(1) }
    }

    /// Cost of one solution for the corrections of held springs.
    pub const PROJECTION: Self =
        Self { sweeps: 1, sweeping: Sweeping::Projections, ..Self::evaluations(0) };

    /// Cost of one linear system.
    pub const SOLUTION: Self = Self { solutions: 1, ..Self::evaluations(0) };

    /// Returns the cost of a step that may reuse the last evaluation of the previous step.
    #[must_use]
    pub const fn reusing(self) -> Self {
        Self { reuses: true, ..self }
    }

    /// Returns the cost with `count` values of earlier evaluations per coordinate of a node.
    #[must_use]
    pub const fn remembering(self, count: u64) -> Self {
        Self { remembered: count, ..self }
    }

    /// Returns the cost of `count` such steps.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Self {
            evaluations: self.evaluations.saturating_mul(count),
            remembered: self.remembered.saturating_mul(count),
            sweeps: self.sweeps.saturating_mul(count),
            solutions: self.solutions.saturating_mul(count),
            ..self
        }
    }
}

/// Prices of the operations of a step for one body, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// Evaluation of all forces, including the method's own work on it.
    pub evaluation: u64,
    /// Sweep over the held springs.
    pub sweep: u64,
    /// Assembly and solution of a linear system.
    pub solution: u64,
    /// Whole step of the method, including contacts, events and everything else in the step.
    pub step: u64,
    /// All steps of a frame.
    pub frame: u64,
    /// Frame while an energy ledger is kept.
    pub ledger_frame: u64,
}

impl Prices {
    /// Returns the price of a part of a step.
    pub fn part(&self, cost: Cost) -> u64 {
        let parts = [
            (cost.evaluations, self.evaluation),
            (cost.sweeps, self.sweep),
            (cost.solutions, self.solution),
        ];
        parts
            .iter()
            .fold(0, |sum: u64, (count, price)| sum.saturating_add(count.saturating_mul(*price)))
    }
}

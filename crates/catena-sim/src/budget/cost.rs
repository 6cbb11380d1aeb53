//! Estimated work of a run, in nanoseconds of one core. A method states its operations per step;
//! this module has their prices.
//!
//! Prices are constants that were measured once. A refusal therefore depends neither on the machine
//! nor on its load.

/// Minimum work of one step of a method, as numbers of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Number of evaluations of all forces.
    pub evaluations: u64,
    /// Number of sweeps over the springs that the method holds.
    pub sweeps: u64,
    /// Number of linear systems over all nodes that are assembled and solved.
    pub solutions: u64,
    /// Whether a step may take more work, because the method iterates until convergence or divides
    /// the step. The meter counts the rest during the run.
    pub is_open: bool,
    /// Nanoseconds per step and node or spring of a rope, if a kernel computes whole frames; `None`
    /// if the method has no such kernel.
    pub rope_kernel: Option<u64>,
    /// Nanoseconds per step and node or spring of a sheet, if a kernel computes whole frames;
    /// `None` if the method has no such kernel.
    pub sheet_kernel: Option<u64>,
}

impl Cost {
    /// Creates the cost of `count` evaluations of all forces.
    pub const fn evaluations(count: u64) -> Self {
        Self {
            evaluations: count,
            sweeps: 0,
            solutions: 0,
            is_open: false,
            rope_kernel: None,
            sheet_kernel: None,
        }
    }

    /// Creates the cost of one evaluation and `count` sweeps over the held springs.
    pub const fn sweeps(count: u64) -> Self {
        Self { sweeps: count, ..Self::evaluations(1) }
    }

    /// Cost of one sweep over the held springs.
    pub const SWEEP: Self = Self { sweeps: 1, ..Self::evaluations(0) };

    /// Cost of one linear system.
    pub const SOLUTION: Self = Self { solutions: 1, ..Self::evaluations(0) };

    /// Returns the cost of `count` such steps.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Self {
            evaluations: self.evaluations.saturating_mul(count),
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
    /// Work outside of the method: contacts of nodes with colliders and each other.
    pub rest: u64,
}

impl Prices {
    /// Returns the price of a whole step of a method.
    pub fn step(&self, cost: Cost) -> u64 {
        self.part(cost).saturating_add(self.rest)
    }

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

//! The work of a run, as estimated nanoseconds of one core. A method says what a step of it does
//! and how often; this module has the prices.
//!
//! Prices are constants, measured once, so that a refusal depends neither on the machine nor on its
//! load.

/// The least work of one step of a method, as numbers of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Evaluations of all forces.
    pub evaluations: u64,
    /// Sweeps over the springs that the method holds.
    pub sweeps: u64,
    /// Linear systems over all nodes that are set up and solved.
    pub solutions: u64,
    /// Whether a step may take more: the method iterates until something is exact, or divides the
    /// step. The meter counts the rest during the run.
    pub is_open: bool,
    /// Nanoseconds for each node or spring of a rope and step, where a kernel takes whole frames;
    /// `None` where the method has no such kernel.
    pub rope_kernel: Option<u64>,
    /// The same for a sheet.
    pub sheet_kernel: Option<u64>,
}

impl Cost {
    /// The cost of this many evaluations of all forces.
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

    /// The cost of one evaluation and this many sweeps over the held springs.
    pub const fn sweeps(count: u64) -> Self {
        Self { sweeps: count, ..Self::evaluations(1) }
    }

    /// A single sweep over the held springs.
    pub const SWEEP: Self = Self { sweeps: 1, ..Self::evaluations(0) };

    /// A single linear system.
    pub const SOLUTION: Self = Self { solutions: 1, ..Self::evaluations(0) };

    /// The cost of this many such steps.
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
    /// An evaluation of all forces, and what a method does with it.
    pub evaluation: u64,
    /// A sweep over the held springs.
    pub sweep: u64,
    /// Setting up and solving a linear system.
    pub solution: u64,
    /// Work beside the method: nodes against colliders and each other.
    pub rest: u64,
}

impl Prices {
    /// The price of a whole step of a method.
    pub fn step(&self, cost: Cost) -> u64 {
        self.part(cost).saturating_add(self.rest)
    }

    /// The price of a part of a step.
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

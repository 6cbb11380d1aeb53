//! What a run takes, in nanoseconds of one core, about. A method says how often it does what in a step; here stands how long that takes.
//!
//! The nanoseconds are constants, measured once: what is refused must not depend on the machine or on how busy it is.

/// What a step of a method takes at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// How often it asks for all forces.
    pub evaluations: u64,
    /// How often it goes over all springs that it holds.
    pub sweeps: u64,
    /// How often it sets up a linear system over all nodes and solves it.
    pub solutions: u64,
    /// Whether a step may take more than that: it iterates until something is exact, or divides the step. What it takes
    /// beyond is counted while it runs.
    pub is_open: bool,
    /// Nanoseconds of a node or a spring of a rope in a step where a kernel takes whole frames;
    /// `None` where the method has none.
    pub rope_kernel: Option<u64>,
    /// The same of a sheet.
    pub sheet_kernel: Option<u64>,
}

impl Cost {
    /// Of a method that asks for all forces so often.
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

    /// Of a method that asks for forces once and goes over the springs it holds so often.
    pub const fn sweeps(count: u64) -> Self {
        Self { sweeps: count, ..Self::evaluations(1) }
    }

    /// A sweep over the springs that it holds, alone.
    pub const SWEEP: Self = Self { sweeps: 1, ..Self::evaluations(0) };

    /// A linear system, alone.
    pub const SOLUTION: Self = Self { solutions: 1, ..Self::evaluations(0) };

    /// So many steps of it.
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

/// What the parts of a step take for one body, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// An evaluation of all forces, and what a method does with it.
    pub evaluation: u64,
    /// A sweep over the springs that methods hold.
    pub sweep: u64,
    /// To set up and solve a linear system.
    pub solution: u64,
    /// What the simulation does beside the method: nodes beside colliders and each other.
    pub rest: u64,
}

impl Prices {
    /// A step of a method.
    pub fn step(&self, cost: Cost) -> u64 {
        self.part(cost).saturating_add(self.rest)
    }

    /// A part of a step.
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

//! What a run takes, in nanoseconds of one core, about. A method says how often it does what in a step; here stands how long that takes.
//!
//! The nanoseconds are constants, measured once: what is refused must not depend on the machine or on how busy it is.

use super::{Arrangement, Setup};

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

/// A frame of a body, whatever is in it.
const FRAME: u128 = 2000;
/// A step, whatever is in it, and one that a kernel takes.
const STEP: u64 = 50;
const KERNEL_STEP: u64 = 60;
/// An evaluation of forces, a sweep and a linear system, whatever is in them.
const EVALUATION: u64 = 50;
const SWEEP: u64 = 20;
const SOLUTION: u64 = 500;
/// Evaluations of forces in a step beside those of the method, where an energy ledger is kept.
const LOOKS: u64 = 6;
/// A node in an evaluation of forces.
const NODE: u64 = 4;
/// A spring in an evaluation of forces.
const SPRING: u64 = 8;
/// A node beside a listed force, and beside a collider.
const BESIDE_FORCE: u64 = 8;
const BESIDE_COLLIDER: u64 = 150;
/// A spring in a sweep.
const HELD_SPRING: u64 = 20;
/// A node or a spring in a linear system that is solved.
const UNKNOWN: u64 = 80;

/// A node of a body that touches itself: its neighbours are looked for.
const OWN: u64 = 300;

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
    /// For the body of a setup.
    pub fn of(setup: &Setup) -> Self {
        let (nodes, springs) = (setup.model.nodes() as u64, setup.model.springs.len() as u64);
        // Gravity and springs are in the price of nodes and springs.
        let forces = setup.forces.len().saturating_sub(2) as u64;
        let colliders = setup.contacts.colliders.len() as u64;
        let own = if setup.contacts.own.is_some() { OWN * nodes } else { 0 };
        Self {
            evaluation: EVALUATION
                + NODE * nodes
                + SPRING * springs
                + BESIDE_FORCE * nodes * forces,
            sweep: SWEEP + HELD_SPRING * setup.model.held as u64,
            solution: SOLUTION + UNKNOWN * (nodes + springs),
            rest: STEP + BESIDE_COLLIDER * nodes * colliders + own,
        }
    }

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

impl Setup {
    /// Nanoseconds of one core that a step takes at least, about.
    pub fn step_cost(&self) -> u64 {
        let cost = self.step_control.cost(self.method.as_ref());
        let parts = (self.model.nodes() + self.model.springs.len()) as u64;
        let kernel = match self.model.arrangement {
            Arrangement::Chain => cost.rope_kernel,
            Arrangement::Sheet { .. } => cost.sheet_kernel,
        };
        match kernel.filter(|_| self.may_burst()) {
            Some(price) => KERNEL_STEP.saturating_add(price.saturating_mul(parts)),
            None => Prices::of(self).step(cost),
        }
    }

    /// Whether a kernel of its method can take whole frames.
    fn may_burst(&self) -> bool {
        let is_fixed = !self.step_control.chooses_steps();
        is_fixed && self.is_plain() && self.forces.iter().all(|force| force.term().is_some())
    }

    /// Nanoseconds of one core that a frame takes at least, about.
    pub fn frame_cost(&self) -> u128 {
        FRAME + u128::from(self.step_cost()) * u128::from(self.substeps)
    }

    /// The same where an energy ledger is kept: no kernel takes whole frames, and forces and
    /// energies are looked at more often.
    pub fn ledger_cost(&self) -> u128 {
        let prices = Prices::of(self);
        let cost = self.step_control.cost(self.method.as_ref());
        let a_step = prices.step(cost).saturating_add(prices.evaluation.saturating_mul(LOOKS));
        FRAME + u128::from(a_step) * u128::from(self.substeps)
    }

    /// Whether it may take more than that, which is counted while it runs.
    pub fn is_open(&self) -> bool {
        self.step_control.cost(self.method.as_ref()).is_open || !self.contacts.is_empty()
    }
}

//! Counts force evaluations without a change to the methods that request them.

use catena_sim::force::{Account, AtRest, ForceEnergy};
use catena_sim::{Blocks, Body, Force, Model, State};
use std::sync::atomic::{AtomicU64, Ordering};

/// Force of zero that counts its evaluations. No kernel supports it, so every method uses its plain
/// loops.
#[derive(Debug, Default)]
pub struct EvaluationCounter {
    forces: AtomicU64,
    jacobians: AtomicU64,
}

/// Number of evaluations of forces and of their derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluations {
    /// Number of evaluations of the forces on all nodes.
    pub forces: u64,
    /// Number of evaluations of force derivatives.
    pub jacobians: u64,
}

impl EvaluationCounter {
    /// Returns the current counts.
    pub fn evaluations(&self) -> Evaluations {
        Evaluations {
            forces: self.forces.load(Ordering::Relaxed),
            jacobians: self.jacobians.load(Ordering::Relaxed),
        }
    }
}

impl Force for EvaluationCounter {
    fn add_to(&self, _body: &Body<'_>, _state: &State, _f: &mut [f64]) {
        self.forces.fetch_add(1, Ordering::Relaxed);
    }

    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {
        self.jacobians.fetch_add(1, Ordering::Relaxed);
    }

    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Nothing
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

//! Counts how often forces are asked for, without touching what asks.

use crate::sim::{Blocks, Body, Force, State};
use std::sync::atomic::{AtomicU64, Ordering};

/// A force of nothing that counts how often it is evaluated. Kernels do not know it, so all methods take their plain loops.
#[derive(Debug, Default)]
pub struct Counter {
    forces: AtomicU64,
    jacobians: AtomicU64,
}

/// How often forces were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluations {
    /// Forces on all nodes.
    pub forces: u64,
    /// Their derivatives.
    pub jacobians: u64,
}

impl Counter {
    /// So far.
    pub fn evaluations(&self) -> Evaluations {
        Evaluations {
            forces: self.forces.load(Ordering::Relaxed),
            jacobians: self.jacobians.load(Ordering::Relaxed),
        }
    }
}

impl Force for Counter {
    fn add_to(&self, _body: &Body<'_>, _state: &State, _f: &mut [f64]) {
        self.forces.fetch_add(1, Ordering::Relaxed);
    }

    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {
        self.jacobians.fetch_add(1, Ordering::Relaxed);
    }
}

//! Runs of a body with a method and a number of steps, with their error and cost.

use catena_sim::{
    Blocks, Body, Force, Method, Model, Setup, Simulation, State,
    force::{Account, AtRest, ForceEnergy},
};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Error and cost of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorPoint {
    /// Number of steps of the run.
    pub steps: u64,
    /// Time step of the run.
    pub dt: f64,
    /// Maximum distance of a node from its reference position, as a share of the body's length. Not
    /// finite if the run diverged.
    pub error: f64,
    /// Number of force evaluations of the run.
    pub work: Evaluations,
}

/// Runs a setup for a duration in `steps` steps. Returns the final positions and the number of
/// evaluations.
pub(super) fn run(
    setup: &Setup,
    method: &Arc<dyn Method>,
    time: f64,
    steps: u64,
) -> (Vec<f64>, Evaluations) {
    let counter = Arc::new(EvaluationCounter::default());
    let mut setup = setup.clone().with_steps(time, steps);
    setup.method = Arc::clone(method);
    setup.forces.push(Arc::clone(&counter) as _);
    let mut simulation = Simulation::new(Arc::new(setup));
    (0..steps).for_each(|_| simulation.step());
    (simulation.state().x.clone(), counter.evaluations())
}

/// Cost of one force evaluation: the number of nodes or of springs, whichever is larger.
pub(super) fn size(setup: &Setup) -> u64 {
    setup.model.nodes().max(setup.model.springs.len()) as u64
}

/// Maximum distance between two positions of a node, as a share of the body's length.
pub(super) fn distance(setup: &Setup, a: &[f64], b: &[f64]) -> f64 {
    let n = setup.model.nodes();
    let mut greatest = 0.0;
    for i in 0..n {
        let square: f64 = (i..a.len()).step_by(n).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
        if !square.is_finite() {
            return f64::INFINITY;
        }
        greatest = f64::max(greatest, square);
    }
    greatest.sqrt() / setup.model.rest_length()
}

/// Force of zero that counts its evaluations. No kernel supports it, so every method uses its plain
/// loops.
#[derive(Debug, Default)]
pub struct EvaluationCounter {
    forces: AtomicU64,
    jacobians: AtomicU64,
}
catena_sim::identity!(EvaluationCounter {; forces, jacobians });

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

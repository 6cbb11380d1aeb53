//! Runs of a body with a method and a number of steps, their errors and their cost.

use super::evaluations::{EvaluationCounter, Evaluations};
use catena_sim::{Method, Setup, Simulation};
use std::sync::Arc;

/// The error and the cost of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorPoint {
    /// How many steps the run took.
    pub steps: u64,
    /// The step.
    pub dt: f64,
    /// The greatest distance of a node from its place in the reference, as a share of the body's
    /// length; not finite if the run diverged.
    pub error: f64,
    /// How often it evaluated forces.
    pub work: Evaluations,
}

/// Runs a setup for a time in so many steps; returns the positions at the end and the cost.
pub(super) fn run(
    setup: &Setup,
    method: &Arc<dyn Method>,
    time: f64,
    steps: u64,
) -> (Vec<f64>, Evaluations) {
    let counter = Arc::new(EvaluationCounter::default());
    let mut setup =
        Setup { method: Arc::clone(method), frame_time: time, substeps: steps, ..setup.clone() };
    setup.forces.push(Arc::clone(&counter) as _);
    let mut simulation = Simulation::new(Arc::new(setup));
    (0..steps).for_each(|_| simulation.step());
    (simulation.state().x.clone(), counter.evaluations())
}

/// The cost of one evaluation of forces: the number of nodes or springs, whichever is greater.
pub(super) fn size(setup: &Setup) -> u64 {
    setup.model.nodes().max(setup.model.springs.len()) as u64
}

/// The greatest distance between the places of a node, as a share of the body's length.
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

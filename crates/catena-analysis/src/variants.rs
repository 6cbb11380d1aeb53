//! Settling times of variants of a body.

use super::settle::{Ending, RestRule, settle};
use catena_sim::{Setup, force::Drag};
use rayon::prelude::*;
use std::sync::Arc;

/// Variant of a body, and the outcome of its run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettledVariant {
    /// Varied value: substeps per frame, or c/m of the drag per unit of time.
    pub value: f64,
    /// Outcome of the run.
    pub ending: Ending,
}

/// Runs a body with each number of substeps until it is at rest.
pub fn over_substeps(setup: &Setup, rule: RestRule, substeps: &[u64]) -> Vec<SettledVariant> {
    let run = |&substeps: &u64| {
        let variant = Setup { substeps, ..setup.clone() };
        SettledVariant {
            value: substeps as f64,
            ending: settle(&Arc::new(variant), rule, &|_| true).ending,
        }
    };
    substeps.par_iter().map(run).collect()
}

/// Runs a body with each drag in `rates`, as c/m per unit of time, until it is at rest. The rate
/// replaces all drag of the body; the method's own damping stays.
pub fn over_drag(setup: &Setup, rule: RestRule, rates: &[f64]) -> Vec<SettledVariant> {
    let run = |&rate: &f64| {
        let mut variant = setup.clone();
        variant.forces.retain(|force| force.resistance() == 0.0);
        variant.forces.push(Arc::new(drag_of_rate(setup, rate)));
        SettledVariant { value: rate, ending: settle(&Arc::new(variant), rule, &|_| true).ending }
    };
    rates.par_iter().map(run).collect()
}

/// Drag of a medium at rest. `rate` is c/m per unit of time for nodes of the mean mass.
pub(super) fn drag_of_rate(setup: &Setup, rate: f64) -> Drag {
    let mass = setup.model.mass.iter().sum::<f64>() / setup.model.nodes() as f64;
    Drag { coefficient: rate * mass, wind: vec![0.0; setup.model.axes] }
}

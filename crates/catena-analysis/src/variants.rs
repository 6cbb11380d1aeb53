//! When variants of a body come to rest.

use super::settle::{Ending, RestRule, settle};
use catena_sim::{Setup, force::Drag};
use rayon::prelude::*;
use std::sync::Arc;

/// A variant of a body, and how its run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettledVariant {
    /// The varied number: substeps a frame, or c/m of the drag per time.
    pub value: f64,
    /// How its run ended.
    pub ending: Ending,
}

/// Runs a body with other numbers of substeps until it rests.
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

/// Runs a body with other drag until it rests: each of `rates`, c/m per time, replaces all drag.
/// The method's own damping stays.
pub fn over_drag(setup: &Setup, rule: RestRule, rates: &[f64]) -> Vec<SettledVariant> {
    let run = |&rate: &f64| {
        let mut variant = setup.clone();
        variant.forces.retain(|force| force.resistance() == 0.0);
        variant.forces.push(Arc::new(drag_of_rate(setup, rate)));
        SettledVariant { value: rate, ending: settle(&Arc::new(variant), rule, &|_| true).ending }
    };
    rates.par_iter().map(run).collect()
}

/// The drag of a medium at rest: `rate` is c/m per time, for nodes of the mean mass.
pub(super) fn drag_of_rate(setup: &Setup, rate: f64) -> Drag {
    let mass = setup.model.mass.iter().sum::<f64>() / setup.model.nodes() as f64;
    Drag { coefficient: rate * mass, wind: vec![0.0; setup.model.axes] }
}

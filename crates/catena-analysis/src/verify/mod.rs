//! Checks the simulation against theory on this machine.
//!
//! Each [`Check`] compares a measured value with a theoretical one. References are discrete like
//! the bodies: a chain of ten links is compared with the theory of ten links, and the continuum is
//! information only. Each theme has a file with a function that returns its checks. A new check is
//! one entry in its list.

mod bodies;
mod catenary;
mod check;
mod classroom;
mod contact;
mod cut_rope;
mod energy;
mod formula;
mod hanging;
mod limits;
mod lines;
mod meshes;
mod methods;
mod mooring;
mod order;
mod readings;
mod recurrence;
mod rigs;
mod rods;
mod routes;
mod shapes;
mod solids;
mod statics;
mod steps;
mod stretched_string;
mod swings;
mod xpbd;

pub use check::CheckSetups;
pub use check::{Check, Finding, Gate, Tolerance};
pub use rods::{Refinement, refinements};

use rayon::prelude::*;

/// All checks, in the order of the table. Their names are unique.
pub fn checks() -> Vec<Check> {
    let themes = [
        hanging::checks,
        catenary::checks,
        swings::checks,
        shapes::checks,
        stretched_string::checks,
        cut_rope::checks,
        energy::checks,
        methods::checks,
        order::checks,
        steps::checks,
        limits::checks,
        classroom::checks,
        classroom::verlet_checks,
        xpbd::checks,
        contact::checks,
        meshes::checks,
        rigs::checks,
        rods::checks,
        statics::checks,
        lines::checks,
        mooring::checks,
        routes::checks,
        solids::checks,
    ];
    themes.iter().flat_map(|theme| theme()).collect()
}

/// Runs checks in parallel, each on one thread, and returns findings in the order of the checks.
pub fn run(checks: &[Check], setups: &CheckSetups<'_>) -> Vec<Finding> {
    checks.par_iter().with_max_len(1).map(|check| check.run(setups)).collect()
}

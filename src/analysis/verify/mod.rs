//! The numbers that a correct simulator meets, run now and on this machine.
//!
//! Each [`Check`] sets what theory expects beside what a simulation gives. References are discrete where the body is: a
//! chain of ten links is held against the chain of ten links. The continuum stands beside them as information.
//! A theme is a file here with a function that returns its checks; a new check is one entry in its list.

mod bodies;
mod catenary;
mod check;
mod classroom;
mod classroom_verlet;
mod complex;
mod energy;
mod fall;
mod formula;
mod hanging;
mod lab;
mod limits;
mod methods;
mod order;
mod recurrence;
mod steps;
mod swings;
mod watch;
mod waves;
mod xpbd;

pub use check::{Check, Finding, Gate, Tolerance};
pub use lab::Lab;

use rayon::prelude::*;

/// All checks, in the order in which the table shows them. Names are unique.
pub fn checks() -> Vec<Check> {
    let themes = [
        hanging::checks,
        catenary::checks,
        swings::checks,
        waves::checks,
        fall::checks,
        energy::checks,
        methods::checks,
        order::checks,
        steps::checks,
        limits::checks,
        classroom::checks,
        classroom_verlet::checks,
        xpbd::checks,
    ];
    themes.iter().flat_map(|theme| theme()).collect()
}

/// Runs checks side by side, each being one thread's. The order of the findings is that of the checks.
pub fn run(checks: &[Check], lab: &Lab<'_>) -> Vec<Finding> {
    checks.par_iter().with_max_len(1).map(|check| check.run(lab)).collect()
}

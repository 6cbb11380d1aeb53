//! States and pictures have the hashes of tests/determinism/states.txt, to which builds for arm64 are held as well.

#[path = "../determinism/cases.rs"]
mod cases;

use crate::{determinism::hold_to, repository};
use rayon::prelude::*;

#[test]
fn states_have_their_hashes() {
    let cases = cases::all(&repository("")).unwrap();
    let lines: Vec<String> = cases.par_iter().map(|case| case.line().unwrap() + "\n").collect();
    hold_to("tests/determinism/states.txt", &lines.concat());
}

/// A method that refuses every body would be tested by nothing.
#[test]
fn every_method_has_states() {
    let cases = cases::all(&repository("")).unwrap();
    assert!(catena::sim::integrator::METHOD_NAMES.iter().all(|method| {
        cases.iter().any(|case| case.name.ends_with(&format!("/{method}")) && case.is_small())
    }));
}

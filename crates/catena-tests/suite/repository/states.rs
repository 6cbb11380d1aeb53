//! States and pictures have the hashes of tests/determinism/states.txt; arm64 builds are compared
//! with the same file.

#[path = "../../../../tests/determinism/cases.rs"]
mod cases;

use crate::{repository, repository::determinism::hold_to};
use rayon::prelude::*;

#[test]
fn states_have_their_hashes() {
    let cases = cases::read(&repository(""), false).unwrap();
    let lines: Vec<String> = cases.par_iter().map(|case| case.line().unwrap() + "\n").collect();
    hold_to("tests/determinism/states.txt", &lines.concat());
}

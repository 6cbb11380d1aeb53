//! Tests the output of catena-sim's examples.

use std::{path::Path, process::Command};

/// Output of each example of the crate.
const EXAMPLES: &str = include_str!("door_examples.txt");

#[test]
fn every_example_of_the_physics_prints_what_it_should() {
    let folder = crate::repository("crates/catena-sim/examples");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    let mut printed = String::new();
    for name in &names {
        let suite = std::env::current_exe().unwrap();
        let programs = suite.parent().and_then(Path::parent).unwrap().join("examples");
        let output = Command::new(programs.join(name)).output().unwrap_or_else(|error| {
            panic!("{name}: {error}; `cargo test` without a filter of targets builds it")
        });
        assert!(output.status.success(), "{name}: {output:?}");
        printed += &format!("== {name}\n{}", String::from_utf8(output.stdout).unwrap());
    }
    assert_eq!(
        printed, EXAMPLES,
        "crates/catena-tests/suite/physics/door_examples.txt has what they should print"
    );
}

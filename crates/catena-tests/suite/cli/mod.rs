//! The command line as a user types it.

mod begin;
mod check;
mod closed_pipes;
mod commands;
mod completions;
mod digits;
mod exit_codes;
mod fmt;
mod help;
mod homework;
mod identify;
mod import;
mod look_up;
mod man;
mod negative;
mod own_data;
mod own_programs;
mod own_readings;
mod own_times;
mod paths;
mod printable;
mod render;
mod trace;
mod warnings;

use std::{fs, path::Path};
use tempfile::TempDir;

const SMALL: &str =
    "Scene(base: (size: (200, 150), substeps: 8, rest: (limit: 50), rope: (nodes: 4)),
    panels: [(with: (integrator: SemiImplicitEuler)), (with: (integrator: ConstraintVerlet))])";

/// A folder with a scene.
fn folder(scene: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.ron"), scene).unwrap();
    folder
}

/// Files of a folder, without catena's internal files.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != ".catena").collect();
    names.sort();
    names
}

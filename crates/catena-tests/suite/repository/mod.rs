//! Promises of the repository: its documentation, house rules, examples, hashes and fuzz targets.

mod book;
pub mod determinism;
mod docs;
mod examples;
mod fuzz;
mod house;
mod imports;
mod manual;
mod package;
mod pages;
mod states;
mod tables;
mod tuples;

use std::{fs, path::Path};

/// Folders of source code.
const SOURCES: [&str; 14] = [
    "src",
    "crates/catena-analysis/src",
    "crates/catena-base/src",
    "crates/catena-draw/src",
    "crates/catena-fingerprint/src",
    "crates/catena-jobs/src",
    "crates/catena-lsp/src",
    "crates/catena-output/src",
    "crates/catena-python/src",
    "crates/catena-ron/src",
    "crates/catena-scene/src",
    "crates/catena-sim/src",
    "crates/catena-study/src",
    "crates/catena-web/src",
];

/// Visits a file, or all files of a folder and its subfolders.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, &str)) {
    if folder.is_file() {
        visit(folder, &fs::read_to_string(folder).unwrap());
        return;
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            walk(&path, visit);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            visit(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

//! What the repository promises: its documentation, house rules, examples, hashes and fuzz targets.

pub mod determinism;
mod docs;
mod examples;
mod fuzz;
mod states;

//! Fuzz targets for libFuzzer; crates/catena-tests/suite/repository/fuzz.rs runs the same ones.

#[path = "../../tests/fuzz/choices.rs"]
pub mod choices;
#[path = "../../tests/fuzz/mutate.rs"]
pub mod mutate;
#[path = "../../tests/fuzz/outcome.rs"]
pub mod outcome;
#[path = "../../tests/fuzz/picture.rs"]
pub mod picture;
#[path = "../../tests/fuzz/recipe.rs"]
pub mod recipe;
#[path = "../../tests/fuzz/targets.rs"]
pub mod targets;

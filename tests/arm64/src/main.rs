//! Prints a line for each case of tests/determinism/cases.rs, as tests/determinism/states.txt has
//! them.
//!
//! The program uses the crates of catena that lead from a scene to the bytes of a frame, and no
//! others: the crates that read arguments, print and write figures are most of a build.
//!
//! `arm64 REPOSITORY small`: the methods and a few pictures; `arm64 REPOSITORY all`: every case.

// The paths that cases.rs uses are those of the package catena.
extern crate self as catena;

pub use catena_draw as render;
pub use catena_output as output;
pub use catena_scene as scene;
pub use catena_sim as sim;

#[path = "../../determinism/cases.rs"]
mod cases;

use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [repository, which] = &arguments[..] else {
        return Err("usage: arm64 REPOSITORY small|all".into());
    };
    for case in cases::read(Path::new(repository), which == "small")? {
        println!("{}", case.line()?);
    }
    Ok(())
}

//! Prints one line per case of tests/determinism/cases.rs, in the format of
//! tests/determinism/states.txt.
//!
//! The program uses only the crates of catena that lead from a scene to the bytes of a frame. The
//! other crates, which read arguments, print and write figures, would take up most of the build
//! time.
//!
//! `arm64 REPOSITORY small` runs the methods and a few pictures; `arm64 REPOSITORY all` runs every
//! case.

// cases.rs uses paths of the package catena.
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

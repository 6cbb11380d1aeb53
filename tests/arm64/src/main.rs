//! Prints a line for each case of tests/determinism/cases.rs, as tests/determinism/states.txt has
//! them.
//!
//! It holds the modules of catena that lead from a scene to the bytes of a frame, and none of the
//! others: the crates that read arguments, print and write figures are most of a build.
//!
//! `arm64 REPOSITORY small`: the methods and a few pictures; `arm64 REPOSITORY all`: every case.

// What only the other modules use is missed by nobody here.
#![allow(dead_code, unused_imports)]

extern crate self as catena;

pub use catena_sim::{self as sim, instructions};

#[path = "../../determinism/cases.rs"]
mod cases;
#[path = "../../../src/gltf/mod.rs"]
pub mod gltf;
#[path = "../../../src/read.rs"]
pub mod read;
#[path = "../../../src/render/mod.rs"]
pub mod render;
#[path = "../../../src/rig/mod.rs"]
pub mod rig;
#[path = "../../../src/scene/mod.rs"]
pub mod scene;
#[path = "../../../src/text/mod.rs"]
pub mod text;
#[path = "../../../src/threads.rs"]
pub mod threads;

#[path = "../../../src/output"]
pub mod output {
    pub mod chunks;
    pub mod flat;
    pub mod hash;
    mod mistaken;
}

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

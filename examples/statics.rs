//! Computes the rest state of a scene from the balance of its forces, without a simulation.
//!
//! `cargo run --release --example statics -- FOLDER` writes `rest.png` there, and prints the force
//! on the pin and the lowest frequency.

#![allow(clippy::print_stdout)]

use catena::{
    job::{self, StaticsOptions},
    scene::Scene,
};
use std::{env, error::Error, fs, path::PathBuf};

const SCENE: &str = r#"Scene(
    title: "A rope at rest",
    base: (size: (480, 360), gravity: (0, -9.81), rope: (start: (0, 0), end: (1, 0), nodes: 12,
        stiffness: 500, mass: 0.1, pins: [First, Last])),
)"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: statics FOLDER")?);
    fs::create_dir_all(&folder)?;
    let scene: Scene = SCENE.parse()?;
    let rests = job::statics(&scene, &StaticsOptions::default())?;
    for rest in rests.iter().flatten() {
        let rest = rest.as_ref().map_err(|reason| format!("{reason}; {}", reason.help()))?;
        println!("{:?}, {:?}", rest.pins, rest.modes[0].omega_squared.sqrt());
    }
    job::rest_picture(&scene, &rests)?.save(folder.join("rest.png"))?;
    Ok(())
}

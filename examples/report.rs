//! Makes a report: every figure about a scene, and a page that shows them.
//!
//! `cargo run --release --example report -- FOLDER` writes `index.html` and the figures there.
#![allow(clippy::print_stderr)]

use catena::job::{self, Progress, ReportOptions};
use catena::scene::Scene;
use std::{env, error::Error, path::PathBuf};

const SCENE: &str = "Scene(base: (size: (320, 240), frames: 40, rope: (nodes: 6), drag: 0.5))";

/// Prints the name of the current part to standard error.
struct Parts;

impl Progress for Parts {
    fn part(&self, name: &str, number: u64, of: u64) {
        eprintln!("{number} of {of}: {name}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: report FOLDER")?);
    let scene: Scene = SCENE.parse()?;
    let options = ReportOptions { player_frames: 20, ..ReportOptions::default() };
    let made = job::report(&scene, &folder, &options, &Parts, &())?;
    for finding in &made.findings {
        eprintln!("{}", finding.text);
    }
    eprintln!("{} figures in {}", made.figures, folder.display());
    Ok(())
}

//! Renders a folder of frames with a manifest, reports progress, and stops after a minute.
//!
//! `cargo run --release --example folder_of_frames -- FOLDER` renders into it. A second run reuses
//! existing frames.
#![allow(clippy::print_stderr)]

use catena::job::{self, FrameChoice, Progress, RenderOptions};
use catena::scene::{SceneText, load};
use std::{env, error::Error, path::Path, path::PathBuf, time::Duration, time::Instant};

/// Prints progress and messages to standard error.
struct Teller;

impl Progress for Teller {
    fn begin(&self, total: u64, there: u64) {
        eprintln!("{there} of {total} frames are there");
    }

    fn note(&self, text: &str) {
        eprintln!("{text}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: folder_of_frames FOLDER")?);
    let scene = load(&SceneText::read(Path::new("scenes/compare.ron"))?, &[])?;
    let options = RenderOptions {
        frames: FrameChoice::First(20),
        size: Some([640, 360]),
        ..RenderOptions::default()
    };
    let start = Instant::now();
    let is_late = || start.elapsed() > Duration::from_secs(60);
    let rendered = job::render(&scene, &folder, &options, &Teller, &is_late)?;
    for body in rendered.bodies {
        eprintln!("{}: {:?}", body.label, body.ending);
    }
    Ok(())
}

//! Compares frames of a scene in memory, without writing pictures: counts the pixels that change
//! from one frame to the next.
//!
//! `cargo run --release --example frames_in_memory -- FOLDER` writes `changes.csv` there.

use catena::job::{self, FrameChoice, FrameOptions};
use catena::scene::{SceneText, load};
use std::{env, error::Error, fs, path::Path, path::PathBuf};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: frames_in_memory FOLDER")?);
    fs::create_dir_all(&folder)?;
    let scene =
        load(&SceneText::read(Path::new("scenes/compare.ron"))?, &["substeps=64".parse()?])?;
    let options = FrameOptions {
        frames: FrameChoice::First(20),
        size: Some([640, 360]),
        ..FrameOptions::default()
    };
    let mut table = String::from("frame,changed_pixels\n");
    let mut last = None;
    job::frames(&scene, &options, &(), &(), |frame, image| {
        let before = last.replace(image.clone());
        let pairs = before.iter().flat_map(|before| before.pixels().zip(image.pixels()));
        let changed = pairs.filter(|(before, now)| before != now).count();
        table += &format!("{frame},{changed}\n");
        Ok::<(), Box<dyn Error + Send + Sync>>(())
    })?;
    fs::write(folder.join("changes.csv"), table)?;
    Ok(())
}

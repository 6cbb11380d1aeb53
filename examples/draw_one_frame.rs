//! Draws one frame of a scene whose text is in this program.
//!
//! `cargo run --release --example draw_one_frame -- FOLDER` writes `frame_00060.png` there.

use catena::{job, scene::Scene};
use std::{env, error::Error, fs, path::PathBuf};

const SCENE: &str = r#"Scene(
    title: "A rope that falls from level",
    base: (size: (480, 360), rope: (nodes: 12), integrator: ConstraintVerlet),
)"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: draw_one_frame FOLDER")?);
    fs::create_dir_all(&folder)?;
    let scene: Scene = SCENE.parse()?;
    job::draw(&scene, 60)?.save(folder.join("frame_00060.png"))?;
    Ok(())
}

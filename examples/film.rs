//! Makes a film directly from a scene. GIF and APNG are built in; mp4, mov and mkv need ffmpeg.
//!
//! `cargo run --release --example film -- FOLDER` writes `film.gif` there.

use catena::job::{self, FilmOptions, FrameChoice, FrameOptions, SceneFilmOptions};
use catena::scene::Scene;
use std::{env, error::Error, fs, path::PathBuf};

const SCENE: &str = "Scene(base: (size: (320, 240), decoration: Bare, rope: (nodes: 8)))";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: film FOLDER")?);
    fs::create_dir_all(&folder)?;
    let scene: Scene = SCENE.parse()?;
    let options = SceneFilmOptions {
        frames: FrameOptions { frames: FrameChoice::First(30), ..FrameOptions::default() },
        film: FilmOptions { rate: Some("25".parse()?), ..FilmOptions::default() },
        ..SceneFilmOptions::default()
    };
    let output = folder.join("film.gif");
    job::film_scene(&scene, output.as_os_str(), &options, &(), &())?;
    Ok(())
}

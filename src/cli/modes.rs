//! Pictures and films of the modes about a rest, for `catena statics`.

use super::{Failure, args::StaticsArgs, say};
use crate::cli::rests::write;
use crate::job::{self, BodyRest, FrameError, FrameOptions, SceneFilmError, SceneFilmOptions};
use crate::output::png;
use crate::scene::Scene;
use crate::text::{number::counted, printable};
use std::{io, path::Path};

/// Draws the first `count` modes of each body.
pub(super) fn picture(
    scene: &Scene,
    rests: &[BodyRest],
    count: usize,
    path: &Path,
) -> Result<(), Failure> {
    let modes = job::modes_scene(scene, rests, count).ok_or_else(|| no_mode(1))?;
    let image = job::draw(&modes, 0).map_err(drawn)?;
    write(png::encode(&image).map_err(io::Error::other), path)
}

/// Makes a film of a mode of each body, counted from 1.
pub(super) fn film(
    scene: &Scene,
    rests: &[BodyRest],
    mode: usize,
    path: &Path,
    args: &StaticsArgs,
) -> Result<(), Failure> {
    let swings = job::swing_scene(scene, rests, mode - 1).ok_or_else(|| no_mode(mode))?;
    let frames = FrameOptions { limits: args.scene.limit.limits(), ..FrameOptions::default() };
    let options = SceneFilmOptions { frames, ..SceneFilmOptions::default() };
    let made = job::film_scene(&swings, path.as_os_str(), &options, &(), &());
    let made = made.map_err(|error| match error {
        SceneFilmError::Frames(error) => drawn(error),
        SceneFilmError::Film(error) => error.into(),
    })?;
    let frames = made.film.map_or(0, |film| film.frames);
    say::aside(&format!("wrote {}, {}", printable::path(path), counted(frames, "frame")));
    Ok(())
}

fn drawn(error: FrameError) -> Failure {
    match error {
        FrameError::Run(error) => error.into(),
        // The drawing cannot be interrupted.
        FrameError::Interrupted => Failure::Usage("interrupted".into()),
    }
}

fn no_mode(mode: usize) -> Failure {
    Failure::Usage(format!(
        "no body has a mode {mode} about its shape at rest; `catena statics` without -o shows \
         which bodies rest"
    ))
}

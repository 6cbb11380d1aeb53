//! `catena check`: what scenes would make.

use super::{Failure, args::CheckArgs, typeface};
use crate::output::folder::frame_name;
use crate::render::{Painter, text::Font};
use crate::scene::{Scene, SceneText, load};
use std::{
    io::{self, Write},
    path::Path,
};

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut faults = Vec::new();
    let font = Font::new(typeface::faces(&args.font)?.0);
    for path in &args.scenes {
        match read(path, args, &font) {
            Ok(scene) => write!(out, "{}: fine\n{}", path.display(), describe(&scene))
                .map_err(Failure::stdout)?,
            Err(failure) => faults.push(failure),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Scenes(faults)) }
}

/// A scene that can be read and drawn.
fn read(path: &Path, args: &CheckArgs, font: &Font) -> Result<Scene, Failure> {
    let text = SceneText::read(path)?;
    let scene = load(&text, &args.set)?;
    Painter::new(&scene, font.clone()).map_err(|error| Failure::paint(&text, error))?;
    Ok(scene)
}

fn describe(scene: &Scene) -> String {
    let [width, height] = scene.size;
    let last = scene.frames - 1;
    let mut text = format!(
        "  {} frames of {width}x{height}, {} to {}, into out/{}\n",
        scene.frames,
        frame_name(0),
        frame_name(last),
        scene.name
    );
    let mut work = 0_u128;
    for (index, panel) in scene.panels.iter().enumerate() {
        text += &format!("  panel {index}: {}\n", panel.label);
        for (index, body) in panel.bodies.iter().enumerate() {
            let setup = &body.setup;
            work += setup.model.springs.len() as u128
                * u128::from(setup.substeps)
                * u128::from(scene.frames);
            text += &format!(
                "    body {index}: {}, {} nodes, {} springs, dt = {} ({} substeps of a frame of {})\n",
                body.method.name,
                setup.model.nodes(),
                setup.model.springs.len(),
                setup.dt(),
                setup.substeps,
                setup.frame_time
            );
        }
    }
    text + &format!(
        "  {work} times a spring in a step, for all frames; steady.png goes on until the ropes rest\n"
    )
}

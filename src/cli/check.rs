//! `catena check`: what scenes would make.

use super::{Failure, args::CheckArgs, typeface};
use crate::output::{folder::frame_name, stdout};
use crate::render::{Painter, text::Font};
use crate::scene::{
    Limits, Scene, SceneText,
    limits::{Estimate, Run, duration},
    load_within,
};
use crate::text::number::bytes;
use std::path::Path;

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let font = Font::new(typeface::faces(&args.font)?.0);
    let limits = args.limit.limits();
    for path in &args.scenes {
        match read(path, args, &limits, &font) {
            Ok(scene) => {
                let said = describe(&scene, &limits);
                stdout::print(&format!("{}: fine\n{said}", path.display()))?;
            }
            Err(failure) => faults.push(failure),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Scenes(faults)) }
}

/// A scene that can be read and drawn.
fn read(path: &Path, args: &CheckArgs, limits: &Limits, font: &Font) -> Result<Scene, Failure> {
    let text = SceneText::read_within(path, limits)?;
    let scene = load_within(&text, &args.set, limits)?;
    limits.check_run(&text, &scene, &Run::of(&scene))?;
    Painter::new(&scene, font.clone()).map_err(|error| Failure::paint(&text, error))?;
    Ok(scene)
}

fn describe(scene: &Scene, limits: &Limits) -> String {
    let [width, height] = scene.size;
    let last = scene.frames - 1;
    let mut text = format!(
        "  {} frames of {width}x{height}, {} to {}, into out/{}\n",
        scene.frames,
        frame_name(0),
        frame_name(last),
        scene.name
    );
    for (index, panel) in scene.panels.iter().enumerate() {
        text += &format!("  panel {index}: {}\n", panel.label);
        for (index, body) in panel.bodies.iter().enumerate() {
            let setup = &body.setup;
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
    let estimate = Estimate::of(scene, &Run::of(scene));
    text += &format!(
        "  {} nodes, {} springs; about {} of one core to simulate, {} to draw, and {} of frames; steady.png goes on until the ropes rest\n",
        estimate.nodes,
        estimate.springs,
        duration(estimate.simulation),
        duration(estimate.drawing),
        bytes(estimate.bytes)
    );
    for line in estimate.near(limits) {
        text += &format!("  near its limit: {line}\n");
    }
    text
}

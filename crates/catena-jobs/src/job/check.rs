//! Check of a scene: what a render would take and show, without rendering.

use super::{
    RunError,
    cautions::{Caution, cautions_with},
    memory::{MemoryNeed, OTHER_BYTES, THREAD_BYTES},
    prepare::{limited, painter},
    typeface::faces,
};
use catena_draw::text::Font;
use catena_scene::{
    Fit, Limits, Scene,
    limits::{Estimate, PlannedRun, Product},
};
use std::path::Path;

/// Result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Estimated cost of a render of all frames.
    pub estimate: Estimate,
    /// Estimated memory of a render in bytes: the part for the whole process, and the part per
    /// thread.
    pub memory: [u64; 2],
    /// Costs above half of their limit, one line each.
    pub near: Vec<String>,
    /// Estimated work of encoding the frames as a film, in nanoseconds of one core.
    pub film_work: u128,
    /// Warnings and notes to read before the pictures are trusted.
    pub cautions: Vec<Caution>,
    /// Region shown by panels without a view of their own. `None` if every panel has a view.
    pub fit: Option<Fit>,
}

/// Checks that a scene can be rendered, and estimates the cost. `font` is a file for letters that
/// the built-in typeface lacks.
///
/// # Errors
/// The render would exceed the limits, the pictures are too small for the panels, or the font
/// cannot be used.
pub fn check(scene: &Scene, limits: &Limits, font: Option<&Path>) -> Result<Checked, RunError> {
    check_frames(scene, scene.frames, scene.size, limits, &Font::new(faces(font)?.0))
}

/// Checks the scene for this number of frames and this size, with a font that has already been
/// read.
///
/// # Errors
/// The render would exceed the limits, or the pictures are too small for the panels.
pub fn check_frames(
    scene: &Scene,
    frames: u64,
    size: [u32; 2],
    limits: &Limits,
    font: &Font,
) -> Result<Checked, RunError> {
    let run = PlannedRun::up_to(frames, Product::Pictures { size, settles: true });
    let mut scene = limited(scene, limits, &run)?;
    scene.size = size;
    let fit = painter(&scene, font)?.fit();
    let estimate = Estimate::of(&scene, &run);
    let near = estimate.near(limits);
    let film_work = Estimate::of(&scene, &PlannedRun::up_to(frames, Product::Film { size })).work();
    let memory = memory(&scene, size);
    let cautions = cautions_with(&scene, frames, font);
    Ok(Checked { estimate, near, film_work, memory, cautions, fit })
}

/// Estimated memory of a render in bytes: for the whole process, and per thread.
fn memory(scene: &Scene, size: [u32; 2]) -> [u64; 2] {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let state: u64 = bodies.map(|body| 16 * body.setup.initial.x.len() as u64).sum();
    let MemoryNeed { each, common } = MemoryNeed::of_pictures(size);
    let of_all = common.saturating_add(state.saturating_mul(STATES));
    [of_all.saturating_add(OTHER_BYTES), each.saturating_add(THREAD_BYTES)]
}

/// Estimated number of states of all bodies in memory: frames that wait to be drawn, checkpoints,
/// and buffers of the methods.
const STATES: u64 = 140;

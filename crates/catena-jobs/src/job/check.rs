//! What a scene would make, without making it.

use super::{
    RunError,
    cautions::{Caution, cautions_with},
    memory::{Need, OTHER_BYTES, THREAD_BYTES},
    prepare::{limited, painter},
    typeface::faces,
};
use catena_draw::text::Font;
use catena_scene::{
    Fit, Limits, Scene,
    limits::{Estimate, PlannedRun, Product},
};
use std::path::Path;

/// What a scene would make.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What a render of all its frames takes.
    pub estimate: Estimate,
    /// Bytes of memory that a render takes, about: in all, and beside that for each thread.
    pub memory: [u64; 2],
    /// What takes more than half of a limit, a line each.
    pub near: Vec<String>,
    /// Estimated nanoseconds of one core for one film of the frames.
    pub film_work: u128,
    /// What should be known before the pictures are believed.
    pub cautions: Vec<Caution>,
    /// What panels without a view of their own show; `None` if all have one.
    pub fit: Option<Fit>,
}

/// Checks that a scene can be rendered, and says what that would take. `font` is a file for letters
/// that the built-in typeface lacks.
///
/// # Errors
/// When the render would take more than the limits allow, the pictures are too small for the
/// panels, or the font cannot be used.
pub fn check(scene: &Scene, limits: &Limits, font: Option<&Path>) -> Result<Checked, RunError> {
    check_frames(scene, (scene.frames, scene.size), limits, &Font::new(faces(font)?.0))
}

/// The same for so many frames of a size, with a font that is read.
pub fn check_frames(
    scene: &Scene,
    (frames, size): (u64, [u32; 2]),
    limits: &Limits,
    font: &Font,
) -> Result<Checked, RunError> {
    let run = PlannedRun::up_to(frames, Product::Pictures { size, settles: true });
    let mut scene = limited(scene, limits, &run)?;
    scene.size = size;
    let fit = painter(&scene, font, None)?.fit();
    let estimate = Estimate::of(&scene, &run);
    let near = estimate.near(limits);
    let film_work = Estimate::of(&scene, &PlannedRun::up_to(frames, Product::Film { size })).work();
    let memory = memory(&scene, size);
    let cautions = cautions_with(&scene, frames, font);
    Ok(Checked { estimate, near, film_work, memory, cautions, fit })
}

/// Bytes that a render takes, about: in all, and for each thread.
fn memory(scene: &Scene, size: [u32; 2]) -> [u64; 2] {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let state: u64 = bodies.map(|body| 16 * body.setup.initial.x.len() as u64).sum();
    let Need { each, common } = Need::of_pictures(size);
    let of_all = common.saturating_add(state.saturating_mul(STATES));
    [of_all.saturating_add(OTHER_BYTES), each.saturating_add(THREAD_BYTES)]
}

/// States of all bodies that are in memory at once, about: of the frames that wait to be drawn, of
/// checkpoints and of methods.
const STATES: u64 = 140;

//! The frames of the player.

use crate::job::{RunError, prepare::painter, refusal::refused};
use crate::output::flat::FlatEncoder;
use crate::render::{Painter, PanelRun, text::Font};
use crate::scene::Scene;

/// Frames are about this wide in the page, in pixels.
const WIDTH: u32 = 960;

/// Numbered PNG files.
pub(super) type Frames = Vec<(u64, Vec<u8>)>;

/// The scene with smaller pictures than a render has, or with the same where its panels do not fit
/// into smaller ones.
///
/// # Errors
/// When the panels do not fit into pictures of a render either.
pub(super) fn scene(scene: &Scene, font: &Font) -> Result<Scene, RunError> {
    let mut small = scene.clone();
    let [width, height] = scene.size;
    let wide = WIDTH.min(width);
    let high = u64::from(height) * u64::from(wide) / u64::from(width);
    small.size = [wide, high.max(64) as u32];
    let fits = painter(&small, font).is_ok();
    if !fits {
        small.size = scene.size;
        painter(&small, font)?;
    }
    Ok(small)
}

/// At most `most` of the first `frames` frames, equally far apart.
///
/// # Errors
/// When a simulation uses up its budget.
pub(super) fn frames(
    painter: &Painter<'_>,
    scene: &Scene,
    most: u64,
    frames: u64,
) -> Result<Frames, RunError> {
    let mut runs: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
    let every = frames.div_ceil(most).max(1);
    let mut canvas = painter.canvas();
    let (mut encoder, mut bytes) = (None, Vec::new());
    let mut made = Vec::new();
    for frame in 0..frames {
        if frame > 0 {
            runs.iter_mut().for_each(PanelRun::advance_frame);
            let simulations = runs.iter().flat_map(PanelRun::simulations);
            if let Some(failure) = refused(scene, simulations) {
                return Err(failure);
            }
        }
        if !frame.is_multiple_of(every) {
            continue;
        }
        let panels: Vec<_> = runs.iter().map(|run| run.current().clone()).collect();
        painter.draw(&mut canvas, &panels);
        let encoder =
            encoder.get_or_insert_with(|| FlatEncoder::new(painter.template(), canvas.changes()));
        encoder.encode(canvas.changes(), &mut bytes);
        made.push((frame, bytes.clone()));
    }
    Ok(made)
}

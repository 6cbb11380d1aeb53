//! The frames of the player.

use super::super::{Failure, args::ReportArgs, refusal::refused};
use crate::output::flat::FlatEncoder;
use crate::render::{Painter, PanelRun, text::Font};
use crate::scene::{Scene, SceneText, load_within};

/// Frames are about this wide in the page.
const WIDTH: u32 = 960;

/// Numbered PNG files.
pub(super) type Frames = Vec<(u64, Vec<u8>)>;

/// The scene with pictures smaller than those of a render, or as large where it does not fit into
/// smaller ones.
///
/// # Errors
/// When it does not fit into those of a render either.
pub(super) fn scene(text: &SceneText, args: &ReportArgs, font: &Font) -> Result<Scene, Failure> {
    let limits = args.scene.limit.limits();
    let mut scene = load_within(text, &args.scene.set, &limits)?;
    let run = super::planned(&scene, args);
    limits.allot(&mut scene, &run);
    let [width, height] = scene.size;
    let wide = WIDTH.min(width);
    let small = [wide, (u64::from(height) * u64::from(wide) / u64::from(width)).max(64) as u32];
    scene.size = small;
    let fits = Painter::new(&scene, font.clone()).is_ok();
    if !fits {
        scene.size = [width, height];
        Painter::new(&scene, font.clone()).map_err(|error| Failure::paint(text, error))?;
    }
    Ok(scene)
}

/// At most as many frames as asked for, equally far apart.
///
/// # Errors
/// When they take more work than they may.
pub(super) fn frames(
    painter: &Painter<'_>,
    scene: &Scene,
    args: &ReportArgs,
    frames: u64,
) -> Result<Frames, Failure> {
    let mut trackers: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
    let every = frames.div_ceil(args.player_frames).max(1);
    let mut canvas = painter.canvas();
    let (mut encoder, mut bytes) = (None, Vec::new());
    let mut made = Vec::new();
    for frame in 0..frames {
        if frame > 0 {
            trackers.iter_mut().for_each(PanelRun::advance_frame);
            let simulations = trackers.iter().flat_map(PanelRun::simulations);
            if let Some(failure) = refused(scene, simulations) {
                return Err(failure);
            }
        }
        if !frame.is_multiple_of(every) {
            continue;
        }
        let shots: Vec<_> = trackers.iter().map(|tracker| tracker.current().clone()).collect();
        painter.draw(&mut canvas, &shots);
        let encoder =
            encoder.get_or_insert_with(|| FlatEncoder::new(painter.template(), canvas.changes()));
        encoder.encode(canvas.changes(), &mut bytes);
        made.push((frame, bytes.clone()));
    }
    Ok(made)
}

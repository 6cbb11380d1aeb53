//! Frames of the player.

use super::{budgets::PLAYER, plan::ReportPlan};
use crate::job::{RunError, error::refused, prepare::view_fit};
use catena_draw::{Painter, PanelRun, camera::SeenFrames, text::Font};
use catena_output::flat::FlatEncoder;
use catena_scene::Scene;
use catena_sim::Simulation;

/// Approximate width of frames on the page in pixels.
const WIDTH: u32 = 960;

/// Frames of the player, and the reason for an early end.
pub(super) struct PlayerFrames {
    /// Frame numbers and PNG files.
    pub(super) pictures: Vec<(u64, Vec<u8>)>,
    pub(super) left_out: Option<String>,
}

/// Returns the scene with smaller pictures for the player. Keeps the scene's own size if the panels
/// do not fit into smaller ones.
///
/// # Errors
/// The panels do not even fit at the scene's own size.
pub(super) fn scene(
    scene: &Scene,
    font: &Font,
    seen: Option<&SeenFrames>,
) -> Result<Scene, RunError> {
    let mut small = scene.clone();
    // The page has its own light and dark styles, which a transparent background may not suit.
    small.background_alpha = u8::MAX;
    let [width, height] = scene.size;
    let wide = WIDTH.min(width);
    let high = u64::from(height) * u64::from(wide) / u64::from(width);
    small.size = [wide, high.max(64) as u32];
    if view_fit(&small, font, seen).is_err() {
        small.size = scene.size;
        view_fit(&small, font, seen)?;
    }
    Ok(small)
}

/// Draws evenly spaced frames, up to the maximum number and until the player's budget is exhausted.
///
/// # Errors
/// A simulation exhausts its own budget.
pub(super) fn frames(
    plan: &ReportPlan<'_>,
    painter: &Painter<'_>,
    scene: &Scene,
) -> Result<PlayerFrames, RunError> {
    let (maximum, frames) = (plan.options.player_frames, plan.frames);
    let mut runs: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
    let every = frames.div_ceil(maximum).max(1);
    let mut canvas = painter.canvas();
    let (mut encoder, mut bytes) = (None, Vec::new());
    let budget = 1e9 * plan.scaled(PLAYER).seconds;
    let mut made = PlayerFrames { pictures: Vec::new(), left_out: None };
    for frame in 0..frames {
        if frame > 0 {
            let spent: u64 =
                runs.iter().flat_map(PanelRun::simulations).map(Simulation::spent).sum();
            if spent as f64 >= budget {
                made.left_out = Some(cut(frame - 1, frames));
                break;
            }
            runs.iter_mut().for_each(PanelRun::advance_frame);
            let simulations = runs.iter().flat_map(PanelRun::simulations);
            if let Some(failure) = refused(scene, simulations) {
                return Err(failure);
            }
        }
        plan.extent.add_one(frames);
        if !frame.is_multiple_of(every) {
            continue;
        }
        let panels: Vec<_> = runs.iter().map(|run| run.current().clone()).collect();
        painter.draw(&mut canvas, &panels);
        let encoder =
            encoder.get_or_insert_with(|| FlatEncoder::new(painter.template(), canvas.changes()));
        encoder.encode(canvas.changes(), &mut bytes);
        made.pictures.push((frame, bytes.clone()));
    }
    Ok(made)
}

/// Note about a player that ends early.
fn cut(last: u64, frames: u64) -> String {
    format!(
        "The player ends at frame {last} instead of {}, because its time limit was reached.",
        frames - 1
    )
}

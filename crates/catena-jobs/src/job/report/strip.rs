//! Contact sheet: chosen frames of every panel, in the style of frames.

use super::{
    budgets::STRIP,
    plan::{Figures, ReportPlan},
};
use catena_draw::{
    Painter, PanelRun, Rect,
    theme::{Ink, Theme},
};
use catena_output::png;
use catena_scene::{Arrangement, Decoration, Panel, Scene};
use catena_study::figure::study::strip::{ContactSheet, FRAME_WIDTH, SheetRow, study};
use image::{RgbImage, imageops};
use std::sync::Arc;

/// Default number of frames.
const FRAMES: usize = 5;

/// Maximum number of panels on the sheet.
const MAX_PANELS: usize = 24;

/// Maximum number of picture pixels per CSS pixel.
const SCALE: f64 = 2.5;

/// Approximate maximum number of pixels of the whole sheet.
const MAX_PIXELS: f64 = 2e6;

/// Gap between frames in pixels.
const GAP: u32 = 6;

pub(super) fn strip_of(plan: &ReportPlan<'_>) -> Figures {
    let mut scene = sheet_scene(plan);
    let bodies = scene.panels.iter().map(|panel| panel.bodies.len()).sum();
    let maximum = plan.scaled(STRIP).shared(bodies);
    let mut last = plan.frames.max(1) - 1;
    for body in scene.panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
        last = last.min(maximum.frames(&body.setup, plan.frames).max(1) - 1);
        body.setup = Arc::new(maximum.bound(&body.setup));
    }
    let spread = || (0..FRAMES as u64).map(|i| i * last / (FRAMES as u64 - 1)).collect();
    let mut chosen: Vec<u64> = plan.options.strip.clone().unwrap_or_else(spread);
    chosen.sort_unstable();
    chosen.dedup();
    let wanted = chosen.len();
    let Ok(painter) = Painter::new(&scene, plan.font.clone()) else {
        return Figures::or(None, "No contact sheet: its panels would be too small.");
    };
    let (pictures, diverged) = pictures(&painter, &scene, &mut chosen, plan);
    let theme = Theme::of(plan.scene);
    let aspect = pictures
        .first()
        .and_then(|row| row.first())
        .map_or(1.0, |picture| f64::from(picture.height()) / f64::from(picture.width()));
    let encoded = pictures.iter().map(|row| png::encode(&side_by_side(row, theme.panel)));
    let Ok(pictures) = encoded.collect::<Result<Vec<_>, _>>() else {
        return Figures::or(None, "There is no frame to show.");
    };
    let is_short =
        chosen.len() < wanted || (plan.options.strip.is_none() && last + 1 < plan.frames);
    let end = chosen.last().copied().unwrap_or(0);
    let rows = scene.panels.iter().zip(diverged).zip(pictures);
    let rows = rows.map(|((panel, diverged), png)| SheetRow {
        label: &panel.label,
        diverged,
        references: references(panel),
        png,
    });
    let sheet = ContactSheet { rows: rows.collect(), frames: chosen, aspect };
    let mut made = Figures::or(study(sheet), "There is no frame to show.");
    if is_short {
        made.left_out.push(format!(
            "Chosen frames: the last one is frame {end}, because of the work limit of the figure."
        ));
    }
    if plan.scene.panels.len() > MAX_PANELS {
        let count = plan.scene.panels.len();
        made.left_out.push(format!(
            "Chosen frames: only the first {MAX_PANELS} of {count} panels are shown."
        ));
    }
    made
}

/// Returns the scene with undecorated pictures of the sheet's size.
fn sheet_scene(plan: &ReportPlan<'_>) -> Scene {
    let mut scene = plan.scene.clone();
    scene.background_alpha = u8::MAX;
    scene.panels.truncate(MAX_PANELS);
    let count = scene.panels.len();
    let columns = (1..=count).find(|columns| columns * columns >= count).unwrap_or(1);
    scene.arrangement = Arrangement::Flow { columns: Some(columns) };
    scene.decoration = Decoration::Bare;
    // Frames have about the same aspect ratio as panels in the scene's own pictures.
    let [own_width, own_height] = plan.scene.size.map(f64::from);
    let shape = (own_height * columns as f64 / (own_width * count.div_ceil(columns) as f64))
        .clamp(0.5, 1.25);
    let frames = plan.options.strip.as_ref().map_or(FRAMES, Vec::len);
    let sheet = frames as f64 * FRAME_WIDTH * count as f64 * FRAME_WIDTH * shape;
    let side = FRAME_WIDTH * (MAX_PIXELS / sheet.max(1.0)).sqrt().clamp(0.75, SCALE);
    let rows = count.div_ceil(columns) as f64;
    scene.size = [columns as f64 * side, rows * side * shape].map(|length| length as u32);
    scene
}

/// Draws the chosen frames of each panel within the budgets. Also returns the frame at which each
/// panel diverged.
fn pictures(
    painter: &Painter<'_>,
    scene: &Scene,
    chosen: &mut Vec<u64>,
    plan: &ReportPlan<'_>,
) -> (Vec<Vec<RgbImage>>, Vec<Option<u64>>) {
    let mut runs: Vec<PanelRun> = scene.panels.iter().map(PanelRun::new).collect();
    let mut canvas = painter.canvas();
    let plots: Vec<Rect> = painter.plots().collect();
    let mut rows = vec![Vec::new(); plots.len()];
    let (mut frame, end) = (0, chosen.last().copied().unwrap_or(0));
    for (index, &wanted) in chosen.iter().enumerate() {
        while frame < wanted {
            runs.iter_mut().for_each(PanelRun::advance_frame);
            frame += 1;
            plan.extent.add_one(end);
            let mut all = runs.iter().flat_map(PanelRun::simulations);
            if all.any(|run| run.refusal().is_some()) {
                chosen.truncate(index);
                return (rows, lost(&runs));
            }
        }
        let panels: Vec<_> = runs.iter().map(|run| run.current().clone()).collect();
        painter.draw(&mut canvas, &panels);
        let whole = canvas.image();
        for (row, plot) in rows.iter_mut().zip(&plots) {
            let [x, y, w, h] = [plot.x, plot.y, plot.w, plot.h].map(|side| side.max(0) as u32);
            row.push(imageops::crop_imm(whole, x, y, w, h).to_image());
        }
    }
    (rows, lost(&runs))
}

/// Frame at which a body of each panel first diverged.
fn lost(runs: &[PanelRun]) -> Vec<Option<u64>> {
    let first = |run: &PanelRun| run.current().bodies.iter().filter_map(|body| body.diverged).min();
    runs.iter().map(first).collect()
}

/// Labels of the references of a panel, without duplicates.
fn references(panel: &Panel) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for reference in panel.bodies.iter().filter_map(|body| body.reference.as_ref()) {
        if !all.contains(&reference.label) {
            all.push(reference.label.clone());
        }
    }
    all
}

/// Joins the frames of a panel into one picture.
fn side_by_side(row: &[RgbImage], ground: Ink) -> RgbImage {
    let [wide, high] = row.first().map_or([1, 1], |it| [it.width(), it.height()]);
    let mut sheet = RgbImage::from_pixel((row.len() as u32 * wide).max(1), high.max(1), ground);
    for (column, picture) in row.iter().enumerate() {
        let x = column as u32 * wide;
        // The widths of panels in a row may differ by a pixel.
        let w = wide.saturating_sub(GAP).max(1).min(picture.width());
        let inside = imageops::crop_imm(picture, 0, 0, w, high.min(picture.height())).to_image();
        imageops::replace(&mut sheet, &inside, i64::from(x + GAP / 2), 0);
    }
    sheet
}

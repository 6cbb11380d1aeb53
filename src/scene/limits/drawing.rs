//! Estimates the cost of drawing and encoding a picture, in nanoseconds of one core. The constants
//! were measured with pictures of 320 by 200 to 3840 by 2160 pixels.

use crate::scene::parts::{Body, Scene};
use crate::scene::values::SurfaceStyle;
use crate::sim::{Arrangement, Part};

/// Nanoseconds of an empty picture.
const PICTURE: u128 = 100_000;
/// Nanoseconds of ten pixels.
const TEN_PIXELS: u128 = 1;
/// Nanoseconds of a body.
const BODY: u128 = 20_000;
/// Nanoseconds of a spring.
const SPRING: u128 = 700;
/// Nanoseconds of a pixel of the length of a spring.
const LENGTH: u128 = 70;
/// Nanoseconds of a pixel that a stroke covers.
const COVERED: u128 = 4;
/// Nanoseconds of a spring of a sheet in facets.
const FACET: u128 = 1000;
/// Nanoseconds of a pixel of a panel with facets; six times as many if they cover all of it.
const SHADED: u128 = 50;
/// How many pixels longer springs count than those of a body that just fills its panel, since
/// bodies move.
const SLACK: u128 = 10;

/// Approximate nanoseconds of one core to draw and encode a frame of a scene of this size in
/// pixels.
pub fn drawing_cost(scene: &Scene, size: [u32; 2]) -> u128 {
    let [width, height] = size.map(u128::from);
    // Assumes that panels stand in a square.
    let beside = (scene.panels.len().max(1) as u128).isqrt().max(1);
    let panel = PanelArea {
        side: width.max(height) / beside,
        pixels: width * height / scene.panels.len().max(1) as u128,
    };
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let bodies = bodies.fold(0, |sum: u128, body| sum.saturating_add(of_body(body, panel)));
    PICTURE + width * height * TEN_PIXELS / 10 + bodies
}

/// The longer side and the pixels of a panel, on average.
#[derive(Clone, Copy)]
struct PanelArea {
    side: u128,
    pixels: u128,
}

fn of_body(body: &Body, PanelArea { side, pixels }: PanelArea) -> u128 {
    let model = &body.setup.model;
    let springs = model.springs.len() as u128;
    let is_surface = |part: &Part| part.is_surface();
    let has_surface = match model.arrangement {
        Arrangement::Chain => false,
        Arrangement::Sheet { .. } => true,
        Arrangement::Parts => model.parts.iter().any(is_surface),
    };
    let mut styles = body.part_styles.iter();
    let is_shaded = has_surface && styles.any(|style| style.surface == SurfaceStyle::Facets);
    if is_shaded {
        return BODY + springs * FACET + pixels * SHADED;
    }
    let in_a_row = match model.arrangement {
        Arrangement::Chain => model.nodes(),
        Arrangement::Sheet { rows, columns } => rows.max(columns),
        // About as many nodes in a row as a part has.
        Arrangement::Parts => model.nodes() / model.part_list().len().max(1),
    };
    let length = side / (in_a_row.max(2) as u128 - 1) + SLACK;
    let widths = body.part_styles.iter().map(|style| style.line_width as u128);
    let across = widths.max().unwrap_or(0) + 1;
    let stroke = SPRING + length * LENGTH + across * (length + across) * COVERED;
    BODY + springs * stroke
}

//! What it takes to draw and encode a picture of a scene, in nanoseconds of one core. The constants
//! were measured with pictures of 320 by 200 to 3840 by 2160 pixels.

use crate::scene::parts::{Body, Scene};
use crate::scene::values::SurfaceWord;
use crate::sim::Arrangement;

/// Nanoseconds of a picture, whatever is in it, of ten pixels, and of a body.
const PICTURE: u128 = 100_000;
const TEN_PIXELS: u128 = 1;
const BODY: u128 = 20_000;
/// A spring, a pixel of its length, and a pixel of what its stroke covers.
const SPRING: u128 = 700;
const LENGTH: u128 = 70;
const COVERED: u128 = 4;
/// A spring of a sheet that is drawn in facets, and a pixel of its panel: facets take three times
/// as long where they cover all of it.
const FACET: u128 = 2000;
const SHADED: u128 = 100;
/// Springs are this many pixels longer than those of a body that just fills its panel, since bodies
/// move.
const SLACK: u128 = 10;

/// Nanoseconds of one core that a frame of a scene takes to draw and encode, about, at so many
/// pixels.
pub fn drawing_cost(scene: &Scene, size: [u32; 2]) -> u128 {
    let [width, height] = size.map(u128::from);
    // Panels stand in a square, about.
    let beside = (scene.panels.len().max(1) as u128).isqrt().max(1);
    let panel = PanelArea {
        side: width.max(height) / beside,
        pixels: width * height / scene.panels.len().max(1) as u128,
    };
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let bodies = bodies.fold(0, |sum: u128, body| sum.saturating_add(of_body(body, panel)));
    PICTURE + width * height * TEN_PIXELS / 10 + bodies
}

/// What a panel has of a picture: the longer side of it, and pixels.
#[derive(Clone, Copy)]
struct PanelArea {
    side: u128,
    pixels: u128,
}

fn of_body(body: &Body, PanelArea { side, pixels }: PanelArea) -> u128 {
    let model = &body.setup.model;
    let springs = model.springs.len() as u128;
    let is_shaded = matches!(model.arrangement, Arrangement::Sheet { .. })
        && body.style.surface == SurfaceWord::Facets;
    if is_shaded {
        return BODY + springs * FACET + pixels * SHADED;
    }
    let in_a_row = match model.arrangement {
        Arrangement::Chain => model.nodes(),
        Arrangement::Sheet { rows, columns } => rows.max(columns),
    };
    let length = side / (in_a_row.max(2) as u128 - 1) + SLACK;
    let across = body.style.line_width as u128 + 1;
    let stroke = SPRING + length * LENGTH + across * (length + across) * COVERED;
    BODY + springs * stroke
}

//! Estimates of the cost of drawing and encoding a picture, in nanoseconds of one core. The
//! constants were measured with pictures of 320 × 200 to 3840 × 2160 pixels.

use crate::parts::{Body, Scene};
use crate::values::SurfaceStyle;
use catena_base::text::list::quoted;
use catena_base::text::number::digits;
use catena_sim::{Arrangement, Form, Part};

/// Nanoseconds per empty picture.
const PICTURE: u128 = 100_000;
/// Nanoseconds per ten pixels.
const TEN_PIXELS: u128 = 1;
/// Nanoseconds per body.
const BODY: u128 = 20_000;
/// Nanoseconds per spring.
const SPRING: u128 = 700;
/// Nanoseconds per pixel of a spring's length.
const LENGTH: u128 = 70;
/// Nanoseconds per pixel that a stroke covers.
const COVERED: u128 = 4;
/// Nanoseconds per quadrilateral of the tube that shows a thread in space.
const QUADRILATERAL: u128 = 1700;
/// Nanoseconds per pixel that a tube covers.
const TUBE_PIXEL: u128 = 200;
/// Nanoseconds per spring of a sheet drawn as facets.
const FACET: u128 = 1000;
/// Nanoseconds per pixel of a panel with facets. Facets that cover the whole panel take six times
/// as long.
const SHADED: u128 = 50;
/// Pixels added to the length of a spring of a body that fits its panel, because bodies move.
const SLACK: u128 = 10;

/// Returns the approximate cost of drawing and encoding a frame of `size` pixels, in nanoseconds of
/// one core.
pub fn drawing_cost(scene: &Scene, size: [u32; 2]) -> u128 {
    let [width, height] = size.map(u128::from);
    let panel = PanelArea::of(scene, size);
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let bodies = bodies.fold(0, |sum: u128, body| sum.saturating_add(of_body(body, panel)));
    PICTURE + width * height * TEN_PIXELS / 10 + bodies
}

/// Average longer side and pixel count of a panel.
#[derive(Clone, Copy)]
struct PanelArea {
    side: u128,
    pixels: u128,
}

impl PanelArea {
    fn of(scene: &Scene, size: [u32; 2]) -> Self {
        let [width, height] = size.map(u128::from);
        // Assumes that the panels are arranged in a square.
        let beside = (scene.panels.len().max(1) as u128).isqrt().max(1);
        Self {
            side: width.max(height) / beside,
            pixels: width * height / scene.panels.len().max(1) as u128,
        }
    }
}

/// Returns advice on bodies that are drawn much faster as facets than as wires, each with its
/// label.
pub fn facets_advice(scene: &Scene) -> Vec<String> {
    let panel = PanelArea::of(scene, scene.size);
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let advice = |(body, label): (&Body, String)| {
        let (wires, facets) = (of_body(body, panel), of_facets(body, panel));
        let is_slow = wires >= SLOW && wires >= FASTER * facets;
        let seconds = |nanoseconds: u128| digits(nanoseconds as f64 / 1e9, 2);
        (has_surface(body) && !is_shaded(body) && is_slow).then(|| {
            format!(
                "{}: a picture of it takes about {} s as wires and {} s as facets; `style: (surface: Facets)` draws facets",
                quoted(&label),
                seconds(wires),
                seconds(facets)
            )
        })
    };
    bodies.zip(scene.body_labels()).filter_map(advice).collect()
}

/// Minimum drawing time of a body in nanoseconds for which advice is given.
const SLOW: u128 = 1_000_000_000;
/// Minimum speedup by facets for which advice is given.
const FASTER: u128 = 4;

fn has_surface(body: &Body) -> bool {
    let model = &body.setup.model;
    match model.arrangement {
        Arrangement::Chain => false,
        Arrangement::Sheet { .. } => true,
        Arrangement::Parts => model.parts.iter().any(Part::is_surface),
    }
}

/// Whether a body is drawn as facets.
fn is_shaded(body: &Body) -> bool {
    let mut styles = body.part_styles.iter();
    has_surface(body) && styles.any(|style| style.surface == SurfaceStyle::Facets)
}

fn of_facets(body: &Body, PanelArea { pixels, .. }: PanelArea) -> u128 {
    BODY + body.setup.model.springs.len() as u128 * FACET + pixels * SHADED
}

fn of_body(body: &Body, area: PanelArea) -> u128 {
    if is_shaded(body) {
        return of_facets(body, area);
    }
    let (model, PanelArea { side, .. }) = (&body.setup.model, area);
    let springs = model.springs.len() as u128;
    let in_a_row = match model.arrangement {
        Arrangement::Chain => model.nodes(),
        Arrangement::Sheet { rows, columns } => rows.max(columns),
        // A row has about as many nodes as a part.
        Arrangement::Parts => model.nodes() / model.part_list().len().max(1),
    };
    let length = side / (in_a_row.max(2) as u128 - 1) + SLACK;
    let widths = body.part_styles.iter().map(|style| style.line_width as u128);
    let width = widths.max().unwrap_or(0);
    let across = width + 1;
    let stroke = SPRING + length * LENGTH + across * (length + across) * COVERED;
    let threads = threads_in_space(body);
    let tubes = threads.saturating_mul(of_tube(model.nodes() as u128, width, area));
    BODY + springs.saturating_sub(threads) * stroke + tubes
}

/// Number of springs that are drawn as one tube each: those of sheets, meshes and nets in space.
fn threads_in_space(body: &Body) -> u128 {
    let model = &body.setup.model;
    if model.axes < 3 {
        return 0;
    }
    let parts = model.part_list();
    let has_threads = |part: &&Part| !matches!(part.form, Form::Rope { .. });
    parts.iter().filter(has_threads).map(|part| part.springs.len() as u128).sum()
}

/// Nanoseconds per thread tube, for a body of `nodes` nodes that fills its panel.
fn of_tube(nodes: u128, line_width: u128, PanelArea { pixels, .. }: PanelArea) -> u128 {
    let length = (pixels / nodes.max(1)).isqrt();
    // Thickness and sides agree with `render::space`.
    let width = line_width.min(length / 4);
    let sides = match width {
        0..6 => 8,
        6..20 => 12,
        _ => 20,
    };
    // A tube has one ring of quadrilaterals along its length, and a dome at each end.
    let quadrilaterals = sides * (1 + 2 * (sides / 4));
    quadrilaterals * QUADRILATERAL + length * width.max(2) * TUBE_PIXEL
}

//! Cost of drawing, as counts of priced operations.
//!
//! Ropes in the plane are assumed to fill their panels, as they do in a view that fits their
//! frames. The size of other bodies is computed from their positions and the view ([`Extent`]).

use super::extent::{Extent, FORESHORTENED, PanelSize, PanelView};
use super::sample::Extras;
use crate::parts::{Body, Panel, Scene};
use crate::values::SurfaceStyle;
use catena_base::text::list::quoted;
use catena_base::text::number::digits;
use catena_sim::{Arrangement, Bill, Form, Item, Part};
use std::ops::Range;

/// Pixels added to the length of a spring in a body that fits its panel, because bodies move.
const SLACK: u64 = 10;

/// Returns the bill of drawing all bodies in `frames` frames of `size` pixels. Positions after the
/// start are those of samples.
pub(super) fn bodies_bill(
    scene: &Scene,
    size: [u32; 2],
    frames: Range<u64>,
    extras: &Extras,
) -> Bill {
    let area = PanelArea::of(scene, size);
    let all = scene.panels.iter();
    let all = all.flat_map(|panel| panel.bodies.iter().map(move |body| (panel, body)));
    let mut bill = Bill::default();
    for (number, (panel, body)) in all.enumerate() {
        for (count, x) in extras.shown(number, frames.clone()) {
            bill.add_times(
                &of_body(body, area.around(body, x, extras.view().of(panel))),
                count.into(),
            );
        }
    }
    bill
}

/// Returns the bill of drawing a frame of `size` pixels without bodies.
pub(super) fn empty_picture_bill(scene: &Scene, size: [u32; 2]) -> Bill {
    let area = PanelArea::of(scene, size);
    let panels = scene.panels.len() as u64;
    let mut bill = Bill::of(Item::Picture, 1).and(Item::Panel, panels);
    if scene.axes > 2 {
        bill.add(Item::SpacePixel, area.pixels.saturating_mul(panels));
    }
    bill.add(Item::GroundPixel, area.pixels.saturating_mul(grounds(scene)));
    bill
}

/// Returns the bill of everything that is drawn once per run.
pub(super) fn template_bill(scene: &Scene, size: [u32; 2]) -> Bill {
    let pixels = u64::from(size[0]) * u64::from(size[1]);
    let item = if scene.axes > 2 { Item::SpaceTemplatePixel } else { Item::TemplatePixel };
    let ground = PanelArea::of(scene, size).pixels.saturating_mul(grounds(scene));
    Bill::of(item, pixels).and(Item::GroundTemplatePixel, ground)
}

/// Returns the number of panels with a ground.
fn grounds(scene: &Scene) -> u64 {
    scene.panels.iter().filter(|panel| panel.ground.is_some()).count() as u64
}

/// Average size of a panel.
#[derive(Clone, Copy)]
struct PanelArea {
    size: PanelSize,
    /// Longer side.
    side: u64,
    pixels: u64,
}

/// Size of a body in its panel.
#[derive(Clone, Copy)]
struct BodyArea {
    panel: PanelArea,
    /// Mean length of a drawn spring in pixels.
    thread: u64,
    /// Mean distance of neighbouring nodes in pixels, seen at a right angle.
    cell: f64,
    /// Pixels of the box around the visible part of the body.
    pixels: u64,
    /// Share of the body inside the panel, in thousandths.
    visible: u128,
}

impl PanelArea {
    fn of(scene: &Scene, size: [u32; 2]) -> Self {
        let [width, height] = size.map(u64::from);
        // Assumes that the panels are arranged in a square.
        let columns = (scene.panels.len().max(1) as u64).isqrt().max(1);
        let pixels = width * height / scene.panels.len().max(1) as u64;
        let wide = width as f64 / columns as f64;
        let size = PanelSize { width: wide, height: pixels as f64 / wide.max(1.0) };
        Self { size, side: width.max(height) / columns, pixels }
    }

    /// Returns the size of a body with node positions `x`, or at the start if there are none. An
    /// open rope in the plane may be as long as the panel, because it moves.
    fn around(self, body: &Body, x: Option<&[f64]>, view: PanelView) -> BodyArea {
        let model = &body.setup.model;
        let is_rope = model.arrangement == Arrangement::Chain && model.axes < 3;
        let is_open = model.structural < model.nodes();
        // Without a view, sizes are those of the body at the start, which the view is assumed to
        // fit.
        let is_known = view.plane.is_some() || view.space.is_some();
        let x = x.filter(|_| is_known).unwrap_or(&body.setup.initial.x);
        let extent =
            (!(is_rope && is_open)).then(|| Extent::of(body, x, view, self.size)).flatten();
        extent.map_or_else(
            || {
                let thread = self.side / (in_a_row(body).max(2) as u64 - 1);
                let (cell, thread) = (thread as f64, thread + SLACK);
                BodyArea { panel: self, thread, cell, pixels: 0, visible: 1000 }
            },
            |extent| BodyArea {
                panel: self,
                thread: extent.thread as u64 + SLACK,
                cell: extent.cell,
                pixels: extent.area as u64,
                visible: (1000.0 * extent.visible) as u128,
            },
        )
    }
}

/// Number of nodes in a row of a body.
fn in_a_row(body: &Body) -> usize {
    let model = &body.setup.model;
    match model.arrangement {
        Arrangement::Chain => model.nodes(),
        Arrangement::Sheet { rows, columns } => rows.max(columns),
        // A row has about as many nodes as a part.
        Arrangement::Parts => model.nodes() / model.part_list().len().max(1),
    }
}

/// Returns advice on bodies that are drawn much faster as facets than as wires, each with its
/// label.
pub fn facets_advice(scene: &Scene) -> Vec<String> {
    let area = PanelArea::of(scene, scene.size);
    let advice = |((panel, body), label): ((&Panel, &Body), String)| {
        let area = area.around(body, None, PanelView::default().of(panel));
        let wires = of_body(body, area).nanoseconds();
        let facets = of_facets(body, area).nanoseconds();
        let is_slow = wires >= SLOW && wires >= FASTER * facets;
        let seconds = |nanoseconds: u128| digits(nanoseconds as f64 / 1e9, 2);
        (has_surface(body) && !is_shaded(body) && is_slow).then(|| {
            format!(
                "{}: drawing a frame takes about {} s with wires, but {} s with facets; to draw \
                 facets, set `style: (surface: Facets)`",
                quoted(&label),
                seconds(wires),
                seconds(facets)
            )
        })
    };
    let panels = scene.panels.iter();
    let bodies = panels.flat_map(|panel| panel.bodies.iter().map(move |body| (panel, body)));
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

fn of_facets(body: &Body, area: BodyArea) -> Bill {
    let springs = body.setup.model.structural as u64;
    let facets = Bill::of(Item::Facet, springs).share(area.visible);
    let bill = facets.and(Item::DrawnBody, 1);
    bill.and(Item::FacetPanelPixel, area.panel.pixels).and(Item::FacetPixel, area.pixels)
}

fn of_body(body: &Body, area: BodyArea) -> Bill {
    let moments = 1 + u64::from(body.style.ghosts);
    let trails = body.trails.len() as u64 * u64::from(body.style.trail_frames);
    let colliders = &body.setup.contacts.colliders;
    let moved = colliders.iter().filter(|collider| collider.motion().is_some()).count() as u64;
    let bill = once(body, area).times(moments.into()).and(Item::TrailStroke, trails);
    bill.and(Item::MovedCollider, moved)
}

/// Returns the maximum width of a body's lines and the maximum size of its nodes, in pixels.
fn widths(body: &Body) -> [u64; 2] {
    let widths = body.part_styles.iter().map(|style| style.line_width as u64);
    let sizes = body.part_styles.iter().map(|style| style.node_size as u64);
    [widths.max().unwrap_or(0), sizes.max().unwrap_or(0)]
}

fn once(body: &Body, area: BodyArea) -> Bill {
    if is_shaded(body) {
        return of_facets(body, area);
    }
    let model = &body.setup.model;
    let nodes = model.nodes() as u64;
    let length = area.thread;
    let [width, size] = widths(body);
    // Shear and bending springs are not drawn.
    let springs = model.structural as u64;
    if model.axes < 3 {
        let lengths = springs.saturating_mul(length);
        let lines = Bill::of(Item::Stroke, springs)
            .and(Item::StrokeLength, lengths)
            .and(Item::StrokePixel, lengths.saturating_mul(width + 1))
            .and(Item::Disc, nodes)
            .and(Item::DiscPixel, nodes.saturating_mul(size * size));
        let lines = lines.share(area.visible);
        return lines.and(Item::DrawnBody, 1).and(Item::ShapePixel, 2 * area.pixels);
    }
    let threads = threads_in_space(body);
    if threads > 0 && has_surface(body) && area.cell < DENSE {
        return of_facets(body, area);
    }
    let ropes = springs.saturating_sub(threads);
    let mut bill = Bill::of(Item::RopeTube, ropes)
        .and(Item::RopePixel, ropes.saturating_mul(length * (width + 1)))
        .and(Item::Ball, if threads > 0 { 0 } else { nodes });
    bill.add_times(&of_tube(width, area), threads.into());
    bill.share(area.visible).and(Item::DrawnBody, 1)
}

/// Returns the number of springs that are drawn as separate tubes in space: all springs except
/// those of ropes.
fn threads_in_space(body: &Body) -> u64 {
    let parts = body.setup.model.part_list();
    let has_threads = |part: &&Part| !matches!(part.form, Form::Rope { .. });
    parts.iter().filter(has_threads).map(|part| part.springs.len() as u64).sum()
}

/// Distance between threads in pixels below which a body with a surface is drawn as facets, as in
/// the module `space` of catena-draw.
const DENSE: f64 = 2.0;
/// Width in pixels below which a thread is drawn as a ribbon, as in the module `space` of
/// catena-draw.
const RIBBON: f64 = 2.5;

/// Returns the bill of a thread's tube.
fn of_tube(line_width: u64, area: BodyArea) -> Bill {
    // Thickness and sides agree with the module `space` of catena-draw.
    let width = (line_width as f64).min(0.25 * area.cell);
    let sides = match width {
        ..6.0 => 8,
        6.0..20.0 => 12,
        _ => 20,
    };
    // A tube has one ring of quadrilaterals along its length, and a dome at each end. A ribbon
    // costs as much as three quadrilaterals.
    let quadrilaterals = if width < RIBBON { 3 } else { sides * (1 + 2 * (sides / 4)) };
    let pixels = FORESHORTENED * area.cell * width.max(2.0);
    Bill::of(Item::TubePart, quadrilaterals).and(Item::TubePixel, pixels as u64)
}

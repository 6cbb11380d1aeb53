//! Estimates of a run in nanoseconds of one core and in bytes.
//!
//! The constants of drawing and encoding were measured with pictures of 320 × 200 to 3840 × 2160
//! pixels.

use super::Limits;
use crate::parts::{Body, Scene};
use crate::values::SurfaceStyle;
use catena_base::text::list::quoted;
use catena_base::text::number::{bytes, count, digits, duration};
use catena_sim::{Arrangement, Form, Part, Setup};

/// Approximate pixels per byte of an encoded frame. Frames of `scenes/` have 2.5 (a cloth in a
/// small picture) to 40.
const PIXELS_PER_BYTE: u64 = 4;

/// Nanoseconds per hundred pixels of a film, for encoding.
const FILM_PIXELS: u128 = 2000;

/// Approximate bytes per row of a trace: time, node and six numbers with all digits.
const BYTES_PER_ROW: u64 = 150;
/// Approximate nanoseconds per row of a trace.
const ROW: u128 = 1000;

/// Nanoseconds per node and step to detect strands that pass through each other, when few are
/// close.
const WATCHED: u128 = 300;
/// Nanoseconds per pair of segments for the Gauss integral. A rope with itself has half as many
/// pairs.
const GAUSS_PAIR: u128 = 30;

/// Approximate ratio of the actual to the estimated step time when drawn surfaces touch.
const DRAWN: u32 = 4;

/// Returns the approximate ratio of actual to estimated time, for simulations with a time limit.
pub fn price_factor(setup: &Setup) -> u32 {
    if setup.contacts.drawn.is_some() { DRAWN } else { 1 }
}

/// Run that a command plans with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// Number of frames to simulate.
    pub frames: u64,
    /// First frame to write.
    pub from: u64,
    /// Output of the run.
    pub product: Product,
}

/// Output of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// One picture per frame.
    Pictures {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Whether the run also continues until bodies are at rest.
        settles: bool,
    },
    /// One film of all frames.
    Film {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// One row per node and frame.
    Rows,
    /// One row of energies per body and frame. Energies are computed several times per step.
    Energies,
    /// Linking of ropes, per frame or step. Every step is checked for strands that pass through
    /// each other.
    Topology {
        /// Whether rows are written per step instead of per frame.
        each_step: bool,
    },
    /// Export with a known cost per frame.
    Export {
        /// Bytes per frame.
        bytes: u64,
        /// Nanoseconds of one core per frame.
        work: u64,
    },
    /// A few numbers.
    Numbers,
}

impl PlannedRun {
    /// Returns a run that writes the first `frames` frames.
    pub fn up_to(frames: u64, product: Product) -> Self {
        Self { frames, from: 0, product }
    }

    /// Returns the run of `catena render` without options.
    pub fn of(scene: &Scene) -> Self {
        Self::up_to(scene.frames, Product::Pictures { size: scene.size, settles: true })
    }
}

/// Returns a lower bound of the time to simulate a frame of a body, in nanoseconds of one core.
pub fn frame_cost(setup: &Setup) -> u128 {
    setup.frame_cost()
}

/// Returns the nanoseconds per frame of a body when every step is checked for passages and ropes
/// are compared pairwise.
fn topology_cost(setup: &Setup, each_step: bool) -> u128 {
    let (substeps, nodes) = (u128::from(setup.substeps), setup.model.nodes() as u128);
    let parts = setup.model.part_list().len() as u128;
    let moments = if each_step { substeps } else { 1 };
    let compared = nodes * nodes * GAUSS_PAIR + parts * parts * ROW;
    setup.frame_cost() + substeps * nodes * WATCHED + moments * compared
}

/// Approximate cost of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Frames to simulate.
    pub frames: u64,
    /// Nodes of all bodies.
    pub nodes: u64,
    /// Springs of all bodies.
    pub springs: u64,
    /// Minimum time to simulate all frames, in nanoseconds of one core.
    pub simulation: u128,
    /// Time to wait for rest, in nanoseconds of one core; about the time of all frames.
    pub settling: u128,
    /// Time to draw and write all frames, in nanoseconds of one core.
    pub drawing: u128,
    /// Bytes to write.
    pub bytes: u128,
}

impl Estimate {
    /// Estimates a run of a scene. The arithmetic cannot overflow, because factors have at most 64
    /// bits and are much smaller in practice.
    pub fn of(scene: &Scene, run: &PlannedRun) -> Self {
        let mut all = Self { frames: run.frames, ..Self::default() };
        for body in scene.panels.iter().flat_map(|panel| &panel.bodies) {
            let setup = &*body.setup;
            all.nodes = all.nodes.saturating_add(setup.model.nodes() as u64);
            all.springs = all.springs.saturating_add(setup.model.springs.len() as u64);
            let a_frame = match run.product {
                Product::Energies => setup.ledger_cost(),
                Product::Pictures { .. } | Product::Film { .. } if body.shows_forces() => {
                    setup.ledger_cost()
                }
                Product::Topology { each_step } => topology_cost(setup, each_step),
                _ => frame_cost(setup),
            };
            let a_run =
                a_frame.saturating_mul(u128::from(run.frames.saturating_add(setup.warm_up)));
            let a_run = a_run.saturating_add(setup.changes_cost());
            all.simulation = all.simulation.saturating_add(a_run);
        }
        let (mut moments, is_drawn) =
            (1, matches!(run.product, Product::Pictures { .. } | Product::Film { .. }));
        if let (Some(blur), true) = (scene.motion_blur, is_drawn) {
            // Moments come from a second simulation of each frame, step by step.
            all.simulation = all.simulation.saturating_mul(2);
            moments = u128::from(blur.samples);
        }
        let pixels = |[width, height]: [u32; 2]| u128::from(width) * u128::from(height);
        let rows = u128::from(all.nodes);
        let (work, bytes) = match run.product {
            Product::Pictures { size, .. } => {
                (drawing_cost(scene, size) * moments, pixels(size) / u128::from(PIXELS_PER_BYTE))
            }
            Product::Film { size } => {
                (drawing_cost(scene, size) * moments + pixels(size) * FILM_PIXELS / 100, 0)
            }
            Product::Rows => (rows * ROW, rows * u128::from(BYTES_PER_ROW)),
            Product::Export { bytes, work } => (work.into(), bytes.into()),
            Product::Energies | Product::Topology { .. } | Product::Numbers => (0, 0),
        };
        let written = u128::from(run.frames - run.from.min(run.frames));
        all.drawing = work.saturating_mul(written);
        all.bytes = bytes.saturating_mul(written);
        if let Product::Pictures { settles: true, .. } = run.product {
            all.settling = all.simulation;
        }
        all
    }

    /// Returns the total time in nanoseconds of one core.
    pub fn work(&self) -> u128 {
        self.simulation.saturating_add(self.settling).saturating_add(self.drawing)
    }

    /// Returns a line for each number above half of its limit: `frames: 600 of at most 1000`.
    pub fn near(&self, limits: &Limits) -> Vec<String> {
        type NearLimit<'a> = (&'a str, u128, u128, &'a dyn Fn(u128) -> String);
        let rows: [NearLimit<'_>; 5] = [
            ("frames", u128::from(self.frames), limits.frames.into(), &count),
            ("nodes", u128::from(self.nodes), limits.nodes.into(), &count),
            ("springs", u128::from(self.springs), limits.springs.into(), &count),
            ("work", self.work(), limits.work, &duration),
            ("output", self.bytes, limits.bytes_out, &bytes),
        ];
        rows.into_iter()
            .filter(|(_, found, most, _)| *found > *most / 2)
            .map(|(what, found, most, text)| {
                format!("{what}: {} of at most {}", text(found), text(most))
            })
            .collect()
    }
}

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
const QUADRILATERAL: u128 = 780;
/// Nanoseconds per pixel that a tube covers.
const TUBE_PIXEL: u128 = 90;
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
    if threads > 0 && has_surface(body) && spacing(model.nodes() as u128, area) < DENSE {
        return of_facets(body, area);
    }
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

/// Distance of threads in pixels below which they are drawn as facets, and width below which a
/// thread is a ribbon. Both agree with `render::space`.
const DENSE: u128 = 2;
const RIBBON: u128 = 3;

/// Distance in pixels between the nodes of a body that fills its panel.
fn spacing(nodes: u128, PanelArea { pixels, .. }: PanelArea) -> u128 {
    (pixels / nodes.max(1)).isqrt()
}

/// Nanoseconds per thread tube, for a body of `nodes` nodes that fills its panel.
fn of_tube(nodes: u128, line_width: u128, area: PanelArea) -> u128 {
    let length = spacing(nodes, area);
    // Thickness and sides agree with `render::space`.
    let width = line_width.min(length / 4);
    let sides = match width {
        0..6 => 8,
        6..20 => 12,
        _ => 20,
    };
    // A tube has one ring of quadrilaterals along its length, and a dome at each end. A ribbon
    // costs as much as three quadrilaterals.
    let quadrilaterals = if width < RIBBON { 3 } else { sides * (1 + 2 * (sides / 4)) };
    quadrilaterals * QUADRILATERAL + length * width.max(2) * TUBE_PIXEL
}

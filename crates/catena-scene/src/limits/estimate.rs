//! Estimates of a run: nanoseconds of one core, and bytes.

use super::{Limits, drawing_cost};
use crate::parts::Scene;
use catena_base::text::number::{bytes, count, duration};
use catena_sim::Setup;

/// Approximate pixels of a frame for each byte of its file: frames of scenes/ have 2.5 (a cloth in
/// a small picture) to 40.
const PIXELS_A_BYTE: u64 = 4;

/// Nanoseconds of a hundred pixels of a film, for encoding.
const FILM_PIXELS: u128 = 2000;

/// Approximate bytes of a row of a trace: time, node and six numbers in all their digits.
const BYTES_A_ROW: u64 = 150;
/// Approximate nanoseconds of a row of a trace.
const ROW: u128 = 1000;

/// Nanoseconds of a node in a step that is watched for passages, where few things are near it.
const WATCHED: u128 = 300;
/// Nanoseconds of the Gauss integral of two segments; a rope has half as many pairs with itself.
const GAUSS_PAIR: u128 = 30;

/// Contact of all that is drawn takes about so many times what its steps are priced at.
const DRAWN: u32 = 4;

/// How many times its price a run takes, about, where what is found out by it has a budget.
pub fn price_factor(setup: &Setup) -> u32 {
    if setup.contacts.drawn.is_some() { DRAWN } else { 1 }
}

/// The run that a command plans with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// The number of frames to simulate.
    pub frames: u64,
    /// The first frame to write.
    pub from: u64,
    /// What to write.
    pub product: Product,
}

/// What a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A picture for each frame.
    Pictures {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Whether bodies also run until they rest.
        settles: bool,
    },
    /// One film of all frames.
    Film {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// A row for each node and frame.
    Rows,
    /// A row of energies for each body and frame; they are computed several times in each step.
    Energies,
    /// How ropes are linked, at each frame or step; every step is watched.
    Topology {
        /// Whether at each step.
        each_step: bool,
    },
    /// An export, of which a frame takes so many bytes and so many nanoseconds of one core.
    Export {
        /// Bytes.
        bytes: u64,
        /// Nanoseconds.
        work: u64,
    },
    /// A few numbers.
    Numbers,
}

impl PlannedRun {
    /// A run that writes all of so many frames.
    pub fn up_to(frames: u64, product: Product) -> Self {
        Self { frames, from: 0, product }
    }

    /// The run of `catena render` without options.
    pub fn of(scene: &Scene) -> Self {
        Self::up_to(scene.frames, Product::Pictures { size: scene.size, settles: true })
    }
}

/// The least nanoseconds of one core to simulate a frame of a body, approximately.
pub fn frame_cost(setup: &Setup) -> u128 {
    setup.frame_cost()
}

/// Nanoseconds of a frame of a body whose steps are watched, and whose ropes are compared pair by
/// pair.
fn topology_cost(setup: &Setup, each_step: bool) -> u128 {
    let (substeps, nodes) = (u128::from(setup.substeps), setup.model.nodes() as u128);
    let parts = setup.model.part_list().len() as u128;
    let moments = if each_step { substeps } else { 1 };
    let compared = nodes * nodes * GAUSS_PAIR + parts * parts * ROW;
    setup.frame_cost() + substeps * nodes * WATCHED + moments * compared
}

/// The approximate cost of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Frames to simulate.
    pub frames: u64,
    /// Nodes of all bodies.
    pub nodes: u64,
    /// Springs of all bodies.
    pub springs: u64,
    /// Nanoseconds of one core to simulate all frames, at least.
    pub simulation: u128,
    /// Nanoseconds of one core to wait for rest: about as much as for all frames.
    pub settling: u128,
    /// Nanoseconds of one core to draw and write all frames.
    pub drawing: u128,
    /// Bytes to write.
    pub bytes: u128,
}

impl Estimate {
    /// Estimates a run of a scene. The arithmetic cannot overflow: factors have at most 64 bits and
    /// are far from using them.
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
        let pixels = |[width, height]: [u32; 2]| u128::from(width) * u128::from(height);
        let rows = u128::from(all.nodes);
        let (work, bytes) = match run.product {
            Product::Pictures { size, .. } => {
                (drawing_cost(scene, size), pixels(size) / u128::from(PIXELS_A_BYTE))
            }
            Product::Film { size } => {
                (drawing_cost(scene, size) + pixels(size) * FILM_PIXELS / 100, 0)
            }
            Product::Rows => (rows * ROW, rows * u128::from(BYTES_A_ROW)),
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

    /// Nanoseconds of one core for all of it.
    pub fn work(&self) -> u128 {
        self.simulation.saturating_add(self.settling).saturating_add(self.drawing)
    }

    /// A line for each number above half of its limit: `frames: 600 of at most 1000`.
    pub fn near(&self, limits: &Limits) -> Vec<String> {
        type Row<'a> = (&'a str, u128, u128, &'a dyn Fn(u128) -> String);
        let rows: [Row<'_>; 5] = [
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

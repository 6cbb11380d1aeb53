//! Estimates of a run: its bill of operations with prices, and its bytes.

use super::Limits;
use super::drawing::{self, bodies_bill, empty_picture_bill};
use super::passes::{pass_frames, scale_frames};
use super::rest::{MIN_SECONDS, frames_to_rest};
use super::sample::Extras;
use crate::limits::planned::{PlannedRun, Product, bodies, numbered};
use crate::parts::{Body, Scene};
use catena_base::text::number::{compared_bytes, compared_durations, count};
use catena_sim::run::frame_bill_among;
use catena_sim::{Bill, Item, Setup, Simulation};
use std::sync::Arc;

/// Approximate pixels per byte of an encoded frame. Frames of `scenes/` have 2.5 (a cloth in a
/// small picture) to 40.
const PIXELS_PER_BYTE: u64 = 4;

/// Approximate bytes per row of a trace: time, node and six numbers with all digits.
const BYTES_PER_ROW: u64 = 150;

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

/// Returns a lower bound of the time to simulate a body for one frame, in nanoseconds of one core.
pub fn frame_cost(setup: &Setup) -> u128 {
    setup.frame_cost()
}

/// Returns the topology bill of a body per frame. Passages are checked in every step. Ropes are
/// compared pairwise, in every step if `each_step` is true, otherwise once per frame.
fn topology_bill(setup: &Setup, each_step: bool) -> Bill {
    let nodes = setup.model.nodes() as u64;
    let parts = setup.model.part_list().len() as u64;
    let moments = if each_step { setup.substeps } else { 1 };
    let compared = Bill::of(Item::GaussPair, nodes.saturating_mul(nodes))
        .and(Item::Row, parts.saturating_mul(parts));
    let mut bill = setup.frame_bill();
    bill.add_times(&compared, moments.into());
    bill.and(Item::Watched, setup.substeps.saturating_mul(nodes))
}

/// Approximate cost of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Frames to simulate.
    pub frames: u64,
    /// Nodes of all bodies.
    pub nodes: u64,
    /// Springs of all bodies.
    pub springs: u64,
    /// Time to start the process, in nanoseconds of one core.
    pub start: u128,
    /// Time to simulate all frames, in nanoseconds of one core.
    pub simulation: u128,
    /// Time to wait for rest, in nanoseconds of one core.
    pub settling: u128,
    /// Time to draw and write all frames, in nanoseconds of one core.
    pub drawing: u128,
    /// Bytes to write.
    pub bytes: u128,
    /// Last frame whose contacts are counted, if bodies can touch something in later frames.
    pub contacts_until: Option<u64>,
    /// All operations of the run.
    pub bill: Bill,
}

impl Estimate {
    /// Estimates the minimum work of a run of a scene. Contacts, iterations, divided steps and
    /// searches before the first picture are left out, because only a run shows them.
    pub fn of(scene: &Scene, run: &PlannedRun) -> Self {
        Self::with(scene, run, &Extras::none())
    }

    /// Estimates a run of a scene, including the work of its bodies beyond their minimum.
    pub fn with(scene: &Scene, run: &PlannedRun, extras: &Extras) -> Self {
        let contacts_until = extras.contacts_until(run.frames);
        let mut all = Self { frames: run.frames, contacts_until, ..Self::default() };
        for body in scene.panels.iter().flat_map(|panel| &panel.bodies) {
            all.nodes = all.nodes.saturating_add(body.setup.model.nodes() as u64);
            all.springs = all.springs.saturating_add(body.setup.model.springs.len() as u64);
        }
        let start = match run.product {
            Product::Numbers => Bill::default(),
            _ if run.product.size().is_some() => {
                Bill::of(Item::Process, 1).and(Item::Checked, extras.searches())
            }
            _ => Bill::of(Item::Process, 1),
        };
        let simulation = simulation_bill(scene, run, extras);
        let written = run.frames - run.from.min(run.frames);
        let drawing = output_bill(scene, run, extras, all.nodes, written);
        let settling = match run.product {
            Product::Pictures { settles: true, .. } => {
                // The wait for rest has a time limit: see `MIN_SECONDS`.
                let maximum = simulation.nanoseconds().max((1e9 * MIN_SECONDS) as u128);
                settling_bill(scene, run, extras).at_most(maximum)
            }
            _ => Bill::default(),
        };
        all.start = start.nanoseconds();
        all.simulation = simulation.nanoseconds();
        all.drawing = drawing.nanoseconds();
        all.settling = settling.nanoseconds();
        all.bytes = bytes_of(run, all.nodes).saturating_mul(written.into());
        for bill in [start, simulation, drawing, settling] {
            all.bill.add_times(&bill, 1);
        }
        all
    }

    /// Returns the total time in nanoseconds of one core.
    pub fn work(&self) -> u128 {
        let parts = [self.start, self.simulation, self.settling, self.drawing];
        parts.into_iter().fold(0, u128::saturating_add)
    }

    /// Returns a line for each number above half of its limit: `frames: 600 of at most 1000`.
    pub fn near(&self, limits: &Limits) -> Vec<String> {
        type NearLimit<'a> = (&'a str, [u128; 2], &'a dyn Fn([u128; 2]) -> [String; 2]);
        let counts = |pair: [u128; 2]| pair.map(count);
        let rows: [NearLimit<'_>; 5] = [
            ("frames", [self.frames, limits.frames].map(u128::from), &counts),
            ("nodes", [self.nodes, limits.nodes].map(u128::from), &counts),
            ("springs", [self.springs, limits.springs].map(u128::from), &counts),
            ("work", [self.work(), limits.work], &compared_durations),
            ("output", [self.bytes, limits.bytes_out], &compared_bytes),
        ];
        let is_near = |[found, maximum]: [u128; 2]| found > maximum / 2;
        rows.into_iter()
            .filter(|(_, pair, _)| is_near(*pair))
            .map(|(what, pair, text)| format!("{what}: {}", text(pair).join(" of at most ")))
            .collect()
    }
}

/// Returns the bytes of a written frame.
fn bytes_of(run: &PlannedRun, nodes: u64) -> u128 {
    match run.product {
        Product::Pictures { size: [width, height], .. } => {
            u128::from(width) * u128::from(height) / u128::from(PIXELS_PER_BYTE)
        }
        Product::Rows => u128::from(nodes) * u128::from(BYTES_PER_ROW),
        Product::Export { bytes, .. } => bytes.into(),
        _ => 0,
    }
}

/// Returns the bill of all simulated frames. Frames before time 0 count too, and so do frames that
/// are simulated again for the view, for the scale of colours, or for motion blur.
fn simulation_bill(scene: &Scene, run: &PlannedRun, extras: &Extras) -> Bill {
    let is_drawn = run.product.size().is_some();
    let mut all = Bill::default();
    // Frame 0 is the initial state.
    let frames = run.frames.saturating_sub(1);
    let blurred = if scene.motion_blur.is_some() { run.frames } else { 0 };
    let others = match is_drawn {
        true => [pass_frames(scene, run), scale_frames(scene), blurred],
        false => [0; 3],
    };
    let mut groups = Groups::default();
    for (number, body) in bodies(scene).enumerate() {
        let setup = &*body.setup;
        let a_frame = match run.product {
            Product::Energies => setup.ledger_bill(),
            Product::Topology { each_step } => topology_bill(setup, each_step),
            _ if is_drawn && body.shows_forces() => setup.ledger_bill(),
            _ if is_drawn => groups.frame_bill(scene, body),
            _ => setup.frame_bill(),
        };
        all.add_times(&a_frame, frames.saturating_add(setup.warm_up).into());
        all.add_times(&extras.of(number, frames), 1);
        // The other runs stop where a body diverges.
        let stop = extras.diverged(number).unwrap_or(u64::MAX);
        for more in others {
            all.add_times(&a_frame, more.min(stop).into());
            all.add_times(&extras.of(number, more), 1);
        }
        all.add_times(&setup.changes_bill(), 1);
    }
    all
}

/// Groups of bodies that a kernel may advance together, each with the bill of a frame of one body.
#[derive(Default)]
struct Groups<'a> {
    kinds: Vec<(&'a Setup, Bill)>,
}

impl<'a> Groups<'a> {
    /// Returns the bill of a frame of a body that is advanced together with its group.
    fn frame_bill(&mut self, scene: &Scene, body: &'a Body) -> Bill {
        let setup = &*body.setup;
        let known = self.kinds.iter().find(|(other, _)| may_share_batch(setup, other));
        if let Some((_, bill)) = known {
            return bill.clone();
        }
        let count = bodies(scene).filter(|other| may_share_batch(setup, &other.setup)).count();
        // Only a simulation knows whether a kernel accepts it. Starting one takes time.
        let bill = match count {
            0 | 1 => setup.frame_bill(),
            _ => {
                let one = Setup { warm_up: 0, ..setup.clone() };
                frame_bill_among(&mut Simulation::new(Arc::new(one)), count)
            }
        };
        self.kinds.push((setup, bill.clone()));
        bill
    }
}

/// Whether two setups may be in one group: equal sizes, the same method, and equally many forces.
fn may_share_batch(one: &Setup, other: &Setup) -> bool {
    one.model.nodes() == other.model.nodes()
        && one.model.springs.len() == other.model.springs.len()
        && one.model.arrangement == other.model.arrangement
        && one.method.info().name == other.method.info().name
        && one.substeps == other.substeps
        && one.forces.len() == other.forces.len()
        && one.contacts.is_empty() == other.contacts.is_empty()
}

/// Returns the bill of all frames that are drawn or written.
fn output_bill(scene: &Scene, run: &PlannedRun, extras: &Extras, nodes: u64, written: u64) -> Bill {
    let (mut each, mut once) = (Bill::default(), Bill::default());
    match run.product {
        Product::Pictures { size, .. } | Product::Film { size, .. } | Product::Shown { size } => {
            let pixels = u64::from(size[0]) * u64::from(size[1]);
            let moments = scene.motion_blur.map_or(1, |blur| blur.samples);
            each.add_times(&empty_picture_bill(scene, size), moments.into());
            if moments > 1 {
                each.add(Item::BlurPixel, pixels.saturating_mul(moments.into()));
            }
            let encoded = match run.product {
                Product::Film { encoding, .. } => encoding.pixel(),
                _ => Item::FilePixel,
            };
            each.add(encoded, pixels);
            once = drawing::template_bill(scene, size);
            let frames = run.from.min(run.frames)..run.frames;
            once.add_times(&bodies_bill(scene, size, frames, extras), moments.into());
            if let Product::Film { encoding, .. } = run.product
                && encoding.needs_encoder()
            {
                once.add(Item::Encoder, 1);
            }
        }
        Product::Rows => each.add(Item::Row, nodes),
        Product::Export { work, .. } => each.add(Item::Exported, work),
        Product::Energies | Product::Topology { .. } | Product::Numbers => {}
    }
    once.add_times(&each, written.into());
    once
}

/// Returns the bill of the frames until bodies are at rest.
fn settling_bill(scene: &Scene, run: &PlannedRun, extras: &Extras) -> Bill {
    let mut all = Bill::default();
    for (number, panel, body) in numbered(scene) {
        let estimated = || frames_to_rest(scene, panel, body, run.frames);
        let frames = extras.rested(number).unwrap_or_else(estimated);
        let frames = frames.min(extras.diverged(number).unwrap_or(u64::MAX));
        let mut bill = body.setup.frame_bill().times(frames.into());
        bill.add_times(&extras.of(number, frames), 1);
        all.add_times(&bill, 1);
    }
    all
}

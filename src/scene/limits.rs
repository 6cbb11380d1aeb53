//! What is refused because it would take too much memory, time or disk. Everything is counted before anything is allocated for it.
//!
//! The defaults keep `catena check` below 1.6 GB of memory and a few seconds for any bytes at all, and a run below some days and
//! a usual disk. [`Limits::unlimited`] leaves them to the machine.

use super::build::Scene;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::load::SceneText;
use super::locate::locate;
use super::values::GREATEST_SIDE;
use crate::sim::Setup;
use crate::text::number::{bytes, count};

/// The caps. What is exactly at a cap passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a scene file.
    pub file_bytes: u64,
    /// Words, numbers, texts and brackets of a scene file.
    pub tokens: u64,
    /// Entries of one list.
    pub list: u64,
    /// Bytes of one text with its quotation marks.
    pub text: u64,
    /// Bytes of one word or number.
    pub word: u64,
    /// Panels of a scene.
    pub panels: u64,
    /// Bodies of a panel.
    pub bodies: u64,
    /// Bodies of all panels together.
    pub all_bodies: u64,
    /// Nodes of all bodies together.
    pub nodes: u64,
    /// Springs of all bodies together.
    pub springs: u64,
    /// Colliders of all bodies together.
    pub colliders: u64,
    /// Bytes of the labels of all panels and bodies together.
    pub labels: u64,
    /// Entries of lists and options of methods, curves and the like, of all bodies together. A list of the base counts in each panel.
    pub entries: u64,
    /// Colliders and listed forces times nodes, summed over the bodies: each node is held beside each of them.
    pub encounters: u64,
    /// Frames of a run.
    pub frames: u64,
    /// Width or height of a picture.
    pub side: u64,
    /// Pixels of a picture.
    pub pixels: u64,
    /// Steps times nodes, springs and encounters of a run.
    pub work: u128,
    /// Bytes that a run writes, about.
    pub bytes_out: u128,
}

/// Memory that a node takes in a running simulation: state, method and spring, about.
pub(super) const BYTES_A_NODE: u64 = 400;

/// Pixels of a frame for each byte of its file, about: frames of scenes/ have 2.5 (a cloth in a small picture) to 40.
const PIXELS_A_BYTE: u64 = 4;

/// Nanoseconds to draw and encode a picture, whatever is in it; a hundred pixels of it; and a spring.
const PICTURE: u128 = 100_000;
const PIXELS: u128 = 10;
const DRAWN_SPRING: u128 = 1500;

/// Bytes of a row of a trace, about: time, number and six numbers with all their digits.
const BYTES_A_ROW: u64 = 150;

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 1 << 20,
            tokens: 1 << 17,
            list: 65_536,
            text: 4096,
            word: 1024,
            panels: 2048,
            bodies: 64,
            all_bodies: 4096,
            nodes: 1_000_000,
            springs: 6_000_000,
            colliders: 1024,
            labels: 1 << 17,
            entries: 1 << 17,
            encounters: 50_000_000,
            frames: 1_000_000,
            side: GREATEST_SIDE,
            // A canvas takes 12 bytes a pixel.
            pixels: 1 << 24,
            // A step of a node or spring takes 1 to 10 ns on one core: a day at the least.
            work: 100_000_000_000_000,
            bytes_out: 256 << 30,
        }
    }
}

impl Limits {
    /// No caps but those of the arithmetic: what does not fit then fails when memory or disk are full.
    pub fn unlimited() -> Self {
        let most = u64::MAX;
        Self {
            // A larger one would not be read to its end within hours.
            file_bytes: 1 << 30,
            tokens: most,
            list: most,
            text: most,
            word: most,
            panels: 1 << 20,
            bodies: 1 << 20,
            all_bodies: 1 << 20,
            // 400 bytes a node, and 32 a spring.
            nodes: 1 << 40,
            springs: 1 << 42,
            colliders: most,
            labels: most,
            entries: most,
            encounters: most,
            frames: most,
            side: most,
            pixels: 1 << 32,
            work: u128::MAX,
            bytes_out: u128::MAX,
        }
    }

    /// Refuses a run of a scene that would take too long, write too much or draw too large pictures.
    ///
    /// # Errors
    /// When it would; the message says how much, and names the field or the option to lower.
    pub fn check_run(&self, text: &SceneText, scene: &Scene, run: &Run) -> Result<(), SceneError> {
        let frames = match (run.from, run.frames == scene.frames) {
            (1.., _) => "--frame-range",
            (0, true) => "frames",
            (0, false) => "--frames",
        };
        let refuse = |path: &str, fault: Fault| {
            let span = locate(&text.text, &format!("base.{path}"));
            let fault = Fault { field: Some(path.into()), span, ..fault };
            Err(SceneError::new(&text.origin, &text.text, fault))
        };
        let advice = |what: &str| format!("lower {what}; {LIFT}");
        if run.frames > self.frames {
            let fault = too_many(run.frames, "frames", self.frames);
            return refuse(frames, fault.help(advice(&format!("`{frames}`"))));
        }
        if let Product::Pictures { size, .. } = run.product {
            let field = if size == scene.size { "size" } else { "--size" };
            let [width, height] = size.map(u64::from);
            if let Some(side) = [width, height].into_iter().find(|side| *side > self.side) {
                let fault = too_many(side, "pixels along a side", self.side);
                return refuse(field, fault.help(advice(&format!("`{field}`"))));
            }
            if width * height > self.pixels {
                let fault = too_many(width * height, "pixels", self.pixels);
                return refuse(field, fault.help(advice(&format!("`{field}`"))));
            }
        }
        let estimate = Estimate::of(scene, run);
        if estimate.work > self.work {
            let what = format!(
                "{} frames take about {} times a node, spring or encounter in a step, more than {}",
                run.frames,
                count(estimate.work),
                count(self.work)
            );
            let help = advice(&format!("`{frames}`, `substeps` or the number of nodes"));
            return refuse(frames, Fault::new(what).help(help));
        }
        if estimate.settling > self.work {
            let what = format!(
                "waiting for rest may take {} times a node, spring or encounter in a step, more than {}",
                count(estimate.settling),
                count(self.work)
            );
            let help = advice("`rest.limit` or `substeps`, or render with --no-steady");
            return refuse("rest.limit", Fault::new(what).help(help));
        }
        if estimate.bytes > self.bytes_out {
            let what = format!(
                "{} frames would be about {}, more than {}",
                run.frames - run.from.min(run.frames),
                bytes(estimate.bytes),
                bytes(self.bytes_out)
            );
            let help = advice(&format!("`{frames}` or `size`"));
            return refuse(frames, Fault::new(what).help(help));
        }
        Ok(())
    }
}

/// How a message says that a limit can be lifted.
pub(super) const LIFT: &str = "--unlimited lifts this limit";

/// The fault of a count above its limit.
pub(super) fn too_many(found: u64, what: &str, most: u64) -> Fault {
    Fault::new(format!("{found} {what} are more than the limit of {most}"))
        .help(format!("leave some out; {LIFT}"))
}

/// What a command makes of a scene, with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Frames that are simulated.
    pub frames: u64,
    /// The first of them that is written.
    pub from: u64,
    /// What is written.
    pub product: Product,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A picture a frame.
    Pictures {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Whether the ropes run on until they rest.
        settles: bool,
    },
    /// A row a node and frame.
    Rows,
    /// Some numbers.
    Numbers,
}

impl Run {
    /// So many frames, from the first on.
    pub fn up_to(frames: u64, product: Product) -> Self {
        Self { frames, from: 0, product }
    }

    /// What `catena render` makes where no option says otherwise.
    pub fn of(scene: &Scene) -> Self {
        Self::up_to(scene.frames, Product::Pictures { size: scene.size, settles: true })
    }
}

/// Nanoseconds of one core that a frame of a body takes to simulate at least, about.
pub fn frame_cost(setup: &Setup) -> u128 {
    setup.frame_cost()
}

/// Nanoseconds of one core that a frame of a scene takes to draw and encode, about, at so many pixels.
pub fn drawing_cost(scene: &Scene, [width, height]: [u32; 2]) -> u128 {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let springs = bodies.map(|body| body.setup.model.springs.len() as u128).sum::<u128>();
    let pixels = u128::from(width) * u128::from(height);
    PICTURE + pixels * PIXELS / 100 + springs * DRAWN_SPRING
}

/// What a run takes, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Frames.
    pub frames: u64,
    /// Nodes of all bodies.
    pub nodes: u64,
    /// Springs of all bodies.
    pub springs: u64,
    /// Steps times nodes, springs and encounters of all frames.
    pub work: u128,
    /// The same until the ropes are given up to come to rest.
    pub settling: u128,
    /// Bytes that are written.
    pub bytes: u128,
}

impl Estimate {
    /// Counts. The arithmetic cannot overflow: each factor has 64 bits at most and is far from using them.
    pub fn of(scene: &Scene, run: &Run) -> Self {
        let mut all = Self { frames: run.frames, ..Self::default() };
        for panel in &scene.panels {
            for setup in panel.bodies.iter().map(|body| &*body.setup) {
                let nodes = setup.model.nodes() as u64;
                let springs = setup.model.springs.len() as u64;
                let solids = setup.contacts.colliders.len() as u64;
                all.nodes = all.nodes.saturating_add(nodes);
                all.springs = all.springs.saturating_add(springs);
                let a_step = u128::from(nodes) * u128::from(solids + 1) + u128::from(springs);
                let a_frame = a_step.saturating_mul(u128::from(setup.substeps));
                let times = |frames: u64| a_frame.saturating_mul(u128::from(frames));
                all.work = all.work.saturating_add(times(run.frames));
                if let Product::Pictures { settles: true, .. } = run.product {
                    let until = times(panel.rest.limit.max(run.frames));
                    all.settling = all.settling.saturating_add(until);
                }
            }
        }
        let a_frame = match run.product {
            Product::Pictures { size: [width, height], .. } => {
                u128::from(width) * u128::from(height) / u128::from(PIXELS_A_BYTE)
            }
            Product::Rows => u128::from(all.nodes) * u128::from(BYTES_A_ROW),
            Product::Numbers => 0,
        };
        all.bytes = a_frame.saturating_mul(u128::from(run.frames - run.from.min(run.frames)));
        all
    }

    /// What takes more than half of a limit, a line each: how much, and of how much.
    pub fn near(&self, limits: &Limits) -> Vec<String> {
        type Row<'a> = (&'a str, u128, u128, &'a dyn Fn(u128) -> String);
        let rows: [Row<'_>; 6] = [
            ("frames", u128::from(self.frames), limits.frames.into(), &count),
            ("nodes", u128::from(self.nodes), limits.nodes.into(), &count),
            ("springs", u128::from(self.springs), limits.springs.into(), &count),
            ("work", self.work, limits.work, &count),
            ("work until rest", self.settling, limits.work, &count),
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

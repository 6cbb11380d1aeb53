//! What is refused because it would take too much memory, time or disk. Everything is counted
//! before anything is allocated for it.
//!
//! The defaults keep `catena check` below 1.6 GB of memory and a few seconds for any bytes at all,
//! and a run of a scene at about a minute. What is not known before a run, as steps that a method
//! chooses and nodes that touch each other, is counted while it goes on, within the [`Budget`] that
//! is left. [`Limits::unlimited`] leaves all to the machine.

mod drawing;
mod estimate;

pub use drawing::drawing_cost;
pub use estimate::{Estimate, Product, Run, frame_cost};

use super::build::Scene;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::load::SceneText;
use super::locate::locate;
use super::values::GREATEST_SIDE;
use crate::sim::Budget;
use crate::text::number::{bytes, duration};
use std::sync::Arc;

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
    /// Entries of lists and options of methods, curves and the like, of all bodies together. A list
    /// of the base counts in each panel.
    pub entries: u64,
    /// Colliders and listed forces times nodes, summed over the bodies: each node is held beside
    /// each of them.
    pub encounters: u64,
    /// Frames of a run.
    pub frames: u64,
    /// Width or height of a picture.
    pub side: u64,
    /// Pixels of a picture.
    pub pixels: u64,
    /// Nanoseconds of one core that a run takes, as they are estimated.
    pub work: u128,
    /// Pairs of nodes of one body that may touch each other in a step.
    pub pairs: u64,
    /// Bytes that a run writes, about.
    pub bytes_out: u128,
}

/// Memory that a node takes in a running simulation: state, method and spring, about.
pub(super) const BYTES_A_NODE: u64 = 400;

/// Nanoseconds of a minute.
const MINUTE: u128 = 60_000_000_000;

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
            work: MINUTE,
            // Each takes about 40 bytes.
            pairs: 4_000_000,
            bytes_out: 32 << 30,
        }
    }
}

impl Limits {
    /// No caps but those of the arithmetic: what does not fit then fails when memory or disk are
    /// full.
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
            pairs: u64::MAX,
            bytes_out: u128::MAX,
        }
    }

    /// Refuses a run of a scene that would take too long, write too much or draw too large
    /// pictures.
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
        if let Product::Pictures { size, .. } | Product::Film { size } = run.product {
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
        if estimate.work() > self.work {
            let (what, ways) = match run.product {
                _ if estimate.drawing <= self.work / 2 => ("", "`substeps` or the number of nodes"),
                Product::Pictures { .. } | Product::Film { .. } => {
                    (", most of it to draw", "`size` or the number of nodes")
                }
                _ => (", most of it to write", "the number of nodes"),
            };
            let what = format!(
                "{} frames would take about {} of one core{what}; the limit is {}",
                run.frames,
                duration(estimate.work()),
                duration(self.work)
            );
            let minutes = estimate.work().div_ceil(MINUTE);
            let help =
                format!("lower `{frames}`, {ways}; --minutes {minutes} allows it, and {LIFT}");
            return refuse(frames, Fault::new(what).help(help));
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

    /// The same with so many minutes of one core.
    #[must_use]
    pub fn with_minutes(self, minutes: f64) -> Self {
        Self { work: (minutes * MINUTE as f64) as u128, ..self }
    }

    /// Gives each body what its simulations may take while they go on. Bodies whose work is not
    /// known before get what is left by all that is, in equal shares, beside the least that they
    /// take themselves.
    pub fn allot(&self, scene: &mut Scene, run: &Run) {
        let left = self.work.saturating_sub(Estimate::of(scene, run).work());
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let count = bodies.filter(|body| body.setup.is_open()).count().max(1) as u128;
        for body in scene.panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
            let least = body.setup.frame_cost().saturating_mul(u128::from(run.frames));
            let share =
                if body.setup.is_open() { least.saturating_add(left / count) } else { self.work };
            let work = u64::try_from(share).unwrap_or(u64::MAX);
            let budget = Budget { work, pairs: self.pairs };
            // Setups are shared between copies of a scene, and large.
            if body.setup.budget != budget {
                Arc::make_mut(&mut body.setup).budget = budget;
            }
        }
    }
}

/// How a message says that a limit can be lifted.
pub(super) const LIFT: &str = "--unlimited lifts this limit";

/// The fault of a count above its limit.
pub(super) fn too_many(found: u64, what: &str, most: u64) -> Fault {
    Fault::new(format!("{found} {what} are more than the limit of {most}"))
        .help(format!("leave some out; {LIFT}"))
}

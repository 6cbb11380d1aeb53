//! Limits of memory, time and disk. Everything is counted before anything is allocated for it.
//!
//! The defaults keep `catena check` below 1.6 GB of memory and a few seconds for any bytes at all,
//! and a run of a scene at about a minute. What only a run shows, such as steps that a method
//! chooses and nodes that touch each other, is counted during the run, within the
//! [`Budget`](catena_sim::Budget) that is left. [`Limits::unlimited`] leaves all to the machine.

mod drawing;
mod estimate;
mod run;

pub use drawing::{drawing_cost, facets_advice};
pub use estimate::{Estimate, PlannedRun, Product, frame_cost, price_factor};

use super::access::Access;
use super::diagnostic::Fault;
use super::values::GREATEST_SIDE;

/// The limits. A number equal to its limit passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a scene file.
    pub file_bytes: u64,
    /// Bytes of a file of points or of a mesh.
    pub data_bytes: u64,
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
    /// in the base counts in each panel.
    pub entries: u64,
    /// Colliders and listed forces times nodes, summed over all bodies: each step tests all of
    /// these pairs.
    pub encounters: u64,
    /// Frames of a run.
    pub frames: u64,
    /// Width or height of a picture.
    pub side: u64,
    /// Pixels of a picture.
    pub pixels: u64,
    /// Estimated nanoseconds of one core of a run.
    pub work: u128,
    /// Pairs of nodes of one body that may touch each other in a step.
    pub pairs: u64,
    /// Estimated bytes that a run writes.
    pub bytes_out: u128,
    /// Files outside of its own folder that a scene may read.
    pub access: Access,
}

/// Approximate memory of a node in a running simulation: state, method and springs.
pub(super) const BYTES_A_NODE: u64 = 400;

/// Number of the longest runs that a sweep may take as much work as: an hour by default.
const SWEEP_RUNS: u128 = 60;

/// Nanoseconds that every sweep may take: reading scenes and writing rows has a price, too.
const LEAST_SWEEP: u128 = 1_000_000_000;

/// Nanoseconds of a minute.
const MINUTE: u128 = 60_000_000_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 1 << 20,
            data_bytes: 64 << 20,
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
            access: Access::default(),
        }
    }
}

impl Limits {
    /// Only the limits of the arithmetic: a scene that is too large fails when memory or disk is
    /// full.
    pub fn unlimited() -> Self {
        let most = u64::MAX;
        Self {
            // Reading a larger one would take hours.
            file_bytes: 1 << 30,
            data_bytes: 1 << 32,
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
            access: Access::default(),
        }
    }

    /// Estimated nanoseconds of one core that a sweep, or a shard of one, may take in all.
    pub fn sweep_work(&self) -> u128 {
        self.work.saturating_mul(SWEEP_RUNS).max(LEAST_SWEEP)
    }

    /// These limits with so many minutes of one core.
    #[must_use]
    pub fn with_minutes(self, minutes: f64) -> Self {
        Self { work: (minutes * MINUTE as f64) as u128, ..self }
    }

    /// Replaces the files outside of its own folder that a scene may read.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }
}

/// The words of a message that a limit can be lifted.
pub(super) const LIFT: &str = "--unlimited lifts this limit";

/// The fault of a count above its limit, with advice to leave some out.
pub(super) fn too_many(found: u64, what: &str, most: u64) -> Fault {
    Fault::new(format!("{found} {what} are more than the limit of {most}"))
        .help(format!("leave some out; {LIFT}"))
}

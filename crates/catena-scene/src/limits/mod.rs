//! Limits of memory, time and disk. Counts are checked before memory is allocated for them.
//!
//! The defaults keep `catena check` below 1.6 GB of memory and a few seconds for any input, and a
//! run at about a minute. Some costs appear only during a run, such as variable steps and contacts
//! of nodes. Such costs are counted against the remaining [`Budget`](catena_sim::Budget).
//! [`Limits::unlimited`] leaves all limits to the machine.

mod drawing;
mod estimate;
mod extent;
mod passes;
mod planned;
mod rest;
mod run;
mod sample;

pub use drawing::facets_advice;
pub use estimate::{Estimate, frame_cost};
pub use passes::{PASS_WORK, affordable_frames, pass_work, shows_frames, whole_pass_work};
pub use rest::MIN_SECONDS;
pub use sample::Extras;

use super::diagnostic::Fault;
use super::values::GREATEST_SIDE;
use crate::access::Access;
pub use crate::limits::planned::{FilmEncoding, PlannedRun, Product};

/// Limits of a scene and its runs. A number equal to its limit is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a scene file.
    pub file_bytes: u64,
    /// Bytes of a point file or mesh file.
    pub data_bytes: u64,
    /// Tokens of a scene file: words, numbers, strings and brackets.
    pub tokens: u64,
    /// Entries of one list.
    pub list: u64,
    /// Bytes of one string including its quotation marks.
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
    /// List entries and options of choices such as methods and curves, of all bodies together. A
    /// list in the base counts once per panel.
    pub entries: u64,
    /// Pairs of a node with a collider or listed force, summed over all bodies. Each step tests all
    /// of these pairs.
    pub encounters: u64,
    /// Frames of a run.
    pub frames: u64,
    /// Width or height of a picture in pixels.
    pub side: u64,
    /// Pixels of a picture.
    pub pixels: u64,
    /// Estimated time of a run in nanoseconds of one core.
    pub work: u128,
    /// Pairs of nodes of one body that may touch in a step.
    pub pairs: u64,
    /// Estimated output of a run in bytes.
    pub bytes_out: u128,
    /// Files outside its own folder that a scene may read.
    pub access: Access,
}

/// Approximate memory per node of a running simulation in bytes: state, method and springs.
pub(super) const BYTES_PER_NODE: u64 = 400;

/// Number of maximum-length runs that the work of a sweep may equal: an hour by default.
const SWEEP_RUNS: u128 = 60;

/// Minimum time limit of a sweep in nanoseconds, because reading scenes and writing rows also takes
/// time.
const MIN_SWEEP_WORK: u128 = 1_000_000_000;

/// Nanoseconds per minute.
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
            // A canvas takes 12 bytes per pixel.
            pixels: 1 << 24,
            work: MINUTE,
            // Each pair takes about 40 bytes.
            pairs: 4_000_000,
            bytes_out: 32 << 30,
            access: Access::default(),
        }
    }
}

impl Limits {
    /// Returns the limits of the arithmetic only. A scene that is too large fails when memory or
    /// disk is full.
    pub fn unlimited() -> Self {
        let maximum = u64::MAX;
        Self {
            // Reading a larger file would take hours.
            file_bytes: 1 << 30,
            data_bytes: 1 << 32,
            tokens: maximum,
            list: maximum,
            text: maximum,
            word: maximum,
            panels: 1 << 20,
            bodies: 1 << 20,
            all_bodies: 1 << 20,
            // The memory is 400 bytes per node and 32 per spring.
            nodes: 1 << 40,
            springs: 1 << 42,
            colliders: maximum,
            labels: maximum,
            entries: maximum,
            encounters: maximum,
            frames: maximum,
            side: maximum,
            pixels: 1 << 32,
            work: u128::MAX,
            pairs: u64::MAX,
            bytes_out: u128::MAX,
            access: Access::default(),
        }
    }

    /// Returns the time limit of a sweep, or of one shard, in nanoseconds of one core.
    pub fn sweep_work(&self) -> u128 {
        self.work.saturating_mul(SWEEP_RUNS).max(MIN_SWEEP_WORK)
    }

    /// Returns the work of a search for rest as a multiple of its default. The multiple is the
    /// maximum run time in minutes, at least 1, or infinite if there is no limit.
    pub fn effort(&self) -> f64 {
        match self.work {
            u128::MAX => f64::INFINITY,
            work => (work as f64 / MINUTE as f64).max(1.0),
        }
    }

    /// Sets the time limit of a run in minutes of one core.
    #[must_use]
    pub fn with_minutes(self, minutes: f64) -> Self {
        Self { work: (minutes * MINUTE as f64) as u128, ..self }
    }

    /// Sets the files outside its own folder that a scene may read.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }
}

/// Advice on lifting a limit.
pub(super) const LIFT: &str = "--unlimited lifts this limit";

/// Returns the fault of a count above its limit, with advice to reduce it.
pub(super) fn too_many(found: u64, what: &str, maximum: u64) -> Fault {
    Fault::new(format!("{found} {what} are more than the limit of {maximum}"))
        .help(format!("remove some of them; {LIFT}"))
}

//! Where a command spent its time.

use crate::instructions::Instructions;
use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Reading the scene, laying it out and making the folder ready.
    Prepare,
    /// Simulating the frames.
    Simulate,
    /// Drawing them.
    Draw,
    /// Making PNG files of them.
    Encode,
    /// Hashing the files.
    Hash,
    /// Writing the files.
    Write,
    /// Simulating on until the bodies rest.
    Settle,
    /// Drawing and writing the steady-state comparison.
    Steady,
}

impl Stage {
    const ALL: [Self; 8] = [
        Self::Prepare,
        Self::Simulate,
        Self::Draw,
        Self::Encode,
        Self::Hash,
        Self::Write,
        Self::Settle,
        Self::Steady,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Prepare => "prepare",
            Self::Simulate => "simulate",
            Self::Draw => "draw",
            Self::Encode => "encode",
            Self::Hash => "hash",
            Self::Write => "write",
            Self::Settle => "settle",
            Self::Steady => "steady.png",
        }
    }
}

/// Time spent in each stage, by all threads together.
pub(super) struct Timings {
    start: Instant,
    nanoseconds: [AtomicU64; Stage::ALL.len()],
}

impl Timings {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), nanoseconds: Default::default() }
    }

    /// Does the work, and counts the time that it takes.
    pub(super) fn time<R>(&self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        let spent = start.elapsed().as_nanos() as u64;
        self.nanoseconds[stage as usize].fetch_add(spent, Ordering::Relaxed);
        result
    }

    /// A table: milliseconds of each stage, for each of `frames`, and the share of all stages; then the time on the clock and
    /// the instructions that ran.
    pub(super) fn table(&self, frames: u64) -> String {
        let spent = |stage: Stage| self.nanoseconds[stage as usize].load(Ordering::Relaxed);
        let all: u64 = Stage::ALL.into_iter().map(spent).sum();
        let mut table = format!("{:<12}{:>12}{:>14}{:>9}", "stage", "ms", "us a frame", "share");
        for stage in Stage::ALL {
            let nanoseconds = spent(stage) as f64;
            // Writing to a string cannot fail.
            let _ = write!(
                table,
                "\n{:<12}{:>12.1}{:>14.1}{:>8.1}%",
                stage.name(),
                nanoseconds / 1e6,
                nanoseconds / 1e3 / frames.max(1) as f64,
                100.0 * nanoseconds / all.max(1) as f64,
            );
        }
        let wall = self.start.elapsed().as_secs_f64() * 1e3;
        let _ = write!(table, "\n{:<12}{wall:>12.1}", "on the clock");
        let _ = write!(table, "\n{:<12}{:>12}", "instructions", Instructions::best().name());
        table
    }
}

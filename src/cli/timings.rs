//! Table of `--timings`: the duration of each stage.

use crate::instructions::Instructions;
use crate::job::Stage;
use crate::sim::run::Path;
use crate::text::printable;
use std::{
    fmt::Write,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Stages and their names in the table.
const STAGES: [(Stage, &str); 8] = [
    (Stage::Prepare, "prepare"),
    (Stage::Simulate, "simulate"),
    (Stage::Draw, "draw"),
    (Stage::Encode, "encode"),
    (Stage::Hash, "hash"),
    (Stage::Write, "write"),
    (Stage::Settle, "settle"),
    (Stage::Steady, "steady.png"),
];

/// Time spent in each stage, summed over all threads.
pub(super) struct Timings {
    start: Instant,
    nanoseconds: [AtomicU64; STAGES.len()],
    /// Execution path of each body's steps.
    paths: Mutex<Vec<(String, String)>>,
}

impl Timings {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), nanoseconds: Default::default(), paths: Mutex::default() }
    }

    /// Adds time to a stage.
    pub(super) fn add(&self, stage: Stage, time: Duration) {
        self.nanoseconds[stage as usize].fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Stores the execution path of a body's steps.
    pub(super) fn take_path(&self, body: &str, path: &Path) {
        if let Ok(mut paths) = self.paths.lock() {
            let body = printable::line(body).into_owned();
            paths.retain(|(known, _)| *known != body);
            paths.push((body, path.to_string()));
        }
    }

    /// Table with the milliseconds of each stage, the microseconds per frame, and the share of the
    /// total. Further lines show the elapsed time, the vector instructions, and the execution path
    /// of each body's steps.
    pub(super) fn table(&self, frames: u64) -> String {
        let spent = |stage: Stage| self.nanoseconds[stage as usize].load(Ordering::Relaxed);
        let all: u64 = STAGES.into_iter().map(|(stage, _)| spent(stage)).sum();
        let mut table = format!("{:<12}{:>12}{:>14}{:>9}", "stage", "ms", "us a frame", "share");
        for (stage, name) in STAGES {
            let nanoseconds = spent(stage) as f64;
            // Writing to a string cannot fail.
            let _ = write!(
                table,
                "\n{:<12}{:>12.1}{:>14.1}{:>8.1}%",
                name,
                nanoseconds / 1e6,
                nanoseconds / 1e3 / frames.max(1) as f64,
                100.0 * nanoseconds / all.max(1) as f64,
            );
        }
        let wall = self.start.elapsed().as_secs_f64() * 1e3;
        let _ = write!(table, "\n{:<12}{wall:>12.1}", "on the clock");
        let _ = write!(table, "\n{:<12}{:>12}", "instructions", Instructions::best().name());
        for (body, path) in self.paths.lock().iter().flat_map(|paths| paths.iter()) {
            let _ = write!(table, "\n{body}: {path}");
        }
        table
    }
}

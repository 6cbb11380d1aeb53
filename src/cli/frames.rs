//! Simulates and draws frames, a chunk of frames at a time: while one chunk is drawn, the next is simulated.
//! Memory is bounded by the size of a chunk, and bytes do not depend on the number of threads.

use super::timings::{Stage, Timings};
use crate::analysis::settle::Ending;
use crate::output::{
    OutputError, atomic,
    flat::FlatEncoder,
    folder::{Folder, frame_name},
    hash::{NumberHash, sha256},
    manifest::FrameEntry,
};
use crate::render::{Painter, PanelShot, Tracker, canvas::Canvas};
use crate::scene::Scene;
use crate::sim::batch::Batch;
use rayon::prelude::*;
use std::{
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

/// Frames of a chunk at the most, and bytes of positions. The first chunk is one frame, so that the first picture is there soon.
const CHUNK_FRAMES: u64 = 64;
const CHUNK_BYTES: u64 = 32 << 20;

/// A frame that is simulated and not drawn yet.
struct Job {
    frame: u64,
    shots: Vec<PanelShot>,
    state_sha256: String,
}

/// What has been written, and which bodies diverged on the way, in the order of the scene.
pub(super) struct Drawn {
    pub(super) entries: Vec<FrameEntry>,
    pub(super) diverged: Vec<Option<Ending>>,
    /// How many steps of each body did not converge on the way to the last frame.
    pub(super) unconverged: Vec<u64>,
}

/// Writes the frames of a range into a folder. `on_frame` is told how many are written.
pub(super) fn write(
    scene: &Scene,
    painter: &Painter<'_>,
    range: Range<u64>,
    folder: &Folder,
    timings: &Timings,
    on_frame: impl Fn(u64) + Sync,
) -> Result<Drawn, OutputError> {
    let mut film = timings.time(Stage::Simulate, || Film::new(scene, range));
    let press = Press::new(painter, &film.shots(), timings);
    let written = AtomicU64::new(0);
    let print = |job: &Job| {
        let entry = press.print(job, folder)?;
        on_frame(written.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(entry)
    };

    let mut entries = Vec::new();
    let mut chunk = timings.time(Stage::Simulate, || film.chunk());
    while !chunk.is_empty() {
        let (drawn, next) = rayon::join(
            || chunk.par_iter().map(print).collect::<Result<Vec<_>, _>>(),
            || timings.time(Stage::Simulate, || film.chunk()),
        );
        entries.extend(drawn?);
        chunk = next;
    }
    Ok(Drawn { entries, diverged: film.diverged(), unconverged: film.unconverged })
}

/// Turns jobs into files.
struct Press<'a> {
    painter: &'a Painter<'a>,
    encoder: FlatEncoder,
    /// What each thread that draws needs, and room for the bytes of a file.
    canvases: Mutex<Vec<(Canvas, Vec<u8>)>>,
    timings: &'a Timings,
}

impl<'a> Press<'a> {
    /// `first` is frame 0, whatever frames are printed: it is the sample of the encoder, and files must not depend on the range.
    fn new(painter: &'a Painter<'a>, first: &[PanelShot], timings: &'a Timings) -> Self {
        let mut canvas = timings.time(Stage::Draw, || painter.canvas());
        timings.time(Stage::Draw, || painter.draw(&mut canvas, first));
        let encoder =
            timings.time(Stage::Encode, || FlatEncoder::new(painter.template(), canvas.image()));
        Self { painter, encoder, canvases: Mutex::new(vec![(canvas, Vec::new())]), timings }
    }

    fn print(&self, job: &Job, folder: &Folder) -> Result<FrameEntry, OutputError> {
        let Self { painter, timings, .. } = self;
        let spare = self.canvases.lock().ok().and_then(|mut canvases| canvases.pop());
        let (mut canvas, mut bytes) = spare.unwrap_or_else(|| (painter.canvas(), Vec::new()));
        timings.time(Stage::Draw, || painter.draw(&mut canvas, &job.shots));
        timings.time(Stage::Encode, || {
            self.encoder.encode(canvas.image(), canvas.changes(), &mut bytes);
        });
        let file = frame_name(job.frame);
        timings.time(Stage::Write, || atomic::write(&folder.file(&file), &bytes))?;
        let sha256 = timings.time(Stage::Hash, || sha256(&bytes));
        if let Ok(mut canvases) = self.canvases.lock() {
            canvases.push((canvas, bytes));
        }
        Ok(FrameEntry { frame: job.frame, file, sha256, state_sha256: job.state_sha256.clone() })
    }
}

/// The simulations of all panels, frame after frame.
struct Film {
    trackers: Vec<Tracker>,
    batch: Batch,
    range: Range<u64>,
    /// The frame that the trackers are at.
    at: u64,
    /// Steps of each body that did not converge so far.
    unconverged: Vec<u64>,
    /// Frames of the next chunk, and of any at the most.
    chunk: u64,
    most: u64,
}

impl Film {
    fn new(scene: &Scene, range: Range<u64>) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let unconverged = vec![0; bodies.clone().count()];
        let bytes: usize = bodies.map(|body| body.setup.initial.x.len() * size_of::<f64>()).sum();
        let most = (CHUNK_BYTES / bytes.max(1) as u64).clamp(1, CHUNK_FRAMES);
        let trackers = scene.panels.iter().map(Tracker::new).collect();
        Self { trackers, batch: Batch::default(), range, at: 0, unconverged, chunk: 1, most }
    }

    /// What all panels show now.
    fn shots(&self) -> Vec<PanelShot> {
        self.trackers.iter().map(|tracker| tracker.shot().clone()).collect()
    }

    /// For each body whether and when it diverged.
    fn diverged(&self) -> Vec<Option<Ending>> {
        let bodies = self.trackers.iter().flat_map(|tracker| &tracker.shot().bodies);
        bodies.map(|body| body.diverged.map(|frame| Ending::Diverged { frame })).collect()
    }

    /// The next frames to draw; none at the end.
    fn chunk(&mut self) -> Vec<Job> {
        let end = self.range.end.min(self.range.start + self.chunk);
        let jobs = (self.range.start..end).map(|frame| self.job(frame)).collect();
        self.range.start = end;
        self.chunk = self.most.min(2 * self.chunk);
        jobs
    }

    fn job(&mut self, frame: u64) -> Job {
        while self.at < frame {
            let all = self.trackers.iter_mut().flat_map(Tracker::simulations_mut);
            self.batch.advance_frames(&mut all.collect::<Vec<_>>());
            self.trackers.iter_mut().for_each(Tracker::look);
            let simulations = self.trackers.iter().flat_map(Tracker::simulations);
            for (count, simulation) in self.unconverged.iter_mut().zip(simulations) {
                *count += simulation.report().unconverged;
            }
            self.at += 1;
        }
        let mut hash = NumberHash::default();
        for simulation in self.trackers.iter().flat_map(Tracker::simulations) {
            let state = simulation.state();
            hash.add(&[state.t]);
            hash.add(&state.x);
            hash.add(&state.v);
        }
        Job { frame, shots: self.shots(), state_sha256: hash.finish() }
    }
}

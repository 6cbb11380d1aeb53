//! Simulates and draws frames, a chunk of frames at a time: while one chunk is drawn, the next is simulated.
//! Memory is bounded by the size of a chunk, and bytes do not depend on the number of threads.

use super::Failure;
use crate::analysis::settle::Ending;
use crate::output::{
    OutputError,
    folder::{Folder, frame_name},
    hash::{NumberHash, sha256},
    manifest::FrameEntry,
    png,
};
use crate::render::{Painter, PanelShot, Tracker, canvas::Canvas};
use crate::scene::Scene;
use rayon::prelude::*;
use std::{
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

/// Frames of a chunk at the most, and bytes of positions.
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
}

/// Writes the frames of a range into a folder. `on_frame` is told how many are written.
pub(super) fn write(
    scene: &Scene,
    painter: &Painter<'_>,
    range: Range<u64>,
    folder: &Folder,
    on_frame: impl Fn(u64) + Sync,
) -> Result<Drawn, Failure> {
    let mut film = Film::new(scene, range);
    let canvases = Mutex::new(Vec::new());
    let written = AtomicU64::new(0);

    let draw = |job: &Job| -> Result<FrameEntry, OutputError> {
        let mut canvas: Canvas = canvases
            .lock()
            .ok()
            .and_then(|mut pool| pool.pop())
            .unwrap_or_else(|| painter.canvas());
        painter.draw(&mut canvas, &job.shots);
        let file = frame_name(job.frame);
        let bytes = png::write(&folder.file(&file), canvas.image())?;
        if let Ok(mut pool) = canvases.lock() {
            pool.push(canvas);
        }
        on_frame(written.fetch_add(1, Ordering::Relaxed) + 1);
        let state_sha256 = job.state_sha256.clone();
        Ok(FrameEntry { frame: job.frame, file, sha256: sha256(&bytes), state_sha256 })
    };

    let mut entries = Vec::new();
    let mut chunk = film.chunk();
    while !chunk.is_empty() {
        let (drawn, next) = rayon::join(
            || chunk.par_iter().map(draw).collect::<Result<Vec<_>, _>>(),
            || film.chunk(),
        );
        entries.extend(drawn?);
        chunk = next;
    }
    Ok(Drawn { entries, diverged: film.diverged() })
}

/// The simulations of all panels, frame after frame.
struct Film {
    trackers: Vec<Tracker>,
    range: Range<u64>,
    /// The frame that the trackers are at.
    at: u64,
    chunk: u64,
}

impl Film {
    fn new(scene: &Scene, range: Range<u64>) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let bytes: usize = bodies.map(|body| body.setup.initial.x.len() * size_of::<f64>()).sum();
        let chunk = (CHUNK_BYTES / bytes.max(1) as u64).clamp(1, CHUNK_FRAMES);
        Self { trackers: scene.panels.iter().map(Tracker::new).collect(), range, at: 0, chunk }
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
        jobs
    }

    fn job(&mut self, frame: u64) -> Job {
        while self.at < frame {
            self.trackers.iter_mut().for_each(Tracker::advance_frame);
            self.at += 1;
        }
        let mut hash = NumberHash::default();
        for simulation in self.trackers.iter().flat_map(Tracker::simulations) {
            let state = simulation.state();
            hash.add(&[state.t]);
            hash.add(&state.x);
            hash.add(&state.v);
        }
        let shots = self.trackers.iter().map(|tracker| tracker.shot().clone()).collect();
        Job { frame, shots, state_sha256: hash.finish() }
    }
}

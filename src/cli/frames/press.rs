//! Turns simulated frames into pictures and files.

use super::Job;
use crate::cli::timings::{Stage, Timings};
use crate::output::{
    OutputError,
    atomic::{self, Care},
    flat::FlatEncoder,
    folder::{Folder, frame_name},
    hash::sha256,
    manifest::FrameEntry,
};
use crate::render::{Painter, PanelShot, canvas::Canvas};
use std::sync::Mutex;

/// Draws, with a canvas for each thread that does.
pub(in crate::cli) struct Easel<'a> {
    painter: &'a Painter<'a>,
    /// Canvases that nobody draws on now.
    canvases: Mutex<Vec<Canvas>>,
    timings: &'a Timings,
}

impl<'a> Easel<'a> {
    pub(in crate::cli) fn new(painter: &'a Painter<'a>, timings: &'a Timings) -> Self {
        Self { painter, canvases: Mutex::new(Vec::new()), timings }
    }

    /// A canvas with what panels show; [`Easel::give_back`] takes it back.
    pub(super) fn draw(&self, shots: &[PanelShot]) -> Canvas {
        let spare = self.canvases.lock().ok().and_then(|mut canvases| canvases.pop());
        self.timings.time(Stage::Draw, || {
            let mut canvas = spare.unwrap_or_else(|| self.painter.canvas());
            self.painter.draw(&mut canvas, shots);
            canvas
        })
    }

    pub(super) fn give_back(&self, canvas: Canvas) {
        if let Ok(mut canvases) = self.canvases.lock() {
            canvases.push(canvas);
        }
    }
}

/// Writes frames into a folder.
pub(in crate::cli) struct Press<'a> {
    easel: Easel<'a>,
    encoder: FlatEncoder,
    /// Room for the bytes of a file, for each thread.
    rooms: Mutex<Vec<Vec<u8>>>,
    folder: &'a Folder,
    care: Care,
    timings: &'a Timings,
}

impl<'a> Press<'a> {
    /// `first` is frame 0, whatever frames are printed: it is the sample of the encoder, and files must not depend on the range.
    pub(in crate::cli) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelShot],
        (folder, care): (&'a Folder, Care),
        timings: &'a Timings,
    ) -> Self {
        let easel = Easel::new(painter, timings);
        let canvas = easel.draw(first);
        let encoder =
            timings.time(Stage::Encode, || FlatEncoder::new(painter.template(), canvas.image()));
        easel.give_back(canvas);
        Self { easel, encoder, rooms: Mutex::default(), folder, care, timings }
    }

    /// Draws a frame and writes its file.
    pub(super) fn print(&self, job: &Job) -> Result<FrameEntry, OutputError> {
        let timings = self.timings;
        let canvas = self.easel.draw(&job.shots);
        let mut bytes =
            self.rooms.lock().ok().and_then(|mut rooms| rooms.pop()).unwrap_or_default();
        timings.time(Stage::Encode, || {
            self.encoder.encode(canvas.image(), canvas.changes(), &mut bytes);
        });
        self.easel.give_back(canvas);
        let file = frame_name(job.frame);
        timings.time(Stage::Write, || {
            atomic::write_carefully(&self.folder.file(&file), &bytes, self.care)
        })?;
        let sha256 = timings.time(Stage::Hash, || sha256(&bytes));
        if let Ok(mut rooms) = self.rooms.lock() {
            rooms.push(bytes);
        }
        Ok(FrameEntry { frame: job.frame, file, sha256, state_sha256: job.state_sha256.clone() })
    }
}

//! Turns simulated frames into pictures and files.

use super::{
    Job,
    pool::{Lent, Pool},
};
use crate::cli::timings::{Stage, Timings};
use crate::output::{
    OutputError, atomic::Durability, flat::FlatEncoder, folder::Folder, hash::sha256,
    journal::Journal, manifest::FrameEntry, names::frame_name,
};
use crate::render::{Painter, PanelFrame, canvas::Canvas};

/// Draws, with a canvas for each thread that does.
pub(in crate::cli) struct Easel<'a> {
    painter: &'a Painter<'a>,
    canvases: Pool<Canvas>,
    timings: &'a Timings,
}

impl<'a> Easel<'a> {
    pub(in crate::cli) fn new(painter: &'a Painter<'a>, timings: &'a Timings) -> Self {
        Self { painter, canvases: Pool::default(), timings }
    }

    /// A canvas with what panels show; [`Easel::give_back`] takes it back.
    pub(super) fn draw(&self, shots: &[PanelFrame]) -> Lent<Canvas> {
        self.timings.time(Stage::Draw, || {
            let mut canvas = self.canvases.take(|| self.painter.canvas());
            self.painter.draw(&mut canvas.thing, shots);
            canvas
        })
    }

    pub(super) fn give_back(&self, canvas: Lent<Canvas>) {
        self.canvases.give_back(canvas);
    }
}

/// Writes frames into a folder.
pub(in crate::cli) struct Press<'a> {
    easel: Easel<'a>,
    encoder: FlatEncoder,
    /// Room for the bytes of a file.
    rooms: Pool<Vec<u8>>,
    folder: &'a Folder,
    care: Durability,
    timings: &'a Timings,
}

impl<'a> Press<'a> {
    /// `first` is frame 0, whatever frames are printed: it is the sample of the encoder, and files must not depend on the range.
    pub(in crate::cli) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelFrame],
        (folder, care): (&'a Folder, Durability),
        timings: &'a Timings,
    ) -> Self {
        let easel = Easel::new(painter, timings);
        let canvas = easel.draw(first);
        let encoder = timings
            .time(Stage::Encode, || FlatEncoder::new(painter.template(), canvas.thing.changes()));
        easel.give_back(canvas);
        Self { easel, encoder, rooms: Pool::default(), folder, care, timings }
    }

    /// Draws a frame and writes its file. The journal says so before the file takes its name.
    pub(super) fn print(&self, job: &Job, journal: &Journal) -> Result<FrameEntry, OutputError> {
        let timings = self.timings;
        let canvas = self.easel.draw(&job.shots);
        let mut room = self.rooms.take(Vec::new);
        timings.time(Stage::Encode, || {
            self.encoder.encode(canvas.thing.changes(), &mut room.thing);
        });
        self.easel.give_back(canvas);
        let file = frame_name(job.frame);
        let sha256 = timings.time(Stage::Hash, || sha256(&room.thing));
        let state_sha256 = job.state_sha256.clone();
        let entry = FrameEntry { frame: job.frame, file, sha256, state_sha256 };
        timings.time(Stage::Write, || {
            self.folder.write(&entry.file, &room.thing, self.care, || journal.add(&entry))
        })?;
        self.rooms.give_back(room);
        Ok(entry)
    }
}

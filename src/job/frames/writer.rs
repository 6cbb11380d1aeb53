//! Draws simulated frames and writes them into a folder.

use super::{painter::FramePainter, pool::Pool, simulator::SimulatedFrame};
use crate::job::progress::{Progress, Stage, time};
use crate::output::{
    OutputError, atomic::Durability, flat::FlatEncoder, folder::Folder, hash::sha256,
    journal::Journal, manifest::FrameEntry, names::frame_name,
};
use crate::render::{Painter, PanelFrame};

/// Writes frames into a folder.
pub(in crate::job) struct FrameWriter<'a> {
    painter: FramePainter<'a>,
    encoder: FlatEncoder,
    /// For the bytes of files.
    buffers: Pool<Vec<u8>>,
    folder: &'a Folder,
    care: Durability,
    progress: &'a dyn Progress,
}

impl<'a> FrameWriter<'a> {
    /// `first` is frame 0, whichever frames are written: the encoder takes its table from it, and
    /// files must not depend on the range.
    pub(in crate::job) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelFrame],
        (folder, care): (&'a Folder, Durability),
        progress: &'a dyn Progress,
    ) -> Self {
        let painter = FramePainter::new(painter, progress);
        let canvas = painter.draw(first);
        let encoder = time(progress, Stage::Encode, || {
            FlatEncoder::new(painter.template(), canvas.value.changes())
        });
        painter.give_back(canvas);
        Self { painter, encoder, buffers: Pool::default(), folder, care, progress }
    }

    /// Draws a frame and writes its file. The journal names it before the file takes its name.
    pub(super) fn write(
        &self,
        frame: &SimulatedFrame,
        journal: &Journal,
    ) -> Result<FrameEntry, OutputError> {
        let progress = self.progress;
        let canvas = self.painter.draw(&frame.panels);
        let mut bytes = self.buffers.take(Vec::new);
        time(progress, Stage::Encode, || {
            self.encoder.encode(canvas.value.changes(), &mut bytes.value);
        });
        self.painter.give_back(canvas);
        let file = frame_name(frame.frame);
        let sha256 = time(progress, Stage::Hash, || sha256(&bytes.value));
        let state_sha256 = frame.state_sha256.clone();
        let entry = FrameEntry { frame: frame.frame, file, sha256, state_sha256 };
        time(progress, Stage::Write, || {
            self.folder.write(&entry.file, &bytes.value, self.care, || journal.add(&entry))
        })?;
        self.buffers.give_back(bytes);
        Ok(entry)
    }
}

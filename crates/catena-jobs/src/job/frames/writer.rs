//! Drawing and encoding of simulated frames, and writing them into a folder.

use super::{
    painter::FramePainter,
    pool::{Pool, Pooled},
};
use crate::job::progress::{Progress, Stage, time};
use catena_draw::frames::SimulatedFrame;
use catena_draw::{Painter, PanelFrame};
use catena_output::{
    OutputError, atomic::Durability, flat::FlatEncoder, folder::Folder, hash::sha256,
    journal::Journal, manifest::FrameEntry, names::frame_name, png,
};

/// Encodes frames as files.
pub(in crate::job) struct FrameEncoder<'a> {
    painter: FramePainter<'a>,
    encoder: FlatEncoder,
    /// Reusable buffers for encoded files.
    buffers: Pool<Vec<u8>>,
    progress: &'a dyn Progress,
}

/// A frame's entry in the manifest, and the bytes of its file.
pub(super) struct EncodedFrame {
    pub(super) entry: FrameEntry,
    pub(super) bytes: Pooled<Vec<u8>>,
}

impl<'a> FrameEncoder<'a> {
    /// Creates an encoder. `first` must be frame 0, even if it is not encoded: it determines the
    /// encoder's table, and files must not depend on the range of frames.
    pub(in crate::job) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelFrame],
        progress: &'a dyn Progress,
    ) -> Self {
        let painter = FramePainter::new(painter, progress);
        let canvas = painter.draw(first);
        let encoder = time(progress, Stage::Encode, || {
            FlatEncoder::new(painter.template(), canvas.value.changes())
        });
        painter.give_back(canvas);
        Self { painter, encoder, buffers: Pool::default(), progress }
    }

    /// Draws and encodes a frame. [`FrameEncoder::give_back`] returns the buffer for reuse.
    pub(super) fn encode(&self, frame: &SimulatedFrame) -> Result<EncodedFrame, OutputError> {
        let progress = self.progress;
        let mut canvas = self.painter.draw(&frame.panels);
        let mut bytes = self.buffers.take(Vec::new);
        let file = frame_name(frame.frame);
        time(progress, Stage::Encode, || match canvas.value.picture_with_alpha() {
            Some(image) => png::encode_translucent(&image, &mut bytes.value),
            None => {
                self.encoder.encode(canvas.value.changes(), &mut bytes.value);
                Ok(())
            }
        })
        .map_err(|error| OutputError::new("encode", &file, png::cause(error)))?;
        self.painter.give_back(canvas);
        let sha256 = time(progress, Stage::Hash, || sha256(&bytes.value));
        let state_sha256 = frame.state_sha256.clone();
        let entry = FrameEntry { frame: frame.frame, file, sha256, state_sha256 };
        Ok(EncodedFrame { entry, bytes })
    }

    pub(super) fn give_back(&self, bytes: Pooled<Vec<u8>>) {
        self.buffers.give_back(bytes);
    }
}

/// Writes frames into a folder.
pub(in crate::job) struct FrameWriter<'a> {
    encoder: FrameEncoder<'a>,
    folder: &'a Folder,
    care: Durability,
    progress: &'a dyn Progress,
}

impl<'a> FrameWriter<'a> {
    /// Creates a writer. `first` must be frame 0, as for [`FrameEncoder::new`].
    pub(in crate::job) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelFrame],
        (folder, care): (&'a Folder, Durability),
        progress: &'a dyn Progress,
    ) -> Self {
        Self { encoder: FrameEncoder::new(painter, first, progress), folder, care, progress }
    }

    /// Draws a frame and writes its file. The journal gets its entry before the file gets its final
    /// name.
    pub(super) fn write(
        &self,
        frame: &SimulatedFrame,
        journal: &Journal,
    ) -> Result<FrameEntry, OutputError> {
        let EncodedFrame { entry, bytes } = self.encoder.encode(frame)?;
        time(self.progress, Stage::Write, || {
            self.folder.write(&entry.file, &bytes.value, self.care, || journal.add(&entry))
        })?;
        self.encoder.give_back(bytes);
        Ok(entry)
    }
}

//! Drawing and encoding of simulated frames, and writing them into a folder.

use super::{
    painter::FramePainter,
    pictures,
    pool::{Pool, Pooled},
};
use crate::job::progress::{Progress, Stage, time};
use catena_draw::frames::SimulatedFrame;
use catena_draw::{Painter, PanelFrame, canvas::Canvas};
use catena_output::{
    OutputError,
    atomic::Durability,
    flat::FlatEncoder,
    folder::Folder,
    hash::sha256,
    journal::Journal,
    manifest::FrameEntry,
    names::{FrameFormat, FrameNames},
    png,
};
use std::io;

/// Encodes frames as files.
pub(in crate::job) struct FrameEncoder<'a> {
    painter: FramePainter<'a>,
    encoder: FlatEncoder,
    names: &'a FrameNames,
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
        names: &'a FrameNames,
        progress: &'a dyn Progress,
    ) -> Self {
        let painter = FramePainter::new(painter, progress);
        let canvas = painter.draw(first, &[]);
        let encoder = time(progress, Stage::Encode, || {
            FlatEncoder::new(painter.template(), canvas.value.changes())
        });
        painter.give_back(canvas);
        Self { painter, encoder, names, buffers: Pool::default(), progress }
    }

    /// Draws and encodes a frame. [`FrameEncoder::give_back`] returns the buffer for reuse.
    pub(super) fn encode(&self, frame: &SimulatedFrame) -> Result<EncodedFrame, OutputError> {
        let progress = self.progress;
        let mut canvas = self.painter.draw(&frame.panels, &frame.moments);
        let mut bytes = self.buffers.take(Vec::new);
        let file = self.names.file(frame.frame);
        let data = (self.names.format() == FrameFormat::Exr).then(|| {
            let before = frame.before.as_deref().unwrap_or(&frame.panels);
            self.painter.data(&frame.panels, before)
        });
        time(progress, Stage::Encode, || match (self.names.format(), &data) {
            (FrameFormat::Png, _) => self.encode_png(&mut canvas.value, &mut bytes.value),
            (FrameFormat::WebP, _) => {
                pictures::encode_webp(canvas.value.picture(), &mut bytes.value)
            }
            (FrameFormat::Exr, data) => {
                pictures::encode_exr(canvas.value.picture(), data.as_ref(), &mut bytes.value)
            }
        })
        .map_err(|cause| OutputError::new("encode", &file, cause))?;
        self.painter.give_back(canvas);
        let sha256 = time(progress, Stage::Hash, || sha256(&bytes.value));
        let state_sha256 = frame.state_sha256.clone();
        let entry = FrameEntry { frame: frame.frame, file, sha256, state_sha256 };
        Ok(EncodedFrame { entry, bytes })
    }

    fn encode_png(&self, canvas: &mut Canvas, bytes: &mut Vec<u8>) -> io::Result<()> {
        match canvas.picture_with_alpha() {
            Some(image) => png::encode_translucent(&image, bytes).map_err(png::cause),
            None => {
                self.encoder.encode(canvas.changes(), bytes);
                Ok(())
            }
        }
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
        names: &'a FrameNames,
        (folder, care): (&'a Folder, Durability),
        progress: &'a dyn Progress,
    ) -> Self {
        let encoder = FrameEncoder::new(painter, first, names, progress);
        Self { encoder, folder, care, progress }
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

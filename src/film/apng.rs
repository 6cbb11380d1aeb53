//! Animated PNG: each frame is the rectangle that changed, without loss.

use super::changes::{ChangedArea, FrameBefore, copy_area};
use super::{
    error::FilmError,
    options::{FilmOptions, FrameRate},
    sink::{FilmReport, FrameSink},
    writer::FilmWriter,
};
use crate::output::png::{cause, encoder};
use image::RgbImage;
use png::{ColorType, EncodingError, Writer};

pub(super) struct ApngSink {
    writer: Writer<FilmWriter>,
    out: FilmWriter,
    before: FrameBefore,
    /// A buffer for the changed rectangle.
    bytes: Vec<u8>,
    notes: Vec<String>,
}

impl ApngSink {
    pub(super) fn open(
        out: FilmWriter,
        options: &FilmOptions,
        size: [u32; 2],
        frames: u64,
    ) -> Result<Self, FilmError> {
        let failed = |error: EncodingError| out.refuse(cause(error));
        let count = u32::try_from(frames)
            .map_err(|_| FilmError::Usage("an APNG has at most 4294967295 frames".into()))?;
        let mut encoder = encoder(out.clone(), size, ColorType::Rgb);
        encoder.set_animated(count, options.plays.into()).map_err(failed)?;
        let ((above, below), is_exact) = delay(options.rate());
        encoder.set_frame_delay(above, below).map_err(failed)?;
        let writer = encoder.write_header().map_err(failed)?;
        let note = format!(
            "note: APNG has no room for the rate {}: each frame takes {above}/{below} s",
            options.rate()
        );
        let notes = if is_exact { Vec::new() } else { vec![note] };
        Ok(Self { writer, out, before: FrameBefore::default(), bytes: Vec::new(), notes })
    }

    fn write(&mut self, area: ChangedArea) -> Result<(), EncodingError> {
        if self.before.image().is_some() {
            // Position and size are set one by one, and the rectangle must stay inside of the
            // picture after each step.
            self.writer.set_frame_position(0, 0)?;
            self.writer.set_frame_dimension(area.width, area.height)?;
            self.writer.set_frame_position(area.x, area.y)?;
        }
        self.writer.write_image_data(&self.bytes)
    }
}

impl FrameSink for ApngSink {
    fn frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let area = self.before.changed(image);
        copy_area(image, area, &mut self.bytes);
        self.write(area).map_err(|error| self.out.refuse(cause(error)))?;
        self.before.replace(image);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        self.writer.finish().map_err(|error| self.out.refuse(cause(error)))?;
        self.out.finish()?;
        Ok(FilmReport { notes: self.notes, ..FilmReport::default() })
    }
}

/// The duration of a frame in seconds as a fraction of 16-bit numbers, and whether that is exact.
fn delay(rate: FrameRate) -> ((u16, u16), bool) {
    let exact = u16::try_from(rate.denominator()).ok().zip(u16::try_from(rate.numerator()).ok());
    if let Some(exact) = exact {
        return (exact, true);
    }
    // The larger number becomes the largest that fits, and the other is rounded.
    let (seconds, frames) = (u64::from(rate.denominator()), u64::from(rate.numerator()));
    let most = u64::from(u16::MAX);
    let greatest = seconds.max(frames);
    let scale = |n: u64| ((n * most + greatest / 2) / greatest).max(1) as u16;
    ((scale(seconds), scale(frames)), false)
}

//! Animated PNG: each frame is the rectangle that changed, without loss.

use super::changes::{ChangedArea, FrameBefore, copy_area};
use super::{
    error::FilmError,
    options::{FilmOptions, FrameRate},
    sink::{FilmReport, FilmShape, PixelSink},
    writer::FilmWriter,
};
use crate::film::sink::FrameLayout;
use crate::png::{cause, encoder};
use png::{ColorType, EncodingError, Writer};

pub(super) struct ApngSink {
    writer: Writer<FilmWriter>,
    out: FilmWriter,
    layout: FrameLayout,
    before: FrameBefore,
    /// Reusable buffer for the changed rectangle.
    bytes: Vec<u8>,
    notes: Vec<String>,
}

impl ApngSink {
    pub(super) fn open(
        out: FilmWriter,
        options: &FilmOptions,
        shape: FilmShape,
    ) -> Result<Self, FilmError> {
        let failed = |error: EncodingError| out.refuse(cause(error));
        let count = u32::try_from(shape.frames)
            .map_err(|_| FilmError::Usage("an APNG may have at most 4294967295 frames".into()))?;
        let color = if shape.has_alpha { ColorType::Rgba } else { ColorType::Rgb };
        let layout = FrameLayout::of(shape);
        let mut encoder = encoder(out.clone(), shape.size, color);
        encoder.set_animated(count, options.plays.into()).map_err(failed)?;
        let ((above, below), is_exact) = delay(options.rate());
        encoder.set_frame_delay(above, below).map_err(failed)?;
        let writer = encoder.write_header().map_err(failed)?;
        let note = format!(
            "note: APNG cannot store the rate {} exactly: each frame takes {above}/{below} s",
            options.rate()
        );
        let notes = if is_exact { Vec::new() } else { vec![note] };
        let before = FrameBefore::none(layout);
        Ok(Self { writer, out, layout, before, bytes: Vec::new(), notes })
    }

    fn write(&mut self, area: ChangedArea) -> Result<(), EncodingError> {
        if self.before.is_there() {
            // Position and size are set separately, and the rectangle must stay inside the picture
            // after each call.
            self.writer.set_frame_position(0, 0)?;
            self.writer.set_frame_dimension(area.width, area.height)?;
            self.writer.set_frame_position(area.x, area.y)?;
        }
        self.writer.write_image_data(&self.bytes)
    }
}

impl PixelSink for ApngSink {
    fn layout(&self) -> FrameLayout {
        self.layout
    }

    fn add_pixels(&mut self, pixels: &[u8]) -> Result<(), FilmError> {
        let area = self.before.changed(pixels);
        copy_area(pixels, self.layout, area, &mut self.bytes);
        self.write(area).map_err(|error| self.out.refuse(cause(error)))?;
        self.before.replace(pixels);
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<FilmReport, FilmError> {
        self.writer.finish().map_err(|error| self.out.refuse(cause(error)))?;
        self.out.finish()?;
        Ok(FilmReport { notes: self.notes, ..FilmReport::default() })
    }
}

/// Duration of a frame in seconds as a fraction of 16-bit numbers, and whether it is exact.
fn delay(rate: FrameRate) -> ((u16, u16), bool) {
    let exact = u16::try_from(rate.denominator()).ok().zip(u16::try_from(rate.numerator()).ok());
    if let Some(exact) = exact {
        return (exact, true);
    }
    // Scales the larger number to the 16-bit maximum, and rounds the other.
    let (seconds, frames) = (u64::from(rate.denominator()), u64::from(rate.numerator()));
    let maximum = u64::from(u16::MAX);
    let greatest = seconds.max(frames);
    let scale = |n: u64| ((n * maximum + greatest / 2) / greatest).max(1) as u16;
    ((scale(seconds), scale(frames)), false)
}

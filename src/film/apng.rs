//! Animated PNG: the rectangle that changed in each frame, without loss.

use super::changes::{Area, FrameBefore, cut};
use super::{
    error::FilmError,
    options::{FilmOptions, Rate},
    out::Out,
    sink::{FilmReport, FrameSink},
};
use crate::output::png::{cause, encoder};
use image::RgbImage;
use png::{ColorType, EncodingError, Writer};

pub(super) struct Apng {
    writer: Writer<Out>,
    out: Out,
    before: FrameBefore,
    /// Room to work in.
    bytes: Vec<u8>,
    notes: Vec<String>,
}

impl Apng {
    pub(super) fn open(
        out: Out,
        options: &FilmOptions,
        size: [u32; 2],
        frames: u64,
    ) -> Result<Self, FilmError> {
        let failed = |error: EncodingError| out.refuse(cause(error));
        let count = u32::try_from(frames)
            .map_err(|_| FilmError::Usage("an APNG has at most 4294967295 frames".into()))?;
        let mut encoder = encoder(out.clone(), size, ColorType::Rgb);
        encoder.set_animated(count, options.plays.into()).map_err(failed)?;
        let ((above, below), is_exact) = delay(options.rate);
        encoder.set_frame_delay(above, below).map_err(failed)?;
        let writer = encoder.write_header().map_err(failed)?;
        let note = format!(
            "note: APNG has no room for the rate {}: each frame takes {above}/{below} s",
            options.rate
        );
        let notes = if is_exact { Vec::new() } else { vec![note] };
        Ok(Self { writer, out, before: FrameBefore::default(), bytes: Vec::new(), notes })
    }

    fn write(&mut self, area: Area) -> Result<(), EncodingError> {
        if self.before.image().is_some() {
            // The old rectangle must not reach out of the picture while the new one is set part by part.
            self.writer.set_frame_position(0, 0)?;
            self.writer.set_frame_dimension(area.width, area.height)?;
            self.writer.set_frame_position(area.x, area.y)?;
        }
        self.writer.write_image_data(&self.bytes)
    }
}

impl FrameSink for Apng {
    fn frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let area = self.before.changed(image);
        cut(image, area, &mut self.bytes);
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

/// Seconds of a frame as a fraction of 16-bit numbers, and whether it is exactly that.
fn delay(rate: Rate) -> ((u16, u16), bool) {
    let exact = u16::try_from(rate.denominator()).ok().zip(u16::try_from(rate.numerator()).ok());
    if let Some(exact) = exact {
        return (exact, true);
    }
    // The larger number as large as fits, the other rounded.
    let (seconds, frames) = (u64::from(rate.denominator()), u64::from(rate.numerator()));
    let most = u64::from(u16::MAX);
    let greatest = seconds.max(frames);
    let scale = |n: u64| ((n * most + greatest / 2) / greatest).max(1) as u16;
    ((scale(seconds), scale(frames)), false)
}

//! Animated GIF.
//!
//! A frame is the rectangle that changed, and in it only pixels that changed are opaque. These rarely have more than 255 colours, and then
//! the film is exact; otherwise the rectangle gets the nearest of 256 colours that NeuQuant finds.

use super::changes::{Area, area, cut};
use super::{FilmError, FilmOptions, FilmReport, FrameSink, Rate, out::Out};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image::RgbImage;
use std::{borrow::Cow, collections::HashMap, io};

pub(super) struct Gif {
    encoder: Encoder<Out>,
    out: Out,
    rate: Rate,
    before: Option<RgbImage>,
    frames: u64,
    /// How many frames had more colours than a palette.
    reduced: u64,
    /// Room to work in.
    cut_before: Vec<u8>,
    cut_after: Vec<u8>,
}

impl Gif {
    pub(super) fn open(out: Out, options: &FilmOptions, size: [u32; 2]) -> Result<Self, FilmError> {
        let [Ok(width), Ok(height)] = size.map(u16::try_from) else {
            return Err(FilmError::Usage("a GIF is at most 65535 pixels wide and high".into()));
        };
        let failed = |error: EncodingError| out.refuse(cause(error));
        let mut encoder = Encoder::new(out.clone(), width, height, &[]).map_err(failed)?;
        // The format counts how often a film is repeated, after the first time.
        let repeat = match options.plays {
            0 => Repeat::Infinite,
            plays => Repeat::Finite(plays - 1),
        };
        encoder.set_repeat(repeat).map_err(failed)?;
        let rate = options.rate;
        let (cut_before, cut_after) = (Vec::new(), Vec::new());
        Ok(Self { encoder, out, rate, before: None, frames: 0, reduced: 0, cut_before, cut_after })
    }

    /// Hundredths of a second of the next frame. Their sum is never wrong by more than half of one.
    fn delay(&self) -> u16 {
        let (above, below) = (u64::from(self.rate.numerator()), self.rate.denominator());
        let until = |frame: u64| (200 * u64::from(below) * frame + above) / (2 * above);
        (until(self.frames + 1) - until(self.frames)).min(u64::from(u16::MAX)) as u16
    }
}

impl FrameSink for Gif {
    fn frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let whole = Area { x: 0, y: 0, width: image.width(), height: image.height() };
        let area = self.before.as_ref().map_or(whole, |before| area(before, image));
        cut(image, area, &mut self.cut_after);
        self.cut_before.clear();
        if let Some(before) = &self.before {
            cut(before, area, &mut self.cut_before);
        }
        let (width, height) = (area.width as u16, area.height as u16);
        let mut frame = match exact(&self.cut_before, &self.cut_after) {
            Some((palette, pixels, transparent)) => Frame {
                width,
                height,
                buffer: Cow::Owned(pixels),
                palette: Some(palette),
                transparent,
                ..Frame::default()
            },
            None => {
                self.reduced += 1;
                Frame::from_rgb_speed(width, height, &self.cut_after, speed(area))
            }
        };
        (frame.left, frame.top) = (area.x as u16, area.y as u16);
        frame.dispose = DisposalMethod::Keep;
        frame.delay = self.delay();
        self.encoder.write_frame(&frame).map_err(|error| self.out.refuse(cause(error)))?;
        self.frames += 1;
        match &mut self.before {
            Some(before) => before.copy_from_slice(image),
            None => self.before = Some(image.clone()),
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        let mut notes = Vec::new();
        if self.reduced > 0 {
            notes.push(format!(
                "note: {} of {} frames change more than 256 colours, the most that a GIF has room for; their colours are the \
                 nearest of 256",
                self.reduced, self.frames
            ));
        }
        if u64::from(self.rate.numerator()) > 50 * u64::from(self.rate.denominator()) {
            notes.push(
                "note: many viewers show a GIF of more than 50 frames a second far too slowly"
                    .into(),
            );
        }
        self.encoder.into_inner().map_err(|error| self.out.refuse(cause(error)))?;
        self.out.finish()?;
        Ok(FilmReport { notes, ..FilmReport::default() })
    }
}

/// NeuQuant looks at every so manieth pixel: at all of a small picture, at a tenth of a large one.
fn speed(area: Area) -> i32 {
    (u64::from(area.width) * u64::from(area.height) / 50_000).clamp(1, 10) as i32
}

/// Palette, pixels and transparent colour of what changed; `None` when that takes more than a palette has. Nothing before means that
/// everything changed.
fn exact(before: &[u8], after: &[u8]) -> Option<(Vec<u8>, Vec<u8>, Option<u8>)> {
    let mut palette = Vec::new();
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut pixels = Vec::with_capacity(after.len() / 3);
    let mut last: Option<([u8; 3], u8)> = None;
    // The transparent colour is the first of the palette, where one is needed.
    let transparent = if before.is_empty() { None } else { Some(0) };
    if transparent.is_some() {
        palette.extend([0; 3]);
    }
    for (i, pixel) in after.chunks_exact(3).enumerate() {
        if before.get(3 * i..3 * i + 3) == Some(pixel) {
            pixels.push(0);
            continue;
        }
        let colour = [pixel[0], pixel[1], pixel[2]];
        let index = match last {
            Some((same, index)) if same == colour => index,
            _ => match known.get(&colour) {
                Some(index) => *index,
                None => {
                    let index = u8::try_from(palette.len() / 3).ok()?;
                    palette.extend(colour);
                    known.insert(colour, index);
                    index
                }
            },
        };
        last = Some((colour, index));
        pixels.push(index);
    }
    Some((palette, pixels, transparent))
}

fn cause(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(cause) => cause,
        other => io::Error::other(other),
    }
}

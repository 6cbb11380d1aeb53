//! Animated GIF.
//!
//! Each frame is the rectangle that changed, in which only changed pixels are opaque. A frame is
//! exact if the changed pixels have at most 255 colours. Otherwise its palette is a selection of
//! the frame's own colours ([`Palette`]).

use super::changes::{FrameBefore, copy_area};
use super::{
    error::FilmError,
    options::{FilmOptions, FrameRate},
    sink::{FilmReport, FrameSink},
    writer::FilmWriter,
};
use crate::film::sink::FrameLayout;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image::RgbImage;
use std::{borrow::Cow, collections::HashMap, io};

pub(super) struct GifSink {
    encoder: Encoder<FilmWriter>,
    out: FilmWriter,
    rate: FrameRate,
    layout: FrameLayout,
    before: FrameBefore,
    frames: u64,
    /// Number of frames with more colours than a palette can hold.
    reduced: u64,
    /// Reusable buffers for the changed rectangle, before and after the change.
    cut_before: Vec<u8>,
    cut_after: Vec<u8>,
}

impl GifSink {
    pub(super) fn open(
        out: FilmWriter,
        options: &FilmOptions,
        size: [u32; 2],
    ) -> Result<Self, FilmError> {
        let [Ok(width), Ok(height)] = size.map(u16::try_from) else {
            let [width, height] = size;
            return Err(FilmError::Usage(format!(
                "the frames are {width}x{height}, but a GIF may have at most 65535 pixels per \
                 side: render a smaller picture, or choose another format"
            )));
        };
        let failed = |error: EncodingError| out.refuse(cause(error));
        let mut encoder = Encoder::new(out.clone(), width, height, &[]).map_err(failed)?;
        // The format counts repetitions after the first playback.
        let repeat = match options.plays {
            0 => Repeat::Infinite,
            plays => Repeat::Finite(plays - 1),
        };
        encoder.set_repeat(repeat).map_err(failed)?;
        let rate = options.rate();
        let (cut_before, cut_after) = (Vec::new(), Vec::new());
        let layout = FrameLayout { size, channels: 3 };
        let before = FrameBefore::none(layout);
        Ok(Self {
            encoder,
            out,
            rate,
            layout,
            before,
            frames: 0,
            reduced: 0,
            cut_before,
            cut_after,
        })
    }

    /// Duration of the next frame in hundredths of a second. The rounding error of the sum of all
    /// durations is at most half a hundredth.
    fn delay(&self) -> u16 {
        let (above, below) = (u64::from(self.rate.numerator()), self.rate.denominator());
        let until = |frame: u64| (200 * u64::from(below) * frame + above) / (2 * above);
        (until(self.frames + 1) - until(self.frames)).min(u64::from(u16::MAX)) as u16
    }
}

impl FrameSink for GifSink {
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let area = self.before.changed(image);
        copy_area(image, self.layout, area, &mut self.cut_after);
        self.before.copy_area(area, &mut self.cut_before);
        let (width, height) = (area.width as u16, area.height as u16);
        let colours = Colours::count(&self.cut_before, &self.cut_after);
        let palette = Palette::choose(&colours);
        self.reduced += u64::from(!palette.is_exact);
        let mut frame = Frame {
            width,
            height,
            buffer: Cow::Owned(palette.pixels(&self.cut_before, &self.cut_after)),
            palette: Some(palette.bytes),
            // Transparent pixels show the previous frame.
            transparent: Some(0),
            ..Frame::default()
        };
        (frame.left, frame.top) = (area.x as u16, area.y as u16);
        frame.dispose = DisposalMethod::Keep;
        frame.delay = self.delay();
        self.encoder.write_frame(&frame).map_err(|error| self.out.refuse(cause(error)))?;
        self.frames += 1;
        self.before.replace(image);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        let mut notes = Vec::new();
        if self.reduced > 0 {
            notes.push(format!(
                "note: in {} of {} frames more than 255 colours change, but a GIF stores at most \
                 255 per frame; some colours are replaced by the nearest ones. Use APNG for exact \
                 colours",
                self.reduced, self.frames
            ));
        }
        if self.rate.exceeds(FrameRate::OF_GIFS) {
            notes.push(
                "note: many viewers show a GIF of more than 50 frames per second far too slowly"
                    .into(),
            );
        }
        self.encoder.into_inner().map_err(|error| self.out.refuse(cause(error)))?;
        self.out.finish()?;
        Ok(FilmReport { notes, ..FilmReport::default() })
    }
}

/// Colours of the changed pixels in ascending order, each with its number of pixels.
struct Colours(Vec<([u8; 3], u64)>);

impl Colours {
    fn count(before: &[u8], after: &[u8]) -> Self {
        let mut counts: HashMap<[u8; 3], u64> = HashMap::new();
        changed(before, after).flatten().for_each(|colour| *counts.entry(colour).or_default() += 1);
        let mut all: Vec<_> = counts.into_iter().collect();
        all.sort_unstable();
        Self(all)
    }
}

/// Colour of each changed pixel, and `None` for the others. An empty `before` means that every
/// pixel changed.
fn changed<'a>(before: &'a [u8], after: &'a [u8]) -> impl Iterator<Item = Option<[u8; 3]>> + 'a {
    after.chunks_exact(3).enumerate().map(|(i, pixel)| {
        let is_same = before.get(3 * i..3 * i + 3) == Some(pixel);
        (!is_same).then(|| [pixel[0], pixel[1], pixel[2]])
    })
}

/// Palette of the frame's own colours. The first is the most frequent. Each further one is the
/// colour with the largest error so far: its number of pixels times its squared distance from the
/// nearest chosen colour. Large areas thus keep their colour, and small marks their hue.
struct Palette {
    /// Red, green and blue of each entry, with the transparent entry first.
    bytes: Vec<u8>,
    /// Palette index of each colour.
    indices: HashMap<[u8; 3], u8>,
    is_exact: bool,
}

impl Palette {
    /// Maximum number of colours: 256 entries less the transparent one.
    const MAX: usize = 255;

    fn choose(colours: &Colours) -> Self {
        let all = &colours.0;
        let mut bytes = vec![0; 3];
        // Squared distance of each colour to the nearest chosen colour, and the index of that
        // colour.
        let mut nearest = vec![(u64::MAX, 0); all.len()];
        let error = |nearest: &[(u64, u8)], i: usize| nearest[i].0.saturating_mul(all[i].1);
        let is_exact = all.len() <= Self::MAX;
        for index in 1..=all.len().min(Self::MAX) {
            let worst = (0..all.len()).max_by_key(|&i| match index {
                _ if is_exact => u64::from(i + 1 == index),
                1 => all[i].1,
                _ => error(&nearest, i),
            });
            let Some(chosen) = worst.map(|i| all[i].0) else { break };
            bytes.extend(chosen);
            for ((colour, _), nearest) in all.iter().zip(&mut nearest) {
                *nearest = (*nearest).min((distance(*colour, chosen), index as u8));
            }
        }
        let index = |(entry, nearest): (&([u8; 3], u64), &(u64, u8))| (entry.0, nearest.1);
        Self { bytes, indices: all.iter().zip(&nearest).map(index).collect(), is_exact }
    }

    /// Palette index of each pixel, 0 for unchanged ones.
    fn pixels(&self, before: &[u8], after: &[u8]) -> Vec<u8> {
        let mut last = ([0; 3], 0);
        let pixel = |colour: Option<[u8; 3]>| {
            let Some(colour) = colour else { return 0 };
            if last.1 == 0 || last.0 != colour {
                last = (colour, self.indices.get(&colour).copied().unwrap_or(0));
            }
            last.1
        };
        changed(before, after).map(pixel).collect()
    }
}

/// Squared distance of two colours.
fn distance(a: [u8; 3], b: [u8; 3]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(b)) * u64::from(a.abs_diff(b))).sum()
}

fn cause(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(cause) => cause,
        other => io::Error::other(other),
    }
}

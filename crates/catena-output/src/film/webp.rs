//! Animated WebP: each frame is the rectangle that changed, without loss.
//!
//! Source: Google, "WebP Container Specification".

use super::changes::{ChangedArea, FrameBefore, copy_area};
use super::{
    error::FilmError,
    options::{FilmOptions, FrameRate},
    sink::{FilmReport, FilmShape, PixelSink},
    writer::FilmWriter,
};
use crate::film::sink::FrameLayout;
use crate::webp::encode_as;
use image::ExtendedColorType;
use std::io::Write;

/// Maximum side of a frame in pixels.
const MAX_SIDE: u32 = 16384;

/// Flag of a file that is animated.
const ANIMATED: u8 = 0x02;
/// Flag of a file with an alpha channel, for pixels that may be transparent.
const TRANSLUCENT: u8 = 0x10;

/// Flags of a frame: its pixels replace the pixels of the previous frame, and all other pixels
/// stay.
const REPLACE: u8 = 0x02;

/// Length of the header of a picture file, before its first chunk.
const HEADER: usize = 12;

/// Rate above which browsers show a frame for a tenth of a second, as they do for GIFs.
const FASTEST: FrameRate = FrameRate::OF_WEBP;

pub(super) struct WebpSink {
    out: FilmWriter,
    layout: FrameLayout,
    rate: FrameRate,
    plays: u16,
    before: FrameBefore,
    frames: u64,
    /// Chunks of all frames. The file begins with their length.
    chunks: Vec<u8>,
    /// Reusable buffer for the pixels of the changed rectangle.
    cut: Vec<u8>,
    /// Reusable buffer for the encoded picture of the changed rectangle.
    picture: Vec<u8>,
}

impl WebpSink {
    pub(super) fn open(
        out: FilmWriter,
        options: &FilmOptions,
        shape: FilmShape,
    ) -> Result<Self, FilmError> {
        if shape.size.iter().any(|side| *side > MAX_SIDE) {
            let [width, height] = shape.size;
            let message = format!(
                "the frames are {width}x{height}, but a WebP film may have at most {MAX_SIDE} \
                 pixels per side: render a smaller picture, or choose another format"
            );
            return Err(FilmError::Usage(message));
        }
        let layout = FrameLayout::of(shape);
        Ok(Self {
            out,
            layout,
            rate: options.rate(),
            plays: options.plays,
            before: FrameBefore::none(layout),
            frames: 0,
            chunks: Vec::new(),
            cut: Vec::new(),
            picture: Vec::new(),
        })
    }

    /// Duration of the next frame in milliseconds. The rounding error of the sum of all durations
    /// is at most half a millisecond.
    fn delay(&self) -> u32 {
        let (above, below) = (u64::from(self.rate.numerator()), self.rate.denominator());
        let until = |frame: u64| (2000 * u64::from(below) * frame + above) / (2 * above);
        (until(self.frames + 1) - until(self.frames)).min(0xff_ff_ff) as u32
    }

    /// Bytes of the file before the chunks of its frames.
    fn head(&self) -> Result<Vec<u8>, FilmError> {
        let mut first = Vec::new();
        let alpha = if self.layout.has_alpha() { TRANSLUCENT } else { 0 };
        let mut features = vec![ANIMATED | alpha, 0, 0, 0];
        for side in self.layout.size {
            features.extend_from_slice(&(side - 1).to_le_bytes()[..3]);
        }
        add_chunk(&mut first, *b"VP8X", &features);
        // The background is transparent.
        let plays = self.plays.to_le_bytes();
        add_chunk(&mut first, *b"ANIM", &[0, 0, 0, 0, plays[0], plays[1]]);
        let length = u32::try_from(4 + first.len() + self.chunks.len()).map_err(|_| {
            FilmError::Frames("a WebP film may have at most 4 GiB; use .apng or .mp4".into())
        })?;
        let mut head = b"RIFF".to_vec();
        head.extend_from_slice(&length.to_le_bytes());
        head.extend_from_slice(b"WEBP");
        head.append(&mut first);
        Ok(head)
    }
}

/// Adds a chunk, padded to an even length.
fn add_chunk(bytes: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    bytes.extend_from_slice(&name);
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(content);
    if content.len() % 2 == 1 {
        bytes.push(0);
    }
}

impl PixelSink for WebpSink {
    fn layout(&self) -> FrameLayout {
        self.layout
    }

    fn add_pixels(&mut self, pixels: &[u8]) -> Result<(), FilmError> {
        let ChangedArea { x, y, width, height } = self.before.changed(pixels);
        // Positions are even.
        let area = ChangedArea {
            x: x - x % 2,
            y: y - y % 2,
            width: width + x % 2,
            height: height + y % 2,
        };
        copy_area(pixels, self.layout, area, &mut self.cut);
        let color = match self.layout.has_alpha() {
            true => ExtendedColorType::Rgba8,
            false => ExtendedColorType::Rgb8,
        };
        encode_as(&self.cut, [area.width, area.height], color, &mut self.picture)
            .map_err(|error| self.out.refuse(error))?;
        let image = self.picture.get(HEADER..).unwrap_or_default();
        let mut frame = Vec::with_capacity(image.len() + 16);
        for number in [area.x / 2, area.y / 2, area.width - 1, area.height - 1, self.delay()] {
            frame.extend_from_slice(&number.to_le_bytes()[..3]);
        }
        frame.push(REPLACE);
        frame.extend_from_slice(image);
        add_chunk(&mut self.chunks, *b"ANMF", &frame);
        self.frames += 1;
        self.before.replace(pixels);
        Ok(())
    }

    fn close(mut self: Box<Self>) -> Result<FilmReport, FilmError> {
        let head = self.head()?;
        let written = self.out.write_all(&head).and_then(|()| self.out.write_all(&self.chunks));
        written.map_err(|error| self.out.refuse(error))?;
        let notes = match self.rate.exceeds(FASTEST) {
            true => vec![
                "note: many viewers show a WebP film of more than 90 frames per second far too slowly"
                    .into(),
            ],
            false => Vec::new(),
        };
        self.out.finish()?;
        Ok(FilmReport { notes, ..FilmReport::default() })
    }
}

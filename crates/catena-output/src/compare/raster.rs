//! Decoded PNG pictures, and bounding rectangles of pixels in them.

use crate::chunks::{MAX_BYTES, PngChunks, PngFlaw};
use image::{ColorType, ImageDecoder, Limits, codecs::png::PngDecoder};
use std::io::Cursor;

/// Number of 16-bit levels per 8-bit level: 255 becomes 65535.
pub(super) const LEVEL: u16 = 257;

/// Samples of a picture: grey or RGB, with or without alpha, of 8 or 16 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Width and height in pixels.
    pub size: [u32; 2],
    channels: usize,
    /// Bytes per sample, 1 or 2.
    sample_bytes: usize,
    /// Samples row by row; 16-bit samples are in native byte order.
    bytes: Vec<u8>,
}

impl Raster {
    /// Decodes a PNG file. Palettes become RGB, and samples of fewer than 8 bits become 8. Gamma
    /// and colour profiles are ignored.
    ///
    /// # Errors
    /// Returns a description of the flaw, as "it is …" or in the decoder's words. The file is not a
    /// PNG file, truncated, damaged, or larger than 512 MiB when decoded. Animations are rejected,
    /// since only one frame would be compared.
    pub fn decode(file: &[u8]) -> Result<Self, String> {
        let chunks = PngChunks::of(file).map_err(|flaw| flaw.to_string())?;
        if chunks.has_animation {
            return Err("it is an animated PNG; compare its frames".into());
        }
        // The decoder detects other flaws itself, with better descriptions.
        if let Err(flaw @ (PngFlaw::TooLarge(_) | PngFlaw::MissingPixels(_))) = chunks.decodable() {
            return Err(flaw.to_string());
        }
        let plain = |error: image::ImageError| error.to_string();
        let mut limits = Limits::default();
        limits.max_alloc = Some(MAX_BYTES);
        let decoder = PngDecoder::with_limits(Cursor::new(file), limits).map_err(plain)?;
        let (width, height) = decoder.dimensions();
        let (channels, sample_bytes) = match decoder.color_type() {
            ColorType::L8 => (1, 1),
            ColorType::La8 => (2, 1),
            ColorType::Rgb8 => (3, 1),
            ColorType::Rgba8 => (4, 1),
            ColorType::L16 => (1, 2),
            ColorType::La16 => (2, 2),
            ColorType::Rgb16 => (3, 2),
            ColorType::Rgba16 => (4, 2),
            other => return Err(format!("its pixel format {other:?} is not supported")),
        };
        let total = decoder.total_bytes();
        if total > MAX_BYTES {
            return Err(PngFlaw::TooLarge([width, height]).to_string());
        }
        let mut bytes = vec![0; usize::try_from(total).map_err(|error| error.to_string())?];
        decoder.read_image(&mut bytes).map_err(plain)?;
        Ok(Self { size: [width, height], channels, sample_bytes, bytes })
    }

    /// Whether the picture has an alpha channel.
    pub fn has_alpha(&self) -> bool {
        self.channels.is_multiple_of(2)
    }

    /// Copy of the picture in which ignored pixels are taken from another picture of the same size.
    /// `is_ignored` returns the ignored pixels of each row.
    pub(super) fn with_ignored<'m>(
        &self,
        other: &Self,
        is_ignored: impl Fn(usize) -> &'m [bool],
    ) -> Self {
        let mut bytes = Vec::with_capacity(self.size[0] as usize * self.size[1] as usize * 8);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for y in 0..self.size[1] as usize {
            self.read_row(y, &mut own);
            other.read_row(y, &mut others);
            for ((own, other), is_ignored) in own.iter().zip(&others).zip(is_ignored(y)) {
                let pixel = if *is_ignored { other } else { own };
                pixel.iter().for_each(|sample| bytes.extend(sample.to_ne_bytes()));
            }
        }
        Self { size: self.size, channels: 4, sample_bytes: 2, bytes }
    }

    fn row_bytes(&self, y: usize) -> &[u8] {
        let length = self.size[0] as usize * self.channels * self.sample_bytes;
        &self.bytes[y * length..][..length]
    }

    /// Whether a row certainly equals the same row of another picture of the same width. Returns
    /// `false` for pictures in different formats.
    pub(super) fn has_same_row(&self, other: &Self, y: usize) -> bool {
        (self.channels, self.sample_bytes) == (other.channels, other.sample_bytes)
            && self.row_bytes(y) == other.row_bytes(y)
    }

    /// Replaces `row` with the pixels of row `y` as 16-bit RGBA. Level n of 8 bits becomes 257 n,
    /// and pixels without alpha are opaque.
    pub(super) fn read_row(&self, y: usize, row: &mut Vec<[u16; 4]>) {
        row.clear();
        let pixels = self.row_bytes(y).chunks_exact(self.channels * self.sample_bytes);
        if self.sample_bytes == 1 {
            row.extend(pixels.map(|p| rgba(self.channels, |i| u16::from(p[i]) * LEVEL)));
        } else {
            let sample = |p: &[u8], i: usize| u16::from_ne_bytes([p[2 * i], p[2 * i + 1]]);
            row.extend(pixels.map(|p| rgba(self.channels, |i| sample(p, i))));
        }
    }
}

fn rgba(channels: usize, sample: impl Fn(usize) -> u16) -> [u16; 4] {
    match channels {
        1 => [sample(0), sample(0), sample(0), u16::MAX],
        2 => [sample(0), sample(0), sample(0), sample(1)],
        3 => [sample(0), sample(1), sample(2), u16::MAX],
        _ => [sample(0), sample(1), sample(2), sample(3)],
    }
}

/// Width and height of an intact PNG file, read without decoding pixels. Returns `None` for damaged
/// files and animations.
pub(super) fn sound_size(file: &[u8]) -> Option<[u32; 2]> {
    let chunks = PngChunks::of(file).ok().filter(|chunks| !chunks.has_animation)?;
    chunks.decodable().ok()
}

/// Rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Column of the leftmost pixels and row of the topmost pixels.
    pub corner: [u32; 2],
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// Minimum and maximum columns and rows of the pixels added so far.
#[derive(Clone, Copy)]
pub(super) struct BoundsBuilder {
    minimum: [usize; 2],
    greatest: [usize; 2],
}

impl BoundsBuilder {
    pub(super) const NOTHING: Self = Self { minimum: [usize::MAX; 2], greatest: [0; 2] };

    pub(super) fn add(&mut self, x: usize, y: usize) {
        for (axis, value) in [x, y].into_iter().enumerate() {
            self.minimum[axis] = self.minimum[axis].min(value);
            self.greatest[axis] = self.greatest[axis].max(value);
        }
    }

    pub(super) fn bounds(self) -> Option<Bounds> {
        let [corner, last] = [self.minimum, self.greatest].map(|at| at.map(|value| value as u32));
        let is_some = self.minimum[0] <= self.greatest[0];
        is_some.then(|| Bounds { corner, size: [0, 1].map(|axis| last[axis] - corner[axis] + 1) })
    }
}

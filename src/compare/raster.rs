//! Decoded PNG pictures.

use image::{ColorType, ImageDecoder, Limits, codecs::png::PngDecoder};
use std::{borrow::Cow, io::Cursor};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Bytes of a decoded picture: 8192 by 8192 pixels of 16-bit RGBA.
const MOST_BYTES: u64 = 512 << 20;

/// The samples of a picture: grey or RGB, with or without alpha, of 8 or 16 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Width and height in pixels.
    pub size: [u32; 2],
    channels: usize,
    /// 1 or 2.
    sample_bytes: usize,
    /// Row by row; samples of 16 bits are in native order.
    bytes: Vec<u8>,
}

impl Raster {
    /// Decodes a PNG file. Palettes become RGB and fewer bits than 8 become 8; gamma and colour profiles are ignored.
    ///
    /// # Errors
    /// What is wrong with it, as "it is …" or as the decoder says it: no PNG file, a truncated or damaged one, one of
    /// more than 512 MiB of samples, or an animation, of which only one frame would be compared.
    pub fn decode(file: &[u8]) -> Result<Self, String> {
        let chunks = Chunks::of(file)?;
        if chunks.has_animation {
            return Err("it is an animated PNG; compare its frames".into());
        }
        let plain = |error: image::ImageError| error.to_string();
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_BYTES);
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
            other => return Err(format!("its samples are {other:?}")),
        };
        let total = decoder.total_bytes();
        if total > MOST_BYTES {
            return Err(format!("{width}x{height} pixels are too many"));
        }
        let mut bytes = vec![0; usize::try_from(total).map_err(|error| error.to_string())?];
        decoder.read_image(&mut bytes).map_err(plain)?;
        Ok(Self { size: [width, height], channels, sample_bytes, bytes })
    }

    /// Whether it says how opaque its pixels are.
    pub fn has_alpha(&self) -> bool {
        self.channels.is_multiple_of(2)
    }

    fn row_bytes(&self, y: usize) -> &[u8] {
        let length = self.size[0] as usize * self.channels * self.sample_bytes;
        &self.bytes[y * length..][..length]
    }

    /// Whether a row surely has the same pixels as that of another picture of the same width.
    pub(super) fn has_same_row(&self, other: &Self, y: usize) -> bool {
        (self.channels, self.sample_bytes) == (other.channels, other.sample_bytes)
            && self.row_bytes(y) == other.row_bytes(y)
    }

    /// The pixels of a row as RGBA of 16 bits: level n of 8 bits is 257 n, and what has no alpha is opaque.
    pub(super) fn read_row(&self, y: usize, row: &mut Vec<[u16; 4]>) {
        row.clear();
        let pixels = self.row_bytes(y).chunks_exact(self.channels * self.sample_bytes);
        if self.sample_bytes == 1 {
            row.extend(pixels.map(|p| rgba(self.channels, |i| u16::from(p[i]) * 257)));
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

/// Width and height of a PNG file whose chunks are all there and undamaged; tells without decoding any pixel.
pub(super) fn sound_size(file: &[u8]) -> Option<[u32; 2]> {
    Chunks::of(file).ok().filter(|chunks| chunks.is_sound && !chunks.has_animation)?.size
}

/// What the chunks of a PNG file tell. Decoders are content when the pixels they need are there; a file that was cut
/// off behind them is still no whole file.
struct Chunks {
    size: Option<[u32; 2]>,
    has_animation: bool,
    /// Whether all checksums hold and there is something to decode.
    is_sound: bool,
}

impl Chunks {
    fn of(file: &[u8]) -> Result<Self, Cow<'static, str>> {
        if file.is_empty() {
            return Err("it is empty".into());
        }
        let Some(mut rest) = file.strip_prefix(SIGNATURE) else {
            let is_cut = SIGNATURE.starts_with(file);
            return Err(if is_cut { CUT } else { "it is not a PNG file" }.into());
        };
        let mut found = Self { size: None, has_animation: false, is_sound: true };
        let mut has_pixels = false;
        loop {
            let (length, after) = rest.split_first_chunk::<4>().ok_or(CUT)?;
            let length = u32::from_be_bytes(*length) as usize;
            let end = length.checked_add(4).filter(|end| after.len() >= end + 4).ok_or(CUT)?;
            let (body, after) = after.split_at(end);
            let (sum, after) = after.split_first_chunk::<4>().ok_or(CUT)?;
            found.is_sound &= crc32fast::hash(body) == u32::from_be_bytes(*sum);
            match body {
                [b'I', b'H', b'D', b'R', a, b, c, d, e, f, g, h, ..] => {
                    let side = |bytes: [&u8; 4]| u32::from_be_bytes(bytes.map(|byte| *byte));
                    found.size = Some([side([a, b, c, d]), side([e, f, g, h])]);
                }
                [b'I', b'D', b'A', b'T', ..] => has_pixels = true,
                [b'a', b'c', b'T', b'L', ..] => found.has_animation = true,
                [b'I', b'E', b'N', b'D', ..] => break,
                _ => {}
            }
            rest = after;
        }
        found.is_sound &= has_pixels && found.size.is_some();
        Ok(found)
    }
}

const CUT: &str = "it is cut off: the end of the PNG file is missing";

//! Decoded pictures of frames, with or without alpha.

use crate::chunks::{MAX_BYTES, PngChunks};
use image::{DynamicImage, ImageFormat, ImageReader, Limits, RgbImage, RgbaImage};
use std::io::Cursor;

/// Pixel format of frames, where it exceeds 8-bit RGB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Depths {
    /// Whether pixels may be transparent.
    pub(super) has_alpha: bool,
    /// Whether channels have 16 bits.
    pub(super) is_deep: bool,
}

impl Depths {
    /// Pixel format of a PNG file.
    pub(super) fn of(chunks: &PngChunks) -> Self {
        Self { has_alpha: chunks.has_alpha, is_deep: chunks.is_deep }
    }

    /// Maximum number of bytes per decoded pixel.
    pub(super) fn pixel_bytes(self) -> usize {
        let channels = if self.has_alpha { 4 } else { 3 };
        channels * if self.is_deep { 2 } else { 1 }
    }

    /// Combined pixel format of two files.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            has_alpha: self.has_alpha || other.has_alpha,
            is_deep: self.is_deep || other.is_deep,
        }
    }
}

/// A decoded frame.
pub(super) enum DecodedFrame {
    /// Opaque pixels.
    Opaque(RgbImage),
    /// Pixels with alpha, which is not premultiplied.
    Alpha(RgbaImage),
}

impl DecodedFrame {
    /// Whether any pixel is not opaque.
    pub(super) fn is_translucent(&self) -> bool {
        matches!(self, Self::Alpha(image) if image.pixels().any(|pixel| pixel.0[3] < u8::MAX))
    }

    /// Composites the picture over white.
    pub(super) fn over_white(self) -> RgbImage {
        match self {
            Self::Opaque(image) => image,
            Self::Alpha(image) => over_white(&image),
        }
    }

    /// Picture with an alpha channel.
    pub(super) fn with_alpha(self) -> RgbaImage {
        match self {
            Self::Opaque(image) => DynamicImage::from(image).into_rgba8(),
            Self::Alpha(image) => image,
        }
    }
}

/// Note about a film of transparent frames in a format without alpha.
pub const OVER_WHITE: &str = "note: frames have transparent pixels, which this format cannot store; they are drawn on white. Use .apng, .webp, .webm or .mov to keep them";

/// Composites a picture with straight alpha over white.
pub fn over_white(image: &RgbaImage) -> RgbImage {
    let mut opaque = RgbImage::new(image.width(), image.height());
    for (to, from) in opaque.pixels_mut().zip(image.pixels()) {
        let [red, green, blue, alpha] = from.0;
        let over = |channel: u8| {
            let (channel, alpha) = (u32::from(channel), u32::from(alpha));
            ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        to.0 = [red, green, blue].map(over);
    }
    opaque
}

/// Decodes a PNG file of this width and height, into `buffer` if the format allows.
///
/// # Errors
/// Returns an error if the decoder rejects the file.
pub(super) fn decode(
    file: &[u8],
    [width, height]: [u32; 2],
    depths: Depths,
    mut buffer: Vec<u8>,
) -> Result<DecodedFrame, image::ImageError> {
    if decode_rgb(file, &mut buffer).is_some()
        && let Some(image) = RgbImage::from_raw(width, height, buffer)
    {
        return Ok(DecodedFrame::Opaque(image));
    }
    let mut reader = ImageReader::with_format(Cursor::new(file), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let image = reader.decode()?;
    Ok(match depths.has_alpha {
        true => DecodedFrame::Alpha(image.into_rgba8()),
        false => DecodedFrame::Opaque(image.into_rgb8()),
    })
}

/// Decodes a PNG file of 8-bit RGB, the format that catena writes. Returns `None` for other or
/// damaged files.
fn decode_rgb(bytes: &[u8], buffer: &mut Vec<u8>) -> Option<()> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return None;
    }
    if reader.info().trns.is_some() {
        return None;
    }
    buffer.resize(reader.output_buffer_size()?, 0);
    reader.next_frame(buffer).ok().map(drop)
}

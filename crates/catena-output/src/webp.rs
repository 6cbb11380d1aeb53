//! Encoding of lossless WebP files.

use image::{ExtendedColorType, ImageFormat, RgbImage, RgbaImage, codecs::webp::WebPEncoder};
use std::io;

/// Encodes a picture, into `bytes`, which are cleared first.
///
/// # Errors
/// Returns an error if the encoder fails, which it does for sides above 16384 pixels.
pub fn encode(image: &RgbImage, bytes: &mut Vec<u8>) -> io::Result<()> {
    let size = [image.width(), image.height()];
    encode_as(image.as_raw(), size, ExtendedColorType::Rgb8, bytes)
}

/// Encodes a picture with straight alpha, into `bytes`, which are cleared first.
///
/// # Errors
/// Returns an error if the encoder fails, which it does for sides above 16384 pixels.
pub fn encode_translucent(image: &RgbaImage, bytes: &mut Vec<u8>) -> io::Result<()> {
    let size = [image.width(), image.height()];
    encode_as(image.as_raw(), size, ExtendedColorType::Rgba8, bytes)
}

/// Encodes rows of pixels, into `bytes`, which are cleared first.
///
/// # Errors
/// The errors of [`encode`].
pub(crate) fn encode_as(
    raw: &[u8],
    [width, height]: [u32; 2],
    color: ExtendedColorType,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.clear();
    let encoder = WebPEncoder::new_lossless(&mut *bytes);
    encoder.encode(raw, width, height, color).map_err(io::Error::other)
}

/// Whether these bytes are an intact WebP file.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    image::load_from_memory_with_format(bytes, ImageFormat::WebP).is_ok()
}

//! PNG files.

use image::{
    ExtendedColorType, ImageEncoder, ImageError, RgbImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};

/// The bytes of a PNG file.
///
/// # Errors
/// When the encoder refuses, which it does only for pictures without pixels.
pub fn encode(image: &RgbImage) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::with_capacity(64 << 10);
    // Frames are mostly flat, and the filter Up turns what is flat into zeros.
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up);
    encoder.write_image(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgb8)?;
    Ok(bytes)
}

//! Encoding of PNG files.

use image::{
    ExtendedColorType, ImageEncoder, ImageError, RgbImage, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use png::{
    BitDepth, ColorType, Compression, Encoder, EncodingError, Filter, PixelDimensions, Unit,
};
use std::{
    io::{self, Write},
    path::Path,
};

/// Encodes a picture as a PNG file.
///
/// # Errors
/// Returns an error if the encoder fails, which it does only for pictures without pixels.
pub fn encode(image: &RgbImage) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::with_capacity(64 << 10);
    // Frames are mostly flat, and the filter Up turns flat areas into zeros.
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up);
    encoder.write_image(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgb8)?;
    Ok(bytes)
}

/// Encodes a picture with straight alpha as a PNG file, into `bytes`, which are cleared first.
///
/// # Errors
/// Returns an error if the encoder fails, which it does only for pictures without pixels.
pub fn encode_translucent(image: &RgbaImage, bytes: &mut Vec<u8>) -> Result<(), EncodingError> {
    bytes.clear();
    let size = [image.width(), image.height()];
    let mut writer = encoder(bytes, size, ColorType::Rgba).write_header()?;
    writer.write_image_data(image.as_raw())?;
    writer.finish()
}

/// Encodes a picture as a PNG file with its resolution on paper, in dots per metre.
///
/// # Errors
/// Returns an error if the encoder fails, which it does only for pictures without pixels.
pub fn encode_at(image: &RgbImage, dots_per_metre: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(64 << 10);
    let mut encoder = encoder(&mut bytes, [image.width(), image.height()], ColorType::Rgb);
    let [xppu, yppu] = [dots_per_metre; 2];
    encoder.set_pixel_dims(Some(PixelDimensions { xppu, yppu, unit: Unit::Meter }));
    let mut writer = encoder.write_header().map_err(cause)?;
    writer.write_image_data(image.as_raw()).map_err(cause)?;
    writer.finish().map_err(cause)?;
    Ok(bytes)
}

/// Creates an encoder with 8 bits per channel, for pictures written row by row or frame by frame.
/// `size` is width and height in pixels.
pub fn encoder<W: Write>(out: W, size: [u32; 2], color: ColorType) -> Encoder<'static, W> {
    let mut encoder = Encoder::new(out, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    encoder
}

/// Error of the writer if it stopped the encoder, otherwise the encoder's own error.
pub fn cause(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(cause) => cause,
        other => io::Error::other(other),
    }
}

/// Whether a file has the extension of PNG files, in upper or lower case.
pub fn is_named_png(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

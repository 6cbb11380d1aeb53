//! Pictures in figure files: PNG and JPEG.

use std::io::Cursor;

/// Maximum width and height of a picture in pixels.
const LARGEST: usize = 16_384;

/// Decoded picture.
pub(super) struct Picture {
    /// Width and height in pixels, each at least 1.
    pub(super) size: [usize; 2],
    /// Red, green and blue in sRGB, and opacity, row by row from the top.
    pub(super) pixels: Vec<[u8; 4]>,
}

/// Format of a picture, by its first bytes.
#[derive(Clone, Copy)]
enum Format {
    Png,
    Jpeg,
}

impl Format {
    fn of(bytes: &[u8]) -> Result<Self, String> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Ok(Self::Png),
            [0xff, 0xd8, ..] => Ok(Self::Jpeg),
            [b'R', b'I', b'F', b'F', ..] => Err("it is in WebP, not in PNG or JPEG".into()),
            [0xab, b'K', b'T', b'X', ..] => Err("it is in KTX, not in PNG or JPEG".into()),
            _ => Err("it is neither in PNG nor in JPEG".into()),
        }
    }
}

impl Picture {
    /// Returns the width and height of a picture without decoding it.
    pub(super) fn size(bytes: &[u8]) -> Result<[usize; 2], String> {
        let size = match Format::of(bytes)? {
            Format::Png => {
                let info = png_decoder(bytes).read_info().map_err(|error| wrong("PNG", error))?;
                [info.info().width as usize, info.info().height as usize]
            }
            Format::Jpeg => {
                let mut decoder = jpeg_decoder::Decoder::new(bytes);
                decoder.read_info().map_err(|error| wrong("JPEG", error))?;
                let info = decoder.info().ok_or("its JPEG data has no size")?;
                [info.width.into(), info.height.into()]
            }
        };
        let is_fine = size.iter().all(|side| (1..=LARGEST).contains(side));
        let [w, h] = size;
        let message = || format!("it has {w} x {h} pixels, expected 1 to {LARGEST}");
        if is_fine { Ok(size) } else { Err(message()) }
    }

    /// Decodes a picture whose size has been checked.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        match Format::of(bytes)? {
            Format::Png => read_png(bytes),
            Format::Jpeg => read_jpeg(bytes),
        }
    }
}

fn wrong(format: &str, error: impl std::fmt::Display) -> String {
    format!("its {format} data is invalid: {error}")
}

/// Decoder of a PNG picture, in channels of 8 bits.
fn png_decoder(bytes: &[u8]) -> png::Decoder<Cursor<&[u8]>> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder
}

fn read_png(bytes: &[u8]) -> Result<Picture, String> {
    let mut reader = png_decoder(bytes).read_info().map_err(|error| wrong("PNG", error))?;
    let length = reader.output_buffer_size().ok_or("its PNG data is too large")?;
    let mut data = vec![0; length];
    let info = reader.next_frame(&mut data).map_err(|error| wrong("PNG", error))?;
    let size = [info.width as usize, info.height as usize];
    data.truncate(info.buffer_size());
    let pixels = match info.color_type {
        png::ColorType::Grayscale => data.iter().map(|&grey| [grey, grey, grey, 255]).collect(),
        png::ColorType::GrayscaleAlpha => {
            data.as_chunks().0.iter().map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect()
        }
        png::ColorType::Rgb => opaque(&data),
        png::ColorType::Rgba => data.as_chunks().0.to_vec(),
        png::ColorType::Indexed => return Err("its PNG data has no palette".into()),
    };
    checked(size, pixels)
}

fn read_jpeg(bytes: &[u8]) -> Result<Picture, String> {
    let mut decoder = jpeg_decoder::Decoder::new(bytes);
    let data = decoder.decode().map_err(|error| wrong("JPEG", error))?;
    let info = decoder.info().ok_or("its JPEG data has no size")?;
    let pixels = match info.pixel_format {
        jpeg_decoder::PixelFormat::L8 => data.iter().map(|&grey| [grey, grey, grey, 255]).collect(),
        jpeg_decoder::PixelFormat::RGB24 => opaque(&data),
        _ => return Err("its JPEG data has neither grey nor RGB colours: save it in RGB".into()),
    };
    checked([info.width.into(), info.height.into()], pixels)
}

/// Converts pixels of red, green and blue to opaque pixels.
fn opaque(data: &[u8]) -> Vec<[u8; 4]> {
    data.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect()
}

fn checked(size: [usize; 2], pixels: Vec<[u8; 4]>) -> Result<Picture, String> {
    let is_whole = pixels.len() == size[0] * size[1];
    if is_whole { Ok(Picture { size, pixels }) } else { Err("its image data is cut off".into()) }
}

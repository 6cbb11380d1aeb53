//! Failure sheets: expected picture, difference and actual picture side by side.

use super::{
    Bounds, PictureDifference, Raster, RasterPair, difference::channel_difference, raster::LEVEL,
    ssim::luma,
};
use crate::png::{cause, encoder, is_named_png};
use png::ColorType;
use std::{
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Gap between the pictures of a sheet, in pixels.
pub const GAP: u32 = 8;
/// Colour of the gap between the pictures of a sheet, as RGBA.
const SPACE: [u8; 4] = [128, 128, 128, 255];
/// Colour of the area that a smaller picture does not cover, as RGBA.
const NO_PIXEL: [u8; 4] = [255, 0, 255, 255];
/// Colour of pixels whose difference is within the tolerance, as RGBA.
const TOLERATED: [u8; 4] = [40, 90, 220, 255];
/// Colour of the frame around the differing area, as RGBA.
const FRAME: [u8; 4] = [0, 190, 190, 255];
/// Colours of differences beyond the tolerance as RGB, from small ones to the maximum of the
/// picture.
const RAMP: [[f64; 3]; 4] =
    [[110.0, 10.0, 10.0], [230.0, 40.0, 0.0], [255.0, 190.0, 30.0], [255.0, 255.0, 255.0]];

/// File name of a sheet below the failure folder. A picture named on the command line may have
/// another extension.
pub(super) fn file_name(picture: &Path) -> PathBuf {
    let mut sheet = OsString::from(picture);
    if !is_named_png(picture) {
        sheet.push(".png");
    }
    sheet.into()
}

/// Width and height of each picture in a sheet; the three pictures are equally large.
pub fn part_size(sizes: [[u32; 2]; 2]) -> [u32; 2] {
    let [expected, actual] = sizes;
    [expected[0].max(actual[0]), expected[1].max(actual[1])]
}

/// Writes a sheet. `numbers` is `None` if sizes differ. `tolerated` is the tolerance in levels of 0
/// to 255.
///
/// The middle picture shows equal pixels of the expected picture in dark grey. Pixels that differ
/// within the tolerance are blue. Pixels beyond the tolerance range from dark red over orange to
/// white for the maximum difference. A frame surrounds the differing area, unless the pictures are
/// small or the area covers most of them.
///
/// # Errors
/// Returns an error if the sheet cannot be written.
pub fn write(
    file: &mut dyn Write,
    pictures: &RasterPair,
    numbers: Option<&PictureDifference>,
    tolerated: u8,
) -> io::Result<()> {
    let [width, height] = part_size([pictures[0].size, pictures[1].size]);
    let has_alpha = pictures.iter().any(Raster::has_alpha);
    let paint = DifferencePainter {
        limit: u16::from(tolerated) * LEVEL,
        greatest: numbers.map_or(255.0, |numbers| numbers.greatest) * f64::from(LEVEL),
        frame: numbers.and_then(|n| DifferenceFrame::around(n.bounds?, [width, height])),
    };
    let color = if has_alpha { ColorType::Rgba } else { ColorType::Rgb };
    let mut encoder = encoder(file, [3 * width + 2 * GAP, height], color);
    let text = encoder.add_text_chunk("Software".into(), "catena diff".into());
    text.map_err(cause)?;
    let mut sheet = encoder.write_header().map_err(cause)?;
    let mut sheet = sheet.stream_writer().map_err(cause)?;
    let mut row = RowPixels { has_alpha, bytes: Vec::new() };
    let mut pixels = [Vec::new(), Vec::new()];
    for y in 0..height {
        for (pixels, picture) in pixels.iter_mut().zip(pictures) {
            pixels.clear();
            if y < picture.size[1] {
                picture.read_row(y as usize, pixels);
            }
        }
        row.bytes.clear();
        paint.fill_row(&pixels, [width, y], &mut row);
        sheet.write_all(&row.bytes)?;
    }
    sheet.finish().map_err(cause)
}

/// Pixels of a row of a sheet.
struct RowPixels {
    has_alpha: bool,
    bytes: Vec<u8>,
}

impl RowPixels {
    fn push(&mut self, pixel: [u8; 4]) {
        self.bytes.extend_from_slice(&pixel[..if self.has_alpha { 4 } else { 3 }]);
    }

    fn push_space(&mut self) {
        (0..GAP).for_each(|_| self.push(SPACE));
    }

    fn push_picture(&mut self, pixels: &[[u16; 4]], width: usize) {
        for x in 0..width {
            let eight = |pixel: &[u16; 4]| {
                pixel.map(|sample| ((u32::from(sample) + 128) / u32::from(LEVEL)) as u8)
            };
            self.push(pixels.get(x).map_or(NO_PIXEL, eight));
        }
    }
}

/// Painter of the middle picture of a sheet.
struct DifferencePainter {
    limit: u16,
    /// Maximum difference in 16-bit levels.
    greatest: f64,
    frame: Option<DifferenceFrame>,
}

impl DifferencePainter {
    fn fill_row(
        &self,
        [expected, actual]: &[Vec<[u16; 4]>; 2],
        [width, y]: [u32; 2],
        row: &mut RowPixels,
    ) {
        row.push_picture(expected, width as usize);
        row.push_space();
        for x in 0..width {
            let pair = (expected.get(x as usize), actual.get(x as usize));
            row.push(match pair {
                (Some(_), Some(_)) if self.frame.is_some_and(|frame| frame.has(x, y)) => FRAME,
                (Some(expected), Some(actual)) => self.difference(*expected, *actual),
                _ => NO_PIXEL,
            });
        }
        row.push_space();
        row.push_picture(actual, width as usize);
    }

    fn difference(&self, expected: [u16; 4], actual: [u16; 4]) -> [u8; 4] {
        let channel_difference = channel_difference(expected, actual);
        if channel_difference == 0 {
            let grey = (0.25 * luma(expected, 0.0)).round() as u8;
            [grey, grey, grey, 255]
        } else if channel_difference <= self.limit {
            TOLERATED
        } else {
            let place = (f64::from(channel_difference) / self.greatest).clamp(0.0, 1.0)
                * (RAMP.len() - 1) as f64;
            let lower = (place as usize).min(RAMP.len() - 2);
            let part = place - lower as f64;
            let channel = |i: usize| {
                (RAMP[lower][i] + part * (RAMP[lower + 1][i] - RAMP[lower][i])).round() as u8
            };
            [channel(0), channel(1), channel(2), 255]
        }
    }
}

/// Frame at some distance around the differing area, which makes a single pixel visible in a large
/// picture.
#[derive(Clone, Copy)]
struct DifferenceFrame {
    inner: [[i64; 2]; 2],
    outer: [[i64; 2]; 2],
}

impl DifferenceFrame {
    /// Creates the frame. Returns `None` in small pictures and around most of a picture, where it
    /// would not help.
    fn around(bounds: Bounds, picture: [u32; 2]) -> Option<Self> {
        let is_small = picture.iter().any(|side| *side < 48);
        let is_most =
            (0..2).all(|axis| 2 * u64::from(bounds.size[axis]) > u64::from(picture[axis]));
        if is_small || is_most {
            return None;
        }
        let thickness = 1 + i64::from(picture[0].max(picture[1])) / 600;
        let spread = |by: i64| {
            [0, 1].map(|axis| {
                let first = i64::from(bounds.corner[axis]);
                [first - by, first + i64::from(bounds.size[axis]) + by]
            })
        };
        Some(Self { inner: spread(2 + thickness), outer: spread(2 + 2 * thickness) })
    }

    fn has(&self, x: u32, y: u32) -> bool {
        let is_in = |sides: &[[i64; 2]; 2]| {
            let at = [i64::from(x), i64::from(y)];
            (0..2).all(|axis| (sides[axis][0]..sides[axis][1]).contains(&at[axis]))
        };
        is_in(&self.outer) && !is_in(&self.inner)
    }
}

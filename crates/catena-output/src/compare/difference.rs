//! Difference of two pictures of equal size: its amount, its position and its tolerance.

use super::{
    raster::{Bounds, BoundsBuilder, LEVEL, Raster},
    ssim,
};

/// Difference of two pictures of equal size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureDifference {
    /// Width and height of both pictures, in pixels.
    pub size: [u32; 2],
    /// Maximum visible difference of a channel, in levels of 0 to 255. Fractional for 16-bit
    /// channels or translucent pixels.
    pub greatest: f64,
    /// Number of pixels that differ.
    pub differing: u64,
    /// Number of pixels that differ by more than the tolerance.
    pub beyond: u64,
    /// Mean structural similarity of luma, from -1 to 1; 1 for equal pictures.
    pub ssim: f64,
    /// Bounding rectangle of the pixels beyond the tolerance. If there are none, the bounding
    /// rectangle of all differing pixels.
    pub bounds: Option<Bounds>,
}

impl PictureDifference {
    /// Difference of two equal pictures.
    pub fn equal(size: [u32; 2]) -> Self {
        Self { size, greatest: 0.0, differing: 0, beyond: 0, ssim: 1.0, bounds: None }
    }

    /// Number of pixels of a picture.
    pub fn pixels(&self) -> u64 {
        u64::from(self.size[0]) * u64::from(self.size[1])
    }

    /// Share of pixels that differ by more than the tolerance, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.beyond as f64 / self.pixels().max(1) as f64
    }
}

/// Maximum visible difference between two pixels, in 16-bit levels. Covers alpha, and red, green
/// and blue over black and over white. The result is 0 only for pixels that look equal over every
/// background; the colour of a pixel with alpha 0 is ignored.
pub(super) fn channel_difference(expected: [u16; 4], actual: [u16; 4]) -> u16 {
    const FULL: i64 = u16::MAX as i64;
    let [e, a] = [expected, actual].map(|pixel| pixel.map(i64::from));
    let channel = |i: usize| {
        let over_black = e[i] * e[3] - a[i] * a[3];
        let over_white = over_black - FULL * (e[3] - a[3]);
        let maximum = over_black.abs().max(over_white.abs());
        // Rounded up, so that any difference is at least 1.
        ((maximum + FULL - 1) / FULL) as u16
    };
    let alpha = expected[3].abs_diff(actual[3]);
    [channel(0), channel(1), channel(2), alpha].into_iter().max().unwrap_or(0)
}

/// Compares two pictures of equal size. Pixels that differ by at most `tolerated` levels of 0 to
/// 255 count as differing, but not as beyond the tolerance.
///
/// Channels are red, green, blue and, if present, alpha. Colours are weighted by their visibility:
/// pixels with alpha 0 are equal. Grey equals RGB of the same colour, and 8 bits equal 16 bits of
/// the same value (level n of 8 bits is 257 n).
///
/// # Errors
/// Returns the expected and the actual size, if they differ.
pub fn measure(
    expected: &Raster,
    actual: &Raster,
    tolerated: u8,
) -> Result<PictureDifference, [[u32; 2]; 2]> {
    if expected.size != actual.size {
        return Err([expected.size, actual.size]);
    }
    let limit = u16::from(tolerated) * LEVEL;
    let mut numbers = PictureDifference::equal(expected.size);
    let (mut any, mut beyond) = (BoundsBuilder::NOTHING, BoundsBuilder::NOTHING);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut greatest = 0;
    for y in (0..expected.size[1] as usize).filter(|y| !expected.has_same_row(actual, *y)) {
        expected.read_row(y, &mut left);
        actual.read_row(y, &mut right);
        for (x, (e, a)) in left.iter().zip(&right).enumerate().filter(|(_, (e, a))| e != a) {
            let channel_difference = channel_difference(*e, *a);
            if channel_difference == 0 {
                continue;
            }
            greatest = greatest.max(channel_difference);
            numbers.differing += 1;
            any.add(x, y);
            if channel_difference > limit {
                numbers.beyond += 1;
                beyond.add(x, y);
            }
        }
    }
    numbers.greatest = f64::from(greatest) / f64::from(LEVEL);
    let any = any.bounds();
    numbers.bounds = beyond.bounds().or(any);
    numbers.ssim = any.map_or(1.0, |any| ssim::mean(expected, actual, any));
    Ok(numbers)
}

/// Allowed difference of the pictures of a pair. The default allows none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Maximum difference of a channel, in levels of 0 to 255, up to which a pixel counts as equal.
    pub max_channel: u8,
    /// Maximum share of pixels, from 0 to 1, that may differ by more than `max_channel`.
    pub max_pixels: f64,
    /// Minimum mean SSIM, from -1 to 1; `None` for no minimum.
    pub min_ssim: Option<f64>,
}

impl Tolerance {
    /// Whether only equal pixels pass.
    pub fn is_exact(&self) -> bool {
        self.max_channel == 0 && self.max_pixels == 0.0
    }

    /// Whether few enough pixels differ and the SSIM is high enough.
    pub fn admits(&self, numbers: &PictureDifference) -> bool {
        numbers.share() <= self.max_pixels
            && self.min_ssim.is_none_or(|minimum| numbers.ssim >= minimum)
    }
}

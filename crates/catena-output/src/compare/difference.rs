//! The difference of two pictures of one size: how large it is, and where.

use super::{
    bounds::{Bounds, BoundsBuilder},
    raster::{LEVEL, Raster},
    ssim,
};

/// The difference of two pictures of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureDifference {
    /// Width and height of both pictures.
    pub size: [u32; 2],
    /// The greatest visible difference of a channel in levels of 0 to 255; with 16 bits a channel,
    /// or with translucent pixels, in fractions of a level.
    pub greatest: f64,
    /// The number of pixels that differ.
    pub differing: u64,
    /// The number of pixels that differ by more than is tolerated.
    pub beyond: u64,
    /// The mean structural similarity of luma, from -1 to 1; 1 for equal pictures.
    pub ssim: f64,
    /// The rectangle around the pixels beyond the tolerance or, without these, around all that
    /// differ.
    pub bounds: Option<Bounds>,
}

impl PictureDifference {
    /// The difference of two equal pictures.
    pub fn equal(size: [u32; 2]) -> Self {
        Self { size, greatest: 0.0, differing: 0, beyond: 0, ssim: 1.0, bounds: None }
    }

    /// The number of pixels of a picture.
    pub fn pixels(&self) -> u64 {
        u64::from(self.size[0]) * u64::from(self.size[1])
    }

    /// The share of pixels that differ by more than is tolerated, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.beyond as f64 / self.pixels().max(1) as f64
    }
}

/// The greatest visible difference of a channel of two pixels, in levels of 16 bits: that of alpha,
/// and those of red, green and blue over black and over white. The difference is 0 only for pixels
/// that look the same over everything: the colour of a pixel with an alpha of 0 is never seen.
pub(super) fn channel_difference(expected: [u16; 4], actual: [u16; 4]) -> u16 {
    const FULL: i64 = u16::MAX as i64;
    let [e, a] = [expected, actual].map(|pixel| pixel.map(i64::from));
    let channel = |i: usize| {
        let over_black = e[i] * e[3] - a[i] * a[3];
        let over_white = over_black - FULL * (e[3] - a[3]);
        let most = over_black.abs().max(over_white.abs());
        // Rounded up, so that what differs has a difference.
        ((most + FULL - 1) / FULL) as u16
    };
    let alpha = expected[3].abs_diff(actual[3]);
    [channel(0), channel(1), channel(2), alpha].into_iter().max().unwrap_or(0)
}

/// Compares two pictures of one size. Pixels that differ by at most `tolerated` levels of 0 to 255
/// count as differing, but not as beyond the tolerance.
///
/// Channels are red, green, blue and, where a picture has it, alpha. Colours differ by as much as
/// is seen of them: pixels with an alpha of 0 are equal. Grey equals RGB of the same colour, and 8
/// bits equal 16 bits of the same value (level n of 8 bits is 257 n).
///
/// # Errors
/// Both sizes, expected and actual, when they differ.
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

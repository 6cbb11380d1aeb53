//! Tolerance of a comparison.

use super::PictureDifference;

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
            && self.min_ssim.is_none_or(|least| numbers.ssim >= least)
    }
}

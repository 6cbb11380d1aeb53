//! How far apart two pictures may be.

use super::PictureDifference;

/// What a pair of pictures must keep to. The default admits no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// A pixel counts as equal when none of its channels differs by more than this, in levels of 0 to 255.
    pub max_channel: u8,
    /// The greatest share of pixels that may differ by more than that, from 0 to 1.
    pub max_pixels: f64,
    /// The least mean SSIM, from -1 to 1.
    pub min_ssim: Option<f64>,
}

impl Tolerance {
    /// Whether nothing but equal pixels passes.
    pub fn is_exact(&self) -> bool {
        self.max_channel == 0 && self.max_pixels == 0.0
    }

    /// Whether few enough pixels differ, and the SSIM is high enough where one is asked for.
    pub fn admits(&self, numbers: &PictureDifference) -> bool {
        numbers.share() <= self.max_pixels
            && self.min_ssim.is_none_or(|least| numbers.ssim >= least)
    }
}

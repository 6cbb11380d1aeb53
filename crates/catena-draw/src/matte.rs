//! Opacity of a picture that was drawn twice: over black and over white.
//!
//! A pixel with colour c and opacity α gives α c over black, and α c + 255 (1 - α) over white.
//! The difference gives α, and the picture over black gives c (T. Porter and T. Duff, "Compositing
//! digital images", 1984; A. Smith and J. Blinn, "Blue screen matting", 1996).

use image::{RgbImage, RgbaImage};

/// Picture with straight alpha, computed from the same picture over black and over white. Both have
/// the same size. Composited over black, the result equals `black` exactly.
pub fn translucent(black: &RgbImage, white: &RgbImage) -> RgbaImage {
    let mut picture = RgbaImage::new(black.width(), black.height());
    let both = black.as_raw().chunks_exact(3).zip(white.as_raw().chunks_exact(3));
    for (pixel, (black, white)) in picture.chunks_exact_mut(4).zip(both) {
        pixel.copy_from_slice(&straight(black, white));
    }
    picture
}

/// Colour and opacity of a pixel. The channels differ by rounding, so the opacity is their mean,
/// but at least the minimum that the brightest channel needs.
fn straight(black: &[u8], white: &[u8]) -> [u8; 4] {
    let through = |k: usize| 255 - i32::from(white[k]) + i32::from(black[k]);
    let brightest = black.iter().copied().max().unwrap_or(0);
    let mean = (through(0) + through(1) + through(2) + 1).div_euclid(3);
    let alpha = mean.clamp(i32::from(brightest), 255) as u32;
    if alpha == 0 {
        return [0; 4];
    }
    let channel = |k: usize| ((510 * u32::from(black[k]) + alpha) / (2 * alpha)).min(255) as u8;
    [channel(0), channel(1), channel(2), alpha as u8]
}

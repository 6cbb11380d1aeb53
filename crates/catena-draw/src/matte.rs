//! Opacity of a picture that was drawn twice: over black and over white.
//!
//! A pixel with colour c and opacity α gives α c over black, and α c + 255 (1 - α) over white.
//! The difference gives α, and the picture over black gives c (T. Porter and T. Duff, "Compositing
//! digital images", 1984; A. Smith and J. Blinn, "Blue screen matting", 1996).

use image::{RgbImage, RgbaImage};

/// Picture with straight alpha from the same picture over black and over white, which have one
/// size. Laid over black, the result gives `black` exactly.
pub(super) fn translucent(black: &RgbImage, white: &RgbImage) -> RgbaImage {
    let mut picture = RgbaImage::new(black.width(), black.height());
    let both = black.as_raw().chunks_exact(3).zip(white.as_raw().chunks_exact(3));
    for (pixel, (black, white)) in picture.chunks_exact_mut(4).zip(both) {
        pixel.copy_from_slice(&straight(black, white));
    }
    picture
}

/// Colour and opacity of a pixel. The channels differ by rounding, so their mean gives the opacity,
/// at least as much as the brightest channel needs.
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

#[cfg(test)]
mod tests {
    use super::straight;

    /// Mixes a colour over a backdrop, rounded to the nearest value.
    fn over(color: u8, alpha: u8, backdrop: u8) -> u8 {
        let [color, alpha, backdrop] = [color, alpha, backdrop].map(u32::from);
        ((color * alpha + backdrop * (255 - alpha) + 127) / 255) as u8
    }

    #[test]
    fn pixels_over_black_and_white_come_back() {
        for alpha in 0..=255_u8 {
            for base in (0..=255_u8).step_by(5) {
                let color = [base, 255 - base, base / 2];
                let on = |backdrop: u8| color.map(|channel| over(channel, alpha, backdrop));
                let (black, white) = (on(0), on(255));
                let [r, g, b, found] = straight(&black, &white);
                assert!(found.abs_diff(alpha) <= 1, "{color:?} {alpha}: {found}");
                for (channel, k) in [r, g, b].into_iter().zip(0..) {
                    assert_eq!(over(channel, found, 0), black[k], "{color:?} {alpha}");
                    assert!(over(channel, found, 255).abs_diff(white[k]) <= 1, "{color:?} {alpha}");
                }
            }
        }
    }
}

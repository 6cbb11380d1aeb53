//! Colours by lightness, after B. Ottosson, "A perceptual color space for image processing" (2020):
//! equal steps of lightness look equal, and a hue stays what it is while its lightness changes.

use super::theme::Ink;
use image::Rgb;

/// Lightness from 0, black, to 1, white, and the two coordinates of hue and chroma.
pub(super) fn oklab(ink: Ink) -> [f64; 3] {
    let [r, g, b] = ink.0.map(linear);
    let cone = |row: [f64; 3]| libm::cbrt(row[0] * r + row[1] * g + row[2] * b);
    let l = cone([0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9]);
    let m = cone([0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6]);
    let s = cone([0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5]);
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}

/// The hue of a colour at another lightness, with as much of its chroma as a screen has there.
pub(super) fn at_lightness(ink: Ink, lightness: f64) -> Ink {
    let [_, a, b] = oklab(ink);
    let with = |chroma: f64| linear_rgb([lightness, chroma * a, chroma * b]);
    let is_shown =
        |rgb: &[f64; 3]| rgb.iter().all(|channel| (-1e-4..=1.0 + 1e-4).contains(channel));
    let mut found = with(1.0);
    if !is_shown(&found) {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..12 {
            let middle = 0.5 * (low + high);
            if is_shown(&with(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        found = with(low);
    }
    Rgb(found.map(encoded))
}

/// The share of white's luminance that a colour has.
pub(super) fn luminance(ink: Ink) -> f64 {
    let [r, g, b] = ink.0.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn linear_rgb([lightness, a, b]: [f64; 3]) -> [f64; 3] {
    let cube = |value: f64| value * value * value;
    let l = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let m = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let s = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

/// A channel of sRGB as an amount of light.
fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
}

/// An amount of light as a channel of sRGB.
fn encoded(light: f64) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let value = match light <= 0.003_130_8 {
        true => 12.92 * light,
        false => 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055,
    };
    (255.0 * value).round() as u8
}

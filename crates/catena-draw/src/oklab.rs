//! Colours by lightness, after B. Ottosson, "A perceptual colour space for image processing" (2020).
//! Equal steps of lightness look equal, and a hue is preserved when its lightness changes.

use super::theme::Ink;
use catena_sim::drive::track::color_space::{
    CONES, CONES_OF_LAB, LAB, LIGHT, decode, encode, product,
};
use image::Rgb;

/// Lightness from 0 (black) to 1 (white), and the two coordinates of hue and chroma.
pub(super) fn oklab(ink: Ink) -> [f64; 3] {
    product(&LAB, product(&CONES, ink.0.map(linear)).map(libm::cbrt))
}

/// The hue of a colour at another lightness, with as much of its chroma as sRGB can represent.
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

/// Luminance of a colour relative to white.
pub(super) fn luminance(ink: Ink) -> f64 {
    let [r, g, b] = ink.0.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn linear_rgb(lab: [f64; 3]) -> [f64; 3] {
    product(&LIGHT, product(&CONES_OF_LAB, lab).map(|value| value * value * value))
}

/// Linear light of an sRGB channel.
fn linear(channel: u8) -> f64 {
    decode(f64::from(channel) / 255.0).0
}

/// The sRGB channel for an amount of linear light.
fn encoded(light: f64) -> u8 {
    (255.0 * encode(light.clamp(0.0, 1.0)).0).round() as u8
}

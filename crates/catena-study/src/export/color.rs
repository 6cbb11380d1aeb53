//! Colours in linear light, as glTF and USD require.

use catena_sim::drive::track::color_space::decode;

/// Converts an sRGB colour with one byte per channel into linear light, 0 to 1.
pub fn linear(color: [u8; 3]) -> [f64; 3] {
    color.map(|channel| decode(f64::from(channel) / 255.0).0)
}

//! Colours as glTF and USD have them: linear light.

use catena_sim::drive::track::color_space::decode;

/// A colour of sRGB, one byte a channel, in linear light from 0 to 1.
pub fn linear(color: [u8; 3]) -> [f64; 3] {
    color.map(|channel| decode(f64::from(channel) / 255.0).0)
}

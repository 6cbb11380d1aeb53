//! Pictures of frames in formats other than PNG.

use catena_draw::{canvas::Picture, data::FrameData, motion_blur::light_of};
use catena_output::{
    exr::{self, ExrChannel},
    webp,
};
use std::{io, sync::LazyLock};

/// Amount of light for each channel value, from 0 to 1.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(|| {
    let mut all = [0.0; 256];
    for (value, light) in (0_u8..=255).zip(&mut all) {
        *light = light_of(f64::from(value) / 255.0) as f32;
    }
    all
});

/// Encodes a picture as lossless WebP. Replaces the contents of `bytes`.
pub(super) fn encode_webp(picture: Picture<'_>, bytes: &mut Vec<u8>) -> io::Result<()> {
    match picture {
        Picture::Opaque(image) => webp::encode(image, bytes),
        Picture::Translucent(image) => webp::encode_translucent(&image, bytes),
    }
}

/// Encodes a picture as OpenEXR. Replaces the contents of `bytes`. Colours are amounts of light,
/// multiplied by alpha. `data` adds further channels.
pub(super) fn encode_exr(
    picture: Picture<'_>,
    data: Option<&FrameData>,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let (size, mut channels): (_, Vec<(&str, Vec<f32>)>) = match picture {
        Picture::Opaque(image) => {
            let channel = |k: usize| image.pixels().map(|pixel| light(pixel.0[k])).collect();
            (image.dimensions(), ["R", "G", "B"].into_iter().zip((0..3).map(channel)).collect())
        }
        Picture::Translucent(image) => {
            let alpha = |pixel: &[u8; 4]| f32::from(pixel[3]) / 255.0;
            let channel = |k: usize| {
                image.pixels().map(|pixel| light(pixel.0[k]) * alpha(&pixel.0)).collect()
            };
            let colors = ["R", "G", "B"].into_iter().zip((0..3).map(channel));
            let mut all: Vec<(&str, Vec<f32>)> = colors.collect();
            all.push(("A", image.pixels().map(|pixel| alpha(&pixel.0)).collect()));
            (image.dimensions(), all)
        }
    };
    if !channels.iter().any(|(name, _)| *name == "A") {
        let count = channels.first().map_or(0, |(_, samples)| samples.len());
        channels.push(("A", vec![1.0; count]));
    }
    let mut all: Vec<ExrChannel> =
        channels.into_iter().map(|(name, samples)| ExrChannel::real(name, samples)).collect();
    if let Some(data) = data {
        let [x, y, z] = &data.normal;
        let [right, down] = &data.motion;
        let reals = [
            ("Z", &data.depth),
            ("N.X", x),
            ("N.Y", y),
            ("N.Z", z),
            ("motion.X", right),
            ("motion.Y", down),
        ];
        all.extend(reals.map(|(name, samples)| ExrChannel::real(name, samples.clone())));
        let wholes = [("id.body", &data.body), ("id.node", &data.node)];
        all.extend(wholes.map(|(name, samples)| ExrChannel::whole(name, samples.clone())));
    }
    *bytes = exr::encode([size.0, size.1], all)?;
    Ok(())
}

fn light(value: u8) -> f32 {
    LIGHT[usize::from(value)]
}

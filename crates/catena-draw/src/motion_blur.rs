//! Motion blur: the mean of pictures in linear light.
//!
//! Each channel is decoded by the sRGB transfer function (IEC 61966-2-1), summed, and encoded
//! again. The mean of equal pictures is the same picture.

use super::canvas::Canvas;
use image::RgbImage;
use std::sync::LazyLock;

/// Linear light of each channel value, in units of 1/65535.
static LIGHT: LazyLock<[u16; 256]> = LazyLock::new(|| {
    let mut all = [0; 256];
    for (value, light) in (0_u8..=255).zip(&mut all) {
        *light = (65_535.0 * light_of(f64::from(value) / 255.0)).round() as u16;
    }
    all
});

/// Decodes a channel from 0 to 1 into linear light from 0 to 1.
pub fn light_of(channel: f64) -> f64 {
    match channel <= 0.04045 {
        true => channel / 12.92,
        false => libm::pow((channel + 0.055) / 1.055, 2.4),
    }
}

/// Channel value whose linear light is nearest to `light`, in units of 1/65535.
pub fn nearest(light: u16) -> u8 {
    let above = LIGHT.partition_point(|known| *known < light).min(255);
    let below = above.saturating_sub(1);
    let is_above = LIGHT[above].abs_diff(light) <= light.abs_diff(LIGHT[below]);
    if is_above { above as u8 } else { below as u8 }
}

/// Sum of pictures of one size, in linear light.
#[derive(Default)]
pub(super) struct LightSum {
    sums: Vec<u32>,
    count: u32,
}

impl LightSum {
    /// Adds a picture.
    pub(super) fn add(&mut self, image: &RgbImage) {
        self.sums.resize(image.as_raw().len(), 0);
        let light = &*LIGHT;
        for (sum, value) in self.sums.iter_mut().zip(image.as_raw()) {
            *sum += u32::from(light[usize::from(*value)]);
        }
        self.count += 1;
    }

    /// Draws the mean of the pictures on a canvas of their size.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let area = canvas.all();
        let (count, half) = (self.count.max(1), self.count / 2);
        let encode = |sum: u32| nearest(((sum + half) / count) as u16);
        let width = 3 * area.w.max(1) as usize;
        for (y, sums) in (0..area.h).zip(self.sums.chunks_exact(width)) {
            let row: Vec<[u8; 3]> = sums.as_chunks().0.iter().map(|it| it.map(encode)).collect();
            canvas.put_row([0, y], &row);
        }
    }
}

//! Colours of textures at positions on triangles.

use catena_scene::gltf::{Texture, TextureLevel, Wrap};

/// Colour of a texture in sRGB, each channel from 0 to 1. `change` is the size of a pixel of the
/// frame in the texture. If it exceeds the texture's own pixels, a smaller copy of the texture is
/// used.
pub fn color_at(texture: &Texture, at: [f32; 2], change: [f32; 2]) -> [f32; 3] {
    let covered = |level: &TextureLevel| {
        let [w, h] = level.size.map(|side| side as f32);
        let [across, down] = [change[0] * w, change[1] * h];
        if across > down { across } else { down }
    };
    // Each copy has half the width of the previous one.
    let fine = texture.levels.iter().position(|level| covered(level) <= 1.5);
    let index = fine.unwrap_or(texture.levels.len().saturating_sub(1));
    let Some(level) = texture.levels.get(index) else { return [1.0; 3] };
    let is_sharp = texture.is_sharp && index == 0;
    let [r, g, b, _] = sample(level, texture.wraps, at, is_sharp);
    [r, g, b]
}

/// Opacity of a texture, from 0 to 1.
pub fn opacity(texture: &Texture, at: [f32; 2]) -> f32 {
    let Some(level) = texture.levels.first() else { return 1.0 };
    let [.., alpha] = sample(level, texture.wraps, at, texture.is_sharp);
    alpha
}

/// Channels of a picture at a position, from 0 to 1: of the nearest pixel if `is_sharp`, otherwise
/// interpolated linearly between four pixels.
fn sample(level: &TextureLevel, wraps: [Wrap; 2], at: [f32; 2], is_sharp: bool) -> [f32; 4] {
    let [w, h] = level.size;
    let pixel = |x: i64, y: i64| {
        let (x, y) = (wrapped(x, w, wraps[0]), wrapped(y, h, wraps[1]));
        level.pixels.get(y * w + x).copied().unwrap_or([u8::MAX; 4]).map(f32::from)
    };
    let [x, y] = [at[0] * w as f32, at[1] * h as f32];
    let channels = if is_sharp {
        pixel(x.floor() as i64, y.floor() as i64)
    } else {
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right, below) = (x - left, y - top);
        let (i, j) = (left as i64, top as i64);
        let rows = [j, j.saturating_add(1)].map(|j| {
            let (a, b) = (pixel(i, j), pixel(i.saturating_add(1), j));
            [0, 1, 2, 3].map(|k| a[k] + right * (b[k] - a[k]))
        });
        [0, 1, 2, 3].map(|k| rows[0][k] + below * (rows[1][k] - rows[0][k]))
    };
    channels.map(|channel| channel / 255.0)
}

/// Index of a pixel in a row of `count` pixels, which continues beyond its ends.
fn wrapped(at: i64, count: usize, wrap: Wrap) -> usize {
    let count = count as i64;
    let inside = match wrap {
        Wrap::Repeat => at.rem_euclid(count),
        Wrap::Clamp => at.clamp(0, count - 1),
        Wrap::Mirror => {
            let at = at.rem_euclid(2 * count);
            if at < count { at } else { 2 * count - 1 - at }
        }
    };
    inside as usize
}

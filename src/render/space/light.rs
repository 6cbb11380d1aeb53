//! The light of a scene in space: one sun far away, the sky above, and a little from the eye.

use crate::render::vector::{Vec3, cross, dot, unit};

/// The direction to the sun where y points upwards: from above, a little right and in front.
const TO_SUN: Vec3 = [0.4, 1.0, 0.6];

/// Light of the sky on a level surface, and on one that is upright.
const SKY: f32 = 0.52;
const SIDE: f32 = 0.38;
/// Light from the eye, so that no side in shade is without shape.
const FILL: f32 = 0.12;
/// Light of the sun on a surface across its rays.
const SUN: f32 = 0.66;

/// The directions of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Two directions across the rays, and the one to the sun; of length 1, at right angles.
    pub axes: [Vec3; 3],
    /// The direction upwards.
    pub up: Vec3,
}

impl Light {
    /// The light where `up` points upwards, of length 1.
    pub fn new(up: Vec3) -> Self {
        let is_z = up[2].abs() > up[1].abs();
        let to_sun = if is_z { [TO_SUN[0], -TO_SUN[2], TO_SUN[1]] } else { TO_SUN };
        let to_sun = unit(to_sun);
        let helper = if to_sun[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let aside = unit(cross(helper, to_sun));
        Self { axes: [aside, cross(to_sun, aside), to_sun], up }
    }

    /// The direction to the sun.
    pub fn to_sun(&self) -> [f32; 3] {
        self.axes[2].map(|value| value as f32)
    }

    /// The coordinates of a place along the axes of the light.
    pub fn coordinates(&self, at: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, at))
    }

    /// What light does to a surface: its channels are multiplied by this. `open` is the share of
    /// the sky that is not hidden, `sun` the light that the sun throws on it, from 0 to 1.
    #[inline(always)]
    pub fn strength(&self, normal: [f32; 3], to_eye: [f32; 3], open: f32, sun: f32) -> f32 {
        let upwards = inner(normal, self.up.map(|value| value as f32));
        let towards = inner(normal, to_eye).max(0.0);
        let light = (SIDE + (SKY - SIDE) * upwards + FILL * towards) * open + SUN * sun;
        // Channels are roots of light.
        light.sqrt()
    }
}

/// Σ a b.
#[inline(always)]
pub fn inner(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a at length 1; a where it has no length.
#[inline(always)]
pub fn normalized(a: [f32; 3]) -> [f32; 3] {
    let square = inner(a, a);
    if square > 0.0 { a.map(|value| value / square.sqrt()) } else { a }
}

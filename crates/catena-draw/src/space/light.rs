//! Light of a scene in space: a distant sun, the sky, and a weak light from the eye.

use super::single::{Single3, inner, single};
use crate::vector::{Vec3, cross, dot, unit};

/// Direction to the sun if y is up: from above, slightly right and in front.
const TO_SUN: Vec3 = [0.4, 1.0, 0.6];

/// Light of the sky on a level surface, and on an upright one.
const SKY: f32 = 0.52;
const SIDE: f32 = 0.38;
/// Light from the eye, so that shaded sides still show their shape.
const FILL: f32 = 0.12;
/// Light of the sun on a surface perpendicular to its rays.
const SUN: f32 = 0.66;

/// Directions of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Orthonormal axes: two directions perpendicular to the rays, and the direction to the sun.
    pub axes: [Vec3; 3],
    /// [`Self::axes`] in single precision.
    pub single_axes: [Single3; 3],
    /// Upward direction.
    up: Single3,
}

impl Light {
    /// Light for the upward unit vector `up`.
    pub fn new(up: Vec3) -> Self {
        let is_z = up[2].abs() > up[1].abs();
        let to_sun = if is_z { [TO_SUN[0], -TO_SUN[2], TO_SUN[1]] } else { TO_SUN };
        let to_sun = unit(to_sun);
        let helper = if to_sun[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let aside = unit(cross(helper, to_sun));
        let axes = [aside, cross(to_sun, aside), to_sun];
        Self { axes, single_axes: axes.map(single), up: single(up) }
    }

    /// Coordinates of a point along the axes of the light.
    pub fn coordinates(&self, at: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, at))
    }

    /// Factor for the colour channels of a surface. `open` is the unobstructed share of the sky,
    /// and `sun` the light of the sun on the surface, from 0 to 1.
    #[inline(always)]
    pub fn strength(&self, normal: Single3, to_eye: Single3, open: f32, sun: f32) -> f32 {
        let upwards = inner(normal, self.up);
        let towards = inner(normal, to_eye);
        let fill = if towards > 0.0 { FILL * towards } else { 0.0 };
        let light = (SIDE + (SKY - SIDE) * upwards + fill) * open + SUN * sun;
        // Channels are proportional to the square root of light.
        light.sqrt()
    }
}

//! The light of a scene in space: one sun far away, the sky above, and a little from the eye.

use super::single::{Single3, inner, single};
use crate::vector::{Vec3, cross, dot, unit};

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
    /// The same in single precision.
    pub single_axes: [Single3; 3],
    /// The direction upwards.
    up: Single3,
}

impl Light {
    /// The light where `up` points upwards, of length 1.
    pub fn new(up: Vec3) -> Self {
        let is_z = up[2].abs() > up[1].abs();
        let to_sun = if is_z { [TO_SUN[0], -TO_SUN[2], TO_SUN[1]] } else { TO_SUN };
        let to_sun = unit(to_sun);
        let helper = if to_sun[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let aside = unit(cross(helper, to_sun));
        let axes = [aside, cross(to_sun, aside), to_sun];
        Self { axes, single_axes: axes.map(single), up: single(up) }
    }

    /// The coordinates of a place along the axes of the light.
    pub fn coordinates(&self, at: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, at))
    }

    /// What light does to a surface: its channels are multiplied by this. `open` is the share of
    /// the sky that is not hidden, `sun` the light that the sun throws on it, from 0 to 1.
    #[inline(always)]
    pub fn strength(&self, normal: Single3, to_eye: Single3, open: f32, sun: f32) -> f32 {
        let upwards = inner(normal, self.up);
        let towards = inner(normal, to_eye);
        let fill = if towards > 0.0 { FILL * towards } else { 0.0 };
        let light = (SIDE + (SKY - SIDE) * upwards + fill) * open + SUN * sun;
        // Channels are roots of light.
        light.sqrt()
    }
}

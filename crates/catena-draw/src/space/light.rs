//! Light of a scene in space: a distant sun, the sky above and the ground below, and a weak light
//! from the eye.

use super::mesh::channels;
use super::single::{Single3, inner, single};
use crate::vector::{Vec3, cross, dot, norm, perpendicular, unit};
use catena_scene as scene;
use image::Rgb;

/// Tangent of the angle between the middle and the edge of the sun.
pub const SUN_RADIUS: f32 = 0.02;

/// Direction to the sun if y is up: from above, slightly right and in front.
const TO_SUN: Vec3 = [0.4, 1.0, 0.6];

/// Light of the sky on a surface that faces up, per colour channel.
const SKY: Single3 = [0.5, 0.515, 0.54];
/// Light from the ground on a surface that faces down, per colour channel.
const BELOW: Single3 = [0.235, 0.225, 0.215];
/// Light from the eye on a surface that faces the eye, so that shaded sides still show their shape.
const FILL: f32 = 0.12;
/// Light of the sun on a surface perpendicular to its rays.
const SUN: f32 = 0.66;

/// Directions and colours of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Orthonormal axes: two directions perpendicular to the rays, and the direction to the sun.
    pub axes: [Vec3; 3],
    /// [`Self::axes`] in single precision.
    pub single_axes: [Single3; 3],
    /// Tangent of the angle between the middle and the edge of the sun.
    pub softness: f32,
    /// Upward direction.
    up: Single3,
    /// Ambient light on a surface that faces up, and on a surface that faces down.
    sky: [Single3; 2],
    /// Light of the sun on a surface perpendicular to its rays.
    sun: Single3,
}

impl Light {
    /// Light for the upward unit vector `up`.
    pub fn new(up: Vec3, settings: &scene::Light) -> Self {
        let is_z = up[2].abs() > up[1].abs();
        let usual = if is_z { [TO_SUN[0], -TO_SUN[2], TO_SUN[1]] } else { TO_SUN };
        let to_sun = settings.direction.filter(|direction| norm(*direction) > 0.0).unwrap_or(usual);
        let to_sun = unit(to_sun);
        let aside = perpendicular(to_sun).map(|part| -part);
        let axes = [aside, cross(to_sun, aside), to_sun];
        let (sky, sun) = (settings.sky as f32, settings.sun as f32);
        let scaled = |light: Single3, factor: f32| light.map(|channel| channel * factor);
        // Channels of colours are proportional to the square root of light.
        let color = channels(Rgb(settings.color.0)).map(|channel| channel * channel * SUN * sun);
        Self {
            axes,
            single_axes: axes.map(single),
            softness: settings
                .softness
                .map_or(SUN_RADIUS, |degrees| libm::tan(degrees.to_radians()) as f32),
            up: single(up),
            sky: [scaled(SKY, sky), scaled(BELOW, sky)],
            sun: color,
        }
    }

    /// Coordinates of a point along the axes of the light.
    pub fn coordinates(&self, at: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, at))
    }

    /// Factors for the colour channels of a surface. `open` is the unobstructed share of the sky,
    /// and `sun` the light of the sun on the surface, from 0 to 1.
    #[inline(always)]
    pub fn strength(&self, normal: Single3, to_eye: Single3, open: f32, sun: f32) -> Single3 {
        let upwards = 0.5 + 0.5 * inner(normal, self.up);
        let towards = inner(normal, to_eye);
        let fill = if towards > 0.0 { FILL * towards } else { 0.0 };
        let [above, below] = self.sky;
        let mut all = [0.0; 3];
        for k in 0..3 {
            let light =
                (below[k] + (above[k] - below[k]) * upwards + fill) * open + self.sun[k] * sun;
            all[k] = if light > 0.0 { light.sqrt() } else { 0.0 };
        }
        all
    }
}

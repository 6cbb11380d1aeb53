//! Ground of a panel in space: its colour gradient, its fading towards the horizon, and its shade.

use super::mesh::{Material, Mesh, Surface, Vertex, channels};
use super::single::{Single3, mixed, single, times, within};
use crate::camera::SpatialCamera;
use crate::vector::{Vec3, norm, sub};
use catena_scene as scene;
use image::Rgb;

/// Distance behind the target at which the ground starts to fade, in sizes of the ground.
const FADES_FROM: f32 = 0.6;
/// Distance beyond [`FADES_FROM`] at which the opacity of the ground has fallen to one half, in
/// sizes of the ground.
const FADES_OVER: f32 = 0.9;

/// Distance behind the target from which the ground is invisible, in sizes of the ground.
const LAST: f32 = 24.0;
/// Width of the zone before [`LAST`] in which the remaining opacity falls linearly to 0, in sizes
/// of the ground.
const LAST_STEP: f32 = 12.0;

/// Brightness of the ground in full shade, if the scene sets no colour.
const SHADE: f32 = 0.72;

/// A level ground that fades towards the horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Point of the ground below the target of the camera.
    middle: Vec3,
    /// [`Self::middle`] relative to the target of the camera.
    from_target: Single3,
    size: f64,
    /// Point of the ground below the eye, relative to the target, and its distance from `middle`.
    /// Without perspective, `middle` itself.
    below_eye: (Single3, f64),
    /// Colours of the front and back edges.
    inks: [Single3; 2],
    /// Colour in full shade.
    shadow: Option<Single3>,
    /// Whether the ground is invisible and only shows shadows.
    is_clear: bool,
    /// Whether the colour changes along z rather than x, and whether the front edge is at the high
    /// end.
    is_along_z: bool,
    front_is_high: bool,
}

impl Ground {
    /// Ground of a panel, centred below the target. `None` if it is seen from below.
    pub fn new(
        ground: &scene::Ground,
        target: Vec3,
        camera: &SpatialCamera,
        is_clear: bool,
    ) -> Option<Self> {
        let [up, ahead] = camera.up_and_ahead();
        let is_above = match camera.is_perspective() {
            true => camera.eye()[1] > ground.height,
            false => ahead[1] < 0.0,
        };
        // In a view straight down, the top of the picture counts as far.
        let is_level = |vector: Vec3| vector[0] * vector[0] + vector[2] * vector[2] > 1e-12;
        let direction = if is_level(ahead) { ahead } else { up };
        let is_along_z = direction[2].abs() >= direction[0].abs();
        let ink = |color: scene::Color| channels(Rgb(color.0));
        let middle = [target[0], ground.height, target[2]];
        let eye = camera.eye();
        let below = if camera.is_perspective() { [eye[0], middle[1], eye[2]] } else { middle };
        is_above.then(|| Self {
            middle,
            below_eye: (single(camera.from_target(below)), norm(sub(middle, below))),
            from_target: single(camera.from_target(middle)),
            size: ground.size,
            inks: [ink(ground.near), ink(ground.far)],
            shadow: ground.shadow.map(ink),
            is_clear,
            is_along_z,
            front_is_high: if is_along_z { direction[2] < 0.0 } else { direction[0] < 0.0 },
        })
    }

    /// Adds the visible ground to a mesh.
    pub fn add(&self, mesh: &mut Mesh) {
        let material = mesh.add_material(Material::new(Surface::Ground, 0.0));
        let reach = f64::from(LAST) * self.size + 2.0 * self.below_eye.1;
        let corners = [[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]].map(|[x, z]| {
            let [middle_x, y, middle_z] = self.middle;
            let at = [middle_x + x * reach, y, middle_z + z * reach];
            mesh.add(Vertex::plain(at, [0.0, 1.0, 0.0], [0.0; 3]))
        });
        mesh.quadrilateral(corners, material);
    }

    /// Colour and opacity at a point given relative to the target of the camera. `light` and `open`
    /// are the shares of the sun and of the sky that reach the point, from 0 to 1.
    #[inline(always)]
    pub fn color(&self, at: Single3, light: f32, open: f32) -> (Single3, f32) {
        let size = self.size as f32;
        let x = (at[0] - self.from_target[0]) / size;
        let z = (at[2] - self.from_target[2]) / size;
        let (below, near) = self.below_eye;
        let (dx, dz) = (at[0] - below[0], at[2] - below[2]);
        let visible = visibility(((dx * dx + dz * dz).sqrt() - near as f32) / size);
        let dim = 0.6 + 0.4 * open;
        if self.is_clear {
            let lit = dim * (SHADE + (1.0 - SHADE) * light);
            return match self.shadow {
                Some(shadow) => (shadow, visible * (1.0 - dim * light)),
                None => ([0.0; 3], visible * (1.0 - lit)),
            };
        }
        let along = if self.is_along_z { z } else { x };
        let from_low = within(0.5 + 0.5 * along, 0.0, 1.0);
        let share = if self.front_is_high { 1.0 - from_low } else { from_low };
        let lit = mixed(self.inks[0], self.inks[1], share);
        let dark = self.shadow.unwrap_or(times(lit, SHADE));
        (times(mixed(dark, lit, light), dim), visible)
    }
}

/// Opacity of the ground at a distance behind the target, in sizes. The opacity falls to 0 towards
/// the horizon, so the ground has no edge.
#[inline(always)]
fn visibility(distance: f32) -> f32 {
    let beyond = within((distance - FADES_FROM) / FADES_OVER, 0.0, 1e6);
    let rest = within((LAST - distance) / LAST_STEP, 0.0, 1.0);
    rest / (1.0 + beyond * beyond)
}

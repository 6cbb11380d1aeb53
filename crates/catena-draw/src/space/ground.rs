//! Ground of a panel in space: its colour gradient, its fading into the background, and its shade.

use super::mesh::{Material, Mesh, Surface, Vertex, channels};
use super::single::{Single3, mixed, single, times, within};
use crate::camera::SpatialCamera;
use crate::vector::Vec3;
use catena_scene as scene;
use image::Rgb;

/// Share of the ground's size at which it starts to fade.
const FADES_FROM: f32 = 0.6;

/// Brightness of the ground in full shade, if the scene sets no colour.
const SHADE: f32 = 0.72;

/// A level ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Point of the ground below the target of the camera.
    middle: Vec3,
    /// [`Self::middle`] relative to the target of the camera.
    from_target: Single3,
    size: f64,
    /// Colours of the front and back edges.
    inks: [Single3; 2],
    /// Colour in full shade.
    shadow: Option<Single3>,
    /// Whether the colour changes along z rather than x, and whether the front edge is at the high
    /// end.
    is_along_z: bool,
    front_is_high: bool,
}

impl Ground {
    /// Ground of a panel, centred below the target. `None` if it is seen from below.
    pub fn new(ground: &scene::Ground, target: Vec3, camera: &SpatialCamera) -> Option<Self> {
        let [up, ahead] = camera.up_and_ahead();
        let is_above = match camera.is_perspective() {
            true => camera.eye()[1] > ground.height,
            false => ahead[1] < 0.0,
        };
        // In a view straight down, the top of the picture counts as far.
        let is_level = |way: Vec3| way[0] * way[0] + way[2] * way[2] > 1e-12;
        let way = if is_level(ahead) { ahead } else { up };
        let is_along_z = way[2].abs() >= way[0].abs();
        let ink = |color: scene::Color| channels(Rgb(color.0));
        let middle = [target[0], ground.height, target[2]];
        is_above.then(|| Self {
            middle,
            from_target: single(camera.from_target(middle)),
            size: ground.size,
            inks: [ink(ground.near), ink(ground.far)],
            shadow: ground.shadow.map(ink),
            is_along_z,
            front_is_high: if is_along_z { way[2] < 0.0 } else { way[0] < 0.0 },
        })
    }

    /// Adds the ground to a mesh.
    pub fn add(&self, mesh: &mut Mesh) {
        let material = mesh.add_material(Material::new(Surface::Ground, 0.0));
        let corners = [[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]].map(|[x, z]| {
            let [middle_x, y, middle_z] = self.middle;
            let at = [middle_x + x * self.size, y, middle_z + z * self.size];
            mesh.add(Vertex::plain(at, [0.0, 1.0, 0.0], [0.0; 3]))
        });
        mesh.quadrilateral(corners, material);
    }

    /// Colour of a point relative to the target of the camera, and its opacity. `light` is from 0
    /// to 1.
    #[inline(always)]
    pub fn color(&self, at: Single3, light: f32) -> (Single3, f32) {
        let size = self.size as f32;
        let x = (at[0] - self.from_target[0]) / size;
        let z = (at[2] - self.from_target[2]) / size;
        let along = if self.is_along_z { z } else { x };
        let from_low = within(0.5 + 0.5 * along, 0.0, 1.0);
        let share = if self.front_is_high { 1.0 - from_low } else { from_low };
        let lit = mixed(self.inks[0], self.inks[1], share);
        let dark = self.shadow.unwrap_or(times(lit, SHADE));
        let distance = (x * x + z * z).sqrt();
        let rest = within((1.0 - distance) / (1.0 - FADES_FROM), 0.0, 1.0);
        // Smooth at both ends.
        (mixed(dark, lit, light), rest * rest * (3.0 - 2.0 * rest))
    }
}

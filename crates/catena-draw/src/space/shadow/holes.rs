//! Holes of textures in the shadow map.

use crate::vector::Vec3;
use catena_scene::gltf::Texture;

/// Texture of a triangle that casts a shadow with holes.
pub struct SunHoles<'a> {
    /// Places of the corners in the texture.
    pub places: [[f64; 2]; 3],
    /// The texture.
    pub texture: &'a Texture,
    /// Opacity below which the triangle has holes.
    pub cutoff: f32,
}

/// Place in a texture as a plane over the texels of a map.
pub(super) struct PlaceOverTexels {
    /// Texel of the first corner, and the place there.
    origin: [f64; 2],
    first: [f64; 2],
    /// Change of both coordinates per texel in x and in y.
    slopes: [[f64; 2]; 2],
}

impl PlaceOverTexels {
    /// Plane through the places of the corners of a triangle, which are in texels. Triangles
    /// without an area have the place of the first corner.
    pub(super) fn new([a, b, c]: [Vec3; 3], [at_a, at_b, at_c]: [[f64; 2]; 3]) -> Self {
        let [ab, ac] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1]]);
        let area = ab[0] * ac[1] - ab[1] * ac[0];
        let slopes = [0, 1].map(|axis| {
            let [db, dc] = [at_b[axis] - at_a[axis], at_c[axis] - at_a[axis]];
            let along = [(db * ac[1] - dc * ab[1]) / area, (dc * ab[0] - db * ac[0]) / area];
            if area == 0.0 { [0.0; 2] } else { along }
        });
        Self { origin: [a[0], a[1]], first: at_a, slopes }
    }

    /// Place at a point of the map.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        let offset = [x - self.origin[0], y - self.origin[1]];
        [0, 1].map(|axis| {
            let [by_x, by_y] = self.slopes[axis];
            (self.first[axis] + by_x * offset[0] + by_y * offset[1]) as f32
        })
    }
}

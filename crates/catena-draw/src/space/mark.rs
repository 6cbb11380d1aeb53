//! Nodes as balls or cubes, and marks on pins, which face the eye.

use super::mesh::{Material, Mesh, Surface, Vertex};
use super::solid::add_capsule;
use crate::camera::SpatialCamera;
use crate::vector::{Vec3, add, along, scaled};
use catena_scene::NodeShape;
use std::f64::consts::TAU;

/// Number of corners of the mark on a pin.
const AROUND: usize = 24;

/// Adds a node as a ball or cube of this diameter.
pub fn add_node(
    mesh: &mut Mesh,
    camera: &SpatialCamera,
    at: Vec3,
    size: f64,
    shape: NodeShape,
    ink: [f32; 3],
) {
    let is_smooth = shape == NodeShape::Disc;
    let material = Material { is_smooth, ..Material::new(Surface::Solid, 0.3) };
    let material = mesh.add_material(material);
    if shape == NodeShape::Disc {
        let pixels = size * camera.scale_at(at);
        let around = if pixels > 24.0 { 24 } else { 12 };
        add_capsule(mesh, [at, at], 0.5 * size, ink, around, material);
        return;
    }
    // The sides of a cube are parallel to the axes.
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut normal = [0.0; 3];
            normal[axis] = side;
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[u, v]| {
                let mut corner = at;
                corner[axis] += 0.5 * size * side;
                corner[second] += 0.5 * size * u * side;
                corner[third] += 0.5 * size * v;
                mesh.add(Vertex::plain(corner, normal, ink))
            });
            mesh.quadrilateral(corners, material);
        }
    }
}

/// Adds the mark on a pin: two concentric discs with these diameters and colours. They are closer
/// to the eye than the pin by the distance `before`.
pub fn add_pin(
    mesh: &mut Mesh,
    camera: &SpatialCamera,
    at: Vec3,
    before: f64,
    discs: [(f64, [f32; 3]); 2],
) {
    let material = mesh.add_material(Material::new(Surface::Flat, 0.0));
    let to_eye = camera.to_eye(at);
    let [right, up] = camera.right_and_up();
    for (index, (size, ink)) in discs.into_iter().enumerate() {
        let middle = along(at, before * (1.0 + 0.05 * index as f64), to_eye);
        let hub = mesh.add(Vertex::plain(middle, to_eye, ink));
        let rim: Vec<u32> = (0..AROUND)
            .map(|i| {
                let (sin, cos) = libm::sincos(TAU * i as f64 / AROUND as f64);
                let out = add(scaled(right, cos), scaled(up, sin));
                mesh.add(Vertex::plain(along(middle, 0.5 * size, out), to_eye, ink))
            })
            .collect();
        for i in 0..AROUND {
            mesh.triangle([hub, rim[i], rim[(i + 1) % AROUND]], material);
        }
    }
}

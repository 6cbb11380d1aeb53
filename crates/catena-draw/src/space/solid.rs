//! Colliders: balls, capsules, boxes and half-spaces.

use super::mesh::{Material, Mesh, Surface, Vertex};
use crate::vector::{Vec3, add, cross, norm, scaled, sub, unit};
use catena_sim::contact::collider::Solid;
use std::f64::consts::PI;

/// Sides of a box, counterclockwise as seen from outside, as indices into [`Solid::corners`].
const BOX_SIDES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Gloss of colliders.
const GLOSS: f32 = 0.25;

/// Adds a solid to a mesh. `around` is the number of corners around a round solid.
pub fn add_solid(mesh: &mut Mesh, solid: &Solid, ink: [f32; 3], around: usize) {
    let is_smooth = matches!(solid, Solid::Capsule { .. });
    let material = Material { is_smooth, ..Material::new(Surface::Solid, GLOSS) };
    let material = mesh.add_material(material);
    match *solid {
        Solid::Capsule { a, b, radius } => {
            add_capsule(mesh, [a, b], radius, ink, around, material);
        }
        Solid::Box { .. } => add_box(mesh, &solid.corners(), ink, material),
        Solid::HalfSpace { .. } => (),
    }
}

fn add_box(mesh: &mut Mesh, corners: &[Vec3], ink: [f32; 3], material: u16) {
    for side in BOX_SIDES {
        let [a, b, _, d] = side.map(|k| corners[k]);
        let normal = unit(cross(sub(b, a), sub(d, a)));
        let numbers = side.map(|k| mesh.add(Vertex::plain(corners[k], normal, ink)));
        mesh.quadrilateral(numbers, material);
    }
}

/// Adds a ball, or a capsule if its ends differ, as rings from one pole to the other.
pub fn add_capsule(
    mesh: &mut Mesh,
    [a, b]: [Vec3; 2],
    radius: f64,
    ink: [f32; 3],
    around: usize,
    material: u16,
) {
    let way = sub(b, a);
    let is_ball = norm(way) == 0.0;
    let axis = if is_ball { [0.0, 1.0, 0.0] } else { unit(way) };
    let helper = if axis[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let aside = unit(cross(axis, helper));
    let other = cross(axis, aside);
    // An even number of steps, so that there is a ring in the middle.
    let steps = around / 4 * 2;
    let ring = |mesh: &mut Mesh, middle: Vec3, step: usize| {
        let first = mesh.vertices.len() as u32;
        let (up, out) = libm::sincos(PI * step as f64 / steps as f64 - PI / 2.0);
        for i in 0..=around {
            let (sin, cos) = libm::sincos(2.0 * PI * i as f64 / around as f64);
            let sideways = add(scaled(aside, cos), scaled(other, sin));
            let normal = add(scaled(axis, up), scaled(sideways, out));
            mesh.add(Vertex::plain(add(middle, scaled(normal, radius)), normal, ink));
        }
        first
    };
    let mut rings: Vec<u32> = (0..=steps / 2).map(|step| ring(mesh, a, step)).collect();
    let second = steps / 2 + usize::from(is_ball);
    rings.extend((second..=steps).map(|step| ring(mesh, b, step)));
    for pair in rings.windows(2) {
        for i in 0..around as u32 {
            let corners = [pair[0] + i, pair[0] + i + 1, pair[1] + i + 1, pair[1] + i];
            mesh.quadrilateral(corners, material);
        }
    }
}

//! Solids: balls, capsules, boxes and half-spaces of colliders; nodes and pins as balls or cubes.

use super::mesh::{Material, Mesh, Surface, Vertex, channels};
use crate::camera::SpatialCamera;
use crate::solids::ShownSolid;
use crate::vector::{Vec3, add, cross, dot, norm, perpendicular, scaled, sub, unit};
use catena_scene::NodeShape;
use catena_sim::contact::collider::Solid;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Sides of a box, counterclockwise as seen from outside, as indices into [`Solid::corners`].
const BOX_SIDES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Default gloss of colliders.
const GLOSS: f32 = 0.25;

/// Adds a collider to a mesh. `ink` is its colour if it sets none.
pub fn add_shown(mesh: &mut Mesh, shown: &ShownSolid, ink: [f32; 3], camera: &SpatialCamera) {
    let ink = shown.color.map_or(ink, channels);
    let gloss = shown.gloss.map_or(GLOSS, |gloss| gloss as f32);
    add_solid(mesh, &shown.solid, ink, gloss, sides_around(&shown.solid, camera));
}

/// Number of corners around a round solid; 0 for other solids.
fn sides_around(solid: &Solid, camera: &SpatialCamera) -> usize {
    match *solid {
        Solid::Capsule { a, radius, .. } => round_sides(radius * camera.scale_at(a)),
        _ => 0,
    }
}

/// Number of corners for a circle of this radius in pixels. The deviation of the chords is below a
/// fifth of a pixel.
fn round_sides(radius: f64) -> usize {
    let sides = (5.0 * radius.sqrt()).ceil().clamp(16.0, 96.0);
    (sides as usize).div_ceil(4) * 4
}

/// Adds a solid to a mesh. `around` is the number of corners around a round solid.
pub fn add_solid(mesh: &mut Mesh, solid: &Solid, ink: [f32; 3], gloss: f32, around: usize) {
    let is_smooth = matches!(solid, Solid::Capsule { .. } | Solid::Facets { .. });
    let material = Material { is_smooth, ..Material::new(Surface::Solid, gloss) };
    let material = mesh.add_material(material);
    match *solid {
        Solid::Capsule { a, b, radius } => {
            add_capsule(mesh, [a, b], radius, ink, around, material);
        }
        Solid::Box { .. } => add_box(mesh, &solid.corners(), ink, material),
        Solid::Facets { ref points, ref facets } => {
            add_facets(mesh, points, facets, ink, material);
        }
        Solid::HalfSpace { .. } | Solid::Polygon { .. } => (),
    }
}

/// Cosine of the angle between neighbouring triangles from which their common edge is drawn sharp.
const SMOOTH: f64 = 0.766;

/// Number of triangles at a point above which triangles with similar directions share a normal at
/// that point. Otherwise the time would grow with the square of the number.
const CROWDED: usize = 64;

/// Steps of a component of a direction, from 0 to 1.
const DIRECTIONS: f64 = 64.0;

/// Adds a surface of triangles. Edges below 40° are drawn smooth. A corner's normal is the
/// area-weighted mean of the normals around it that differ from the triangle's own normal by less
/// than this angle.
fn add_facets(
    mesh: &mut Mesh,
    points: &[Vec3],
    facets: &[[usize; 3]],
    ink: [f32; 3],
    material: u16,
) {
    let areas: Vec<Vec3> = facets
        .iter()
        .map(|facet| {
            let [a, b, c] = facet.map(|corner| points[corner]);
            cross(sub(b, a), sub(c, a))
        })
        .collect();
    let mut around = vec![Vec::new(); points.len()];
    for (index, facet) in facets.iter().enumerate() {
        facet.iter().for_each(|&corner| around[corner].push(index));
    }
    let mut known: BTreeMap<(usize, [i64; 3]), Vec3> = BTreeMap::new();
    for (index, facet) in facets.iter().enumerate() {
        let own = areas[index];
        let is_smooth = |other: &Vec3| dot(own, *other) >= SMOOTH * norm(own) * norm(*other);
        let corners = facet.map(|corner| {
            let all = &around[corner];
            let mean = || {
                let near = all.iter().map(|&other| areas[other]).filter(is_smooth);
                unit(near.fold([0.0; 3], add))
            };
            let normal = if all.len() <= CROWDED {
                mean()
            } else {
                let direction = unit(own).map(|part| (DIRECTIONS * part).round() as i64);
                *known.entry((corner, direction)).or_insert_with(mean)
            };
            mesh.add(Vertex::plain(points[corner], normal, ink))
        });
        mesh.triangle(corners, material);
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
    let offset = sub(b, a);
    let is_ball = norm(offset) == 0.0;
    let axis = if is_ball { [0.0, 1.0, 0.0] } else { unit(offset) };
    let aside = perpendicular(axis);
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

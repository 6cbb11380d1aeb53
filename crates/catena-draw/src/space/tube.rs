//! Ropes as tubes: rings of corners along a line, and a dome on each open end.
//!
//! The twist between successive rings is minimal: their frames are transported by double reflection
//! (Wang, Jüttler, Zheng and Liu 2008) along central tangents.

use super::mesh::{Material, Mesh, Sides, Surface, Vertex, Wire};
use crate::vector::{Vec3, add, along, cross, dot, norm, scaled, sub, unit};
use catena_sim::glam::DVec3;
use catena_sim::skin::{Frame, transport};
use std::f64::consts::TAU;

/// Cosine of half the turning angle below which a corner is rounded by several rings. At other
/// corners a single ring is widened.
const SHARP: f64 = 0.93;

/// Maximum angle between the rings of a rounded corner, in radians.
const TURN: f64 = 0.4;

/// Centre line of a tube.
pub struct Line {
    /// Points along the line. A closed line does not repeat the first point.
    pub points: Vec<Vec3>,
    /// Radius of the tube around each point.
    pub radii: Vec<f64>,
    /// Colour at each point.
    pub inks: Vec<[f32; 3]>,
    /// Turns of a strand from the first point to each. A closed line has one more entry, for the
    /// return to the first point.
    pub turns: Vec<f64>,
    /// Whether the last point is joined to the first.
    pub is_closed: bool,
    /// Direction, perpendicular to the line at the first point, from which strands are counted.
    /// `None` for any.
    pub normal: Option<Vec3>,
}

/// A ring: its centre, its frame and the attributes of its corners.
struct Ring {
    middle: Vec3,
    tangent: Vec3,
    /// Two directions perpendicular to the tangent.
    across: [Vec3; 2],
    /// Direction in which the line bends, and factor by which the ring is wider there.
    bend: (Vec3, f64),
    radius: f64,
    ink: [f32; 3],
    turns: f64,
}

/// Adds a tube with this number of sides to a mesh. Wires cast its shadow.
pub fn add_tube(mesh: &mut Mesh, line: &Line, sides: usize, material: Material) {
    if material.casts {
        add_wires(mesh, line);
    }
    let number = mesh.add_material(Material { casts: false, ..material });
    let rings = rings(line);
    if rings.len() < 2 {
        return;
    }
    let is_wound = matches!(material.surface, Surface::Strands(_));
    let corners: Vec<u32> =
        rings.iter().map(|ring| add_ring(mesh, ring, sides, is_wound)).collect();
    for (low, high) in corners.iter().zip(&corners[1..]) {
        join(mesh, [*low, *high], sides, number);
    }
    if !line.is_closed {
        add_dome(mesh, &rings[0], corners[0], -1.0, sides, number, is_wound);
        let last = rings.len() - 1;
        add_dome(mesh, &rings[last], corners[last], 1.0, sides, number, is_wound);
    }
}

/// Adds a thin tube to a mesh, as a ribbon that faces the eye and is shaded like a tube. `to_eye`
/// returns the direction to the eye.
pub fn add_ribbon(mesh: &mut Mesh, line: &Line, to_eye: impl Fn(Vec3) -> Vec3, material: Material) {
    if material.casts {
        add_wires(mesh, line);
    }
    let number = mesh.add_material(Material { casts: false, sides: Sides::Both, ..material });
    let n = line.points.len();
    let count = if line.is_closed { n + 1 } else { n };
    let mut before: Option<[u32; 2]> = None;
    for index in 0..count {
        let i = index % n;
        let (at, [last, next]) = (line.points[i], neighbours(line, index));
        let offset = sub(next, last);
        let eye = to_eye(at);
        let aside = cross(offset, eye);
        // A ribbon along the line of sight, or with NaN, has no side.
        let has_side = norm(aside) > 1e-9 * norm(offset);
        if !has_side {
            before = None;
            continue;
        }
        let aside = unit(aside);
        let side = |sign: f64| {
            let normal = add(scaled(eye, 0.5), scaled(aside, sign * 0.75_f64.sqrt()));
            let place = along(at, sign * line.radii[i], aside);
            Vertex { axis: unit(offset), ..Vertex::plain(place, normal, line.inks[i]) }
        };
        let sides = [1.0, -1.0].map(|sign| mesh.add(side(sign)));
        if let Some([left, right]) = before {
            mesh.quadrilateral([left, right, sides[1], sides[0]], number);
        }
        before = Some(sides);
    }
}

/// Adds the wires that cast the shadow of a tube.
fn add_wires(mesh: &mut Mesh, line: &Line) {
    let n = line.points.len();
    let count = if line.is_closed { n } else { n - 1 };
    for i in 0..count {
        let next = (i + 1) % n;
        let ends = [line.points[i], line.points[next]];
        let is_free = [!line.is_closed && i == 0, !line.is_closed && next == n - 1];
        mesh.wires.push(Wire { ends, thickness: line.radii[i] + line.radii[next], is_free });
    }
}

/// Joins two adjacent rings by triangles. The rings are given by the indices of their first
/// corners.
fn join(mesh: &mut Mesh, [low, high]: [u32; 2], sides: usize, material: u16) {
    for side in 0..sides as u32 {
        let corners = [low + side, low + side + 1, high + side + 1, high + side];
        mesh.quadrilateral(corners, material);
    }
}

/// Rings of a line. A closed line starts and ends with the same ring.
fn rings(line: &Line) -> Vec<Ring> {
    let n = line.points.len();
    let count = if line.is_closed { n + 1 } else { n };
    let mut rings: Vec<Ring> = Vec::with_capacity(count);
    for index in 0..count {
        let i = index % n;
        let ([before, after], middle) = (neighbours(line, index), line.points[i]);
        let offsets = [sub(middle, before), sub(after, middle)];
        let (radius, ink, turns) = (line.radii[i], line.inks[i], line.turns[index]);
        if turn_around(&mut rings, offsets, middle, radius, ink, turns) {
            continue;
        }
        let tangent = sub(after, before);
        let tangent = match rings.last() {
            Some(last) if norm(tangent) == 0.0 => last.tangent,
            _ => unit(tangent),
        };
        let across = match rings.last() {
            Some(last) => carried(last, middle, tangent),
            None => begun(line, tangent),
        };
        let bend = bend(offsets);
        rings.push(Ring { middle, tangent, across, bend, radius, ink, turns });
    }
    if line.is_closed {
        close(&mut rings);
    }
    rings
}

/// Adds the rings of a rounded corner. Returns false if the point is an end or not a sharp corner.
fn turn_around(
    rings: &mut Vec<Ring>,
    offsets: [Vec3; 2],
    middle: Vec3,
    radius: f64,
    ink: [f32; 3],
    turns: f64,
) -> bool {
    if offsets.iter().any(|offset| norm(*offset) == 0.0) {
        return false;
    }
    let [a, b] = offsets.map(unit);
    let half = norm(add(a, b)) / 2.0;
    // If the line reverses, the direction of the turn is undefined.
    if !(0.05..SHARP).contains(&half) {
        return false;
    }
    let steps = (2.0 * libm::acos(half) / TURN).ceil();
    for step in 0..=steps as usize {
        let share = step as f64 / steps;
        let tangent = unit(add(scaled(a, 1.0 - share), scaled(b, share)));
        let across = match rings.last() {
            Some(last) if step > 0 => turned(last, tangent),
            Some(last) => carried(last, middle, tangent),
            None => frame(tangent),
        };
        let bend = ([0.0; 3], 1.0);
        rings.push(Ring { middle, tangent, across, bend, radius, ink, turns });
    }
    true
}

/// Frame of a ring after the smallest rotation that turns its tangent into `tangent`.
fn turned(ring: &Ring, tangent: Vec3) -> [Vec3; 2] {
    let [normal, from, to] = [ring.across[0], ring.tangent, tangent].map(DVec3::from_array);
    let first = unit(transport(normal, from, to).to_array());
    [first, cross(tangent, first)]
}

/// Points before and after a point. At an end, the point itself replaces the missing neighbour.
fn neighbours(line: &Line, index: usize) -> [Vec3; 2] {
    let n = line.points.len();
    if line.is_closed {
        return [line.points[(index + n - 1) % n], line.points[(index + 1) % n]];
    }
    [line.points[index.saturating_sub(1)], line.points[(index + 1).min(n - 1)]]
}

/// Two arbitrary directions that form an orthogonal frame with `tangent`.
fn frame(tangent: Vec3) -> [Vec3; 2] {
    let helper = if tangent[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
    let first = unit(cross(helper, tangent));
    [first, cross(tangent, first)]
}

/// Frame of the first ring, with the normal of the line if it has one.
fn begun(line: &Line, tangent: Vec3) -> [Vec3; 2] {
    let across = line.normal.map(|normal| along(normal, -dot(normal, tangent), tangent));
    match across {
        Some(across) if norm(across) > 1e-6 => {
            let first = unit(across);
            [first, cross(tangent, first)]
        }
        _ => frame(tangent),
    }
}

/// Frame of a ring transported to the next one.
fn carried(ring: &Ring, middle: Vec3, tangent: Vec3) -> [Vec3; 2] {
    let frame = Frame {
        tangent: DVec3::from_array(ring.tangent),
        normal: DVec3::from_array(ring.across[0]),
    };
    let offset = DVec3::from_array(sub(middle, ring.middle));
    let next = frame.carried(offset, DVec3::from_array(tangent));
    [next.normal.to_array(), next.binormal().to_array()]
}

/// Direction of the bend between two segments, and factor by which a ring must be widened at the
/// bend to preserve the thickness of the tube.
fn bend(offsets: [Vec3; 2]) -> (Vec3, f64) {
    let [a, b] = offsets.map(|offset| if norm(offset) > 0.0 { unit(offset) } else { [0.0; 3] });
    let turn = sub(b, a);
    let half = norm(add(a, b)) / 2.0;
    if norm(turn) < 1e-9 || half == 0.0 {
        return ([0.0; 3], 1.0);
    }
    (unit(turn), if half < SHARP { 1.0 } else { 1.0 / half })
}

/// Distributes the mismatch angle between the last and first frame of a closed line over all rings.
fn close(rings: &mut [Ring]) {
    let (first, last) = (&rings[0], &rings[rings.len() - 1]);
    let angle =
        libm::atan2(dot(first.across[0], last.across[1]), dot(first.across[0], last.across[0]));
    let count = rings.len() - 1;
    for (index, ring) in rings.iter_mut().enumerate() {
        let (sin, cos) = libm::sincos(angle * index as f64 / count as f64);
        let [a, b] = ring.across;
        ring.across = [add(scaled(a, cos), scaled(b, sin)), add(scaled(a, -sin), scaled(b, cos))];
    }
}

/// Adds the corners of a ring, with the first corner repeated at the end. Returns the index of the
/// first corner.
fn add_ring(mesh: &mut Mesh, ring: &Ring, sides: usize, is_wound: bool) -> u32 {
    let first = mesh.vertices.len() as u32;
    for side in 0..=sides {
        let share = side as f64 / sides as f64;
        let normal = outwards(ring, share);
        let (bend, wider) = ring.bend;
        let out = along(normal, (wider - 1.0) * dot(normal, bend), bend);
        let at = along(ring.middle, ring.radius, out);
        let grain = if is_wound { [ring.turns, share] } else { [0.0; 2] };
        mesh.add(Vertex { at, normal, ink: ring.ink, grain, axis: ring.tangent, crease: 0.0 });
    }
    first
}

/// Direction from the centre of a ring to its side, at a share of a full turn.
fn outwards(ring: &Ring, share: f64) -> Vec3 {
    let (sin, cos) = libm::sincos(TAU * share);
    add(scaled(ring.across[0], cos), scaled(ring.across[1], sin))
}

/// Adds a hemisphere at an end. `sign` is 1 at the last ring and -1 at the first.
fn add_dome(
    mesh: &mut Mesh,
    ring: &Ring,
    edge: u32,
    sign: f64,
    sides: usize,
    material: u16,
    is_wound: bool,
) {
    let steps = (sides / 4).max(1);
    let mut before = edge;
    for step in 1..=steps {
        let (sin, cos) = libm::sincos(0.25 * TAU * step as f64 / steps as f64);
        let first = mesh.vertices.len() as u32;
        for side in 0..=sides {
            let share = side as f64 / sides as f64;
            let normal = add(scaled(outwards(ring, share), cos), scaled(ring.tangent, sign * sin));
            let at = along(ring.middle, ring.radius, normal);
            let grain = if is_wound { [ring.turns, share] } else { [0.0; 2] };
            mesh.add(Vertex { at, normal, ink: ring.ink, grain, axis: ring.tangent, crease: 0.0 });
        }
        let rings = if sign > 0.0 { [before, first] } else { [first, before] };
        join(mesh, rings, sides, material);
        before = first;
    }
}

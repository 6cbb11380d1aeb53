//! Triangles in the picture: edges, depth, and attributes that vary linearly.
//!
//! Corners are on a grid of 1/256 pixel, so that edge functions are exact. Two triangles with a
//! common edge cover each sample between them exactly once. Attributes that are linear on a
//! triangle in space are linear in the picture after division by depth (Heckbert and Moreton 1991).

use super::mesh::{Mesh, Sides, Vertex};
use super::single::{Single3, single as to_single};
use crate::camera::SpatialCamera;
use crate::clip;
use crate::rect::Rect;

/// Number of grid steps per pixel for corners.
const GRID: f64 = 256.0;

/// Distance outside the picture, in pixels, beyond which triangles are clipped. Products of
/// coordinates then remain exact.
const GUARD: f64 = 8192.0;

/// Number of attribute values per corner, padded to whole vectors.
pub const CARRIED: usize = 16;

/// Index of the first value of each attribute.
pub mod carried {
    /// Normal.
    pub const NORMAL: usize = 0;
    /// Position relative to the target of the camera.
    pub const PLACE: usize = 3;
    /// Colour.
    pub const INK: usize = 6;
    /// Coordinates on the surface.
    pub const GRAIN: usize = 9;
    /// Direction along a rope.
    pub const AXIS: usize = 11;
    /// Depth of a fold.
    pub const CREASE: usize = 14;
}

/// A triangle in the picture.
#[derive(Clone, Debug)]
pub struct Facet {
    /// Edge functions a x + b y + c, positive inside. On edges whose samples belong to the
    /// triangle, they are raised by less than the grid resolution.
    pub edges: [[f64; 3]; 3],
    /// Nearness, which increases towards the eye: 1/depth in perspective, otherwise -depth. A plane
    /// over the offset from `origin`.
    pub nearness: [f64; 3],
    /// A corner, which is the origin of the planes.
    pub origin: [f64; 2],
    /// Nearness and origin in single precision.
    pub single: Single,
    /// Attributes, divided by depth in perspective, as planes like the nearness.
    pub planes: [[f32; CARRIED]; 3],
    /// Pixels that it may touch: first and last column, first and last row.
    pub pixels: [i32; 4],
    /// Index of its material.
    pub material: u16,
    /// Whether its front is visible.
    pub is_front: bool,
}

/// Data of a triangle in single precision.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// A corner, which is the origin of the plane.
    pub origin: [f32; 2],
    /// Nearness as a plane.
    pub nearness: Single3,
}

impl Facet {
    /// Nearness at a point of the picture, and a tolerance for comparing it with another triangle:
    /// 1.5 times its maximum change from the centre of a pixel to a corner.
    #[inline(always)]
    pub fn nearness_at(&self, at: [f32; 2]) -> (f32, f32) {
        let Single { origin, nearness } = self.single;
        let nearness_at =
            nearness[0] * (at[0] - origin[0]) + nearness[1] * (at[1] - origin[1]) + nearness[2];
        (nearness_at, 0.75 * (nearness[0].abs() + nearness[1].abs()))
    }

    /// Position of the triangle at a point of the picture, relative to the target of the camera.
    /// `None` if the plane is behind the eye there.
    pub fn place(&self, at: [f64; 2], is_perspective: bool) -> Option<Single3> {
        self.carried(carried::PLACE, at, is_perspective)
    }

    /// Normal of the triangle at a point of the picture, of any length. `None` if the plane is
    /// behind the eye there.
    pub fn normal(&self, at: [f64; 2], is_perspective: bool) -> Option<Single3> {
        self.carried(carried::NORMAL, at, is_perspective)
    }

    /// Colours of the corners, interpolated at a point of the picture. `None` if the plane is
    /// behind the eye there.
    pub fn ink(&self, at: [f64; 2], is_perspective: bool) -> Option<Single3> {
        self.carried(carried::INK, at, is_perspective)
    }

    /// Attributes for the grain at a point of the picture: two coordinates on the
    /// surface, and the next value. `None` if the plane is behind the eye there.
    pub fn grain(&self, at: [f64; 2], is_perspective: bool) -> Option<Single3> {
        self.carried(carried::GRAIN, at, is_perspective)
    }

    /// Three values from `first` on at a point of the picture.
    fn carried(&self, first: usize, at: [f64; 2], is_perspective: bool) -> Option<Single3> {
        let [x, y] = [0, 1].map(|axis| at[axis] - self.origin[axis]);
        let nearness = self.nearness[0] * x + self.nearness[1] * y + self.nearness[2];
        if is_perspective && nearness <= 0.0 {
            return None;
        }
        let scale = if is_perspective { 1.0 / nearness as f32 } else { 1.0 };
        let value = |lane: usize| {
            let [a, b, c] = self.planes;
            (a[lane] * x as f32 + b[lane] * y as f32 + c[lane]) * scale
        };
        Some([value(first), value(first + 1), value(first + 2)])
    }
}

/// A corner during clipping: position in camera axes, followed by the attributes.
type Corner = [f64; 3 + CARRIED];

/// Adds the triangles of a mesh to `all` whose visible side the material shows.
pub fn facets(mesh: &Mesh, camera: &SpatialCamera, clip: Rect, all: &mut Vec<Facet>) {
    let seen: Vec<Option<Seen>> =
        mesh.vertices.iter().map(|vertex| see(camera, vertex, clip)).collect();
    for &(corners, material) in &mesh.triangles {
        let sides = mesh.materials[material as usize].sides;
        let numbers = corners.map(|corner| corner as usize);
        if let [Some(a), Some(b), Some(c)] = numbers.map(|number| seen[number]) {
            if a.outside_sides & b.outside_sides & c.outside_sides != 0 {
                continue;
            }
            let vertices = numbers.map(|number| &mesh.vertices[number]);
            let carry = |k: usize| carry(camera, vertices[k]);
            all.extend(setup([a, b, c], carry, camera, clip, material, sides));
            continue;
        }
        let corners = numbers.map(|number| corner(camera, &mesh.vertices[number]));
        if corners.as_flattened().iter().all(|value| value.is_finite()) {
            clipped(&corners, camera, clip, material, sides, all);
        }
    }
}

/// Projection of a corner.
#[derive(Clone, Copy)]
struct Seen {
    at: [f64; 2],
    depth: f64,
    /// One bit for each side of the clip that it is beyond.
    outside_sides: u8,
}

/// Projection of a corner. `None` if it is behind the eye, too far outside or not finite.
fn see(camera: &SpatialCamera, vertex: &Vertex, clip: Rect) -> Option<Seen> {
    let seen = camera.point(vertex.at)?;
    let at = seen.at.map(|value| (value * GRID).round() / GRID);
    let is_near = |value: f64| (-GUARD..=2.0 * GUARD).contains(&value);
    if !(is_near(at[0]) && is_near(at[1]) && seen.depth.is_finite()) {
        return None;
    }
    let sides = [
        at[0] < f64::from(clip.x),
        at[0] > f64::from(clip.right()),
        at[1] < f64::from(clip.y),
        at[1] > f64::from(clip.bottom()),
    ];
    let bits = sides.iter().enumerate().map(|(bit, &is_beyond)| u8::from(is_beyond) << bit);
    Some(Seen { at, depth: seen.depth, outside_sides: bits.sum() })
}

/// Attributes of a corner.
fn carry(camera: &SpatialCamera, vertex: &Vertex) -> [f64; CARRIED] {
    let place = camera.from_target(vertex.at);
    let mut all = [0.0; CARRIED];
    all[carried::NORMAL..][..3].copy_from_slice(&vertex.normal);
    all[carried::PLACE..][..3].copy_from_slice(&place);
    all[carried::INK..][..3].copy_from_slice(&vertex.ink.map(f64::from));
    all[carried::GRAIN..][..2].copy_from_slice(&vertex.grain);
    all[carried::AXIS..][..3].copy_from_slice(&vertex.axis);
    all[carried::CREASE] = vertex.crease;
    all
}

fn corner(camera: &SpatialCamera, vertex: &Vertex) -> Corner {
    let mut corner = [0.0; 3 + CARRIED];
    corner[..3].copy_from_slice(&camera.in_camera_axes(vertex.at));
    corner[3..].copy_from_slice(&carry(camera, vertex));
    corner
}

/// Adds the part of a triangle in front of the eye and within the guard distance of the picture.
fn clipped(
    corners: &[Corner],
    camera: &SpatialCamera,
    clip: Rect,
    material: u16,
    sides: Sides,
    all: &mut Vec<Facet>,
) {
    let mut kept = clip::polygon(corners, |at| at[2] - camera.near());
    for plane in camera.sides(0.5 * GUARD) {
        kept = clip::polygon(&kept, |at| {
            plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] + plane[3]
        });
    }
    let see = |corner: &Corner| {
        let seen = camera.seen([corner[0], corner[1], corner[2]]);
        let at = seen.at.map(|value| (value * GRID).round() / GRID);
        Seen { at, depth: seen.depth, outside_sides: 0 }
    };
    for index in 2..kept.len() {
        let three = [&kept[0], &kept[index - 1], &kept[index]];
        let carry = |k: usize| {
            let mut all = [0.0; CARRIED];
            all.copy_from_slice(&three[k][3..]);
            all
        };
        let seen = three.map(see);
        if seen.iter().all(|seen| seen.at.iter().all(|value| value.abs() <= 4.0 * GUARD)) {
            all.extend(setup(seen, carry, camera, clip, material, sides));
        }
    }
}

/// Creates a triangle from its corners. `None` if it covers nothing.
fn setup(
    [a, mut b, mut c]: [Seen; 3],
    carry: impl Fn(usize) -> [f64; CARRIED],
    camera: &SpatialCamera,
    clip: Rect,
    material: u16,
    sides: Sides,
) -> Option<Facet> {
    let doubled = |b: &Seen, c: &Seen| {
        (b.at[0] - a.at[0]) * (c.at[1] - a.at[1]) - (b.at[1] - a.at[1]) * (c.at[0] - a.at[0])
    };
    let mut area = doubled(&b, &c);
    // Rows count downwards, so counterclockwise triangles have a negative area.
    let is_front = area < 0.0;
    if area == 0.0 || !sides.show(is_front) {
        return None;
    }
    let pixels = pixels(&[a, b, c], clip)?;
    let mut order = [0, 1, 2];
    if is_front {
        std::mem::swap(&mut b, &mut c);
        order.swap(1, 2);
        area = -area;
    }
    let edges = [edge(a.at, b.at), edge(b.at, c.at), edge(c.at, a.at)];
    let is_perspective = camera.is_perspective();
    let nearness =
        [a, b, c].map(|seen| if is_perspective { 1.0 / seen.depth } else { -seen.depth });
    // Plane with the given values at the corners.
    let (ab, ac) = ([b.at[0] - a.at[0], b.at[1] - a.at[1]], [c.at[0] - a.at[0], c.at[1] - a.at[1]]);
    let plane = |values: [f64; 3]| {
        let (db, dc) = (values[1] - values[0], values[2] - values[0]);
        let x = (db * ac[1] - dc * ab[1]) / area;
        let y = (dc * ab[0] - db * ac[0]) / area;
        [x, y, values[0]]
    };
    let mut planes = [[0.0; CARRIED]; 3];
    let carried = order.map(carry);
    for lane in 0..CARRIED {
        let value = |k: usize| {
            if is_perspective { carried[k][lane] * nearness[k] } else { carried[k][lane] }
        };
        let plane = plane([value(0), value(1), value(2)]);
        (0..3).for_each(|term| planes[term][lane] = plane[term] as f32);
    }
    let nearness = plane(nearness);
    let is_finite = nearness.iter().all(|value| value.is_finite());
    let single = Single { origin: [a.at[0] as f32, a.at[1] as f32], nearness: to_single(nearness) };
    is_finite.then_some(Facet {
        edges,
        nearness,
        origin: a.at,
        single,
        planes,
        pixels,
        material,
        is_front,
    })
}

/// Pixels within a clip that the corners may touch. `None` if there are none.
fn pixels(corners: &[Seen; 3], clip: Rect) -> Option<[i32; 4]> {
    let minimum = |axis: usize| corners.iter().fold(f64::INFINITY, |low, it| low.min(it.at[axis]));
    let maximum =
        |axis: usize| corners.iter().fold(f64::NEG_INFINITY, |top, it| top.max(it.at[axis]));
    let left = floor(minimum(0)).max(clip.x);
    let right = floor(maximum(0)).min(clip.right() - 1);
    let top = floor(minimum(1)).max(clip.y);
    let bottom = floor(maximum(1)).min(clip.bottom() - 1);
    (left <= right && top <= bottom).then_some([left, right, top, bottom])
}

/// Largest integer that is not above a value. Conversions are faster than a call of `floor`.
fn floor(value: f64) -> i32 {
    let truncated = value as i32;
    truncated.saturating_sub(i32::from(f64::from(truncated) > value))
}

/// Edge function of the line from a to b, positive on the side of the triangle. Samples on a top or
/// left edge count as inside.
fn edge(a: [f64; 2], b: [f64; 2]) -> [f64; 3] {
    let (x, y) = (a[1] - b[1], b[0] - a[0]);
    let at = -(x * a[0] + y * a[1]);
    let is_top_or_left = x > 0.0 || (x == 0.0 && y > 0.0);
    // Values are integer multiples of 2⁻¹⁶.
    let raised = if is_top_or_left { at + 1.0 / 131_072.0 } else { at };
    [x, y, raised]
}

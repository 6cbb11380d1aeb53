//! Rigid bodies: a mesh in the coordinates of the body, and its motion from the nodes.
//!
//! In the plane a ball is a disc, and all meshes lie at z = 0.

use super::figure::Local;
use catena_sim::body::rigid::moving_frame;
use catena_sim::body::{Model, Part, SolidForm, SolidKind, State};
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::vector::{Vec3, add, cross};
use std::f64::consts::{PI, TAU};

/// Sides of a disc, and of the rings of a ball or capsule.
const SIDES: usize = 48;
/// Rings of each half of a ball or capsule, without its pole.
const RINGS: usize = 12;

/// Rigid body of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedSolid {
    /// Part of the model whose nodes carry the body.
    pub part: Part,
    /// Surface in the coordinates of the body.
    pub mesh: SolidMesh,
}

/// Surface of a rigid body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidMesh {
    /// Positions of the vertices.
    pub points: Vec<Vec3>,
    /// Unit normal of each vertex, outwards; along z in the plane.
    pub normals: Vec<Vec3>,
    /// Triangles, counterclockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
}

impl ExportedSolid {
    pub(super) fn new(axes: usize, part: &Part, form: &SolidForm) -> Self {
        let [a, b, c] = form.lengths();
        let mesh = match (form.kind, axes) {
            (SolidKind::Ball, 2) => SolidMesh::disc(a, 0.0),
            (SolidKind::Capsule, 2) => SolidMesh::disc(a, 0.5 * b),
            (SolidKind::Box, 2) => SolidMesh::rectangle(0.5 * a, 0.5 * b),
            (SolidKind::Ball, _) => SolidMesh::capsule(a, 0.0),
            (SolidKind::Capsule, _) => SolidMesh::capsule(a, 0.5 * b),
            (SolidKind::Box, _) => SolidMesh::cuboid([a, b, c].map(|side| 0.5 * side)),
        };
        Self { part: part.clone(), mesh }
    }

    /// Records the motion in a state into `numbers`. A state that is not finite leaves them
    /// unchanged.
    pub(super) fn record(&self, model: &Model, state: &State, numbers: &mut [f64]) {
        let Some(found) = moving_frame(model, &self.part, state) else { return };
        let [x, y, z] = found.axes.map(DVec3::from_array);
        let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
        let before = RigidMotion::of_numbers(numbers).turn;
        let motion = RigidMotion {
            place: DVec3::from_array(found.place),
            // Both signs are the same rotation. The one closer to the previous frame avoids a
            // detour.
            turn: if turn.dot(before) < 0.0 { -turn } else { turn },
            velocity: found.velocity,
            omega: found.omega,
        };
        if motion.is_finite() {
            motion.write(numbers);
        }
    }
}

/// Position, rotation and velocities of a rigid body in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RigidMotion {
    pub(super) place: DVec3,
    pub(super) turn: DQuat,
    velocity: Vec3,
    omega: Vec3,
}

impl RigidMotion {
    /// Number of values in a recording.
    pub(super) const NUMBERS: usize = 13;

    /// Motion of a body that has not been recorded.
    pub(super) const AT_REST: Self =
        Self { place: DVec3::ZERO, turn: DQuat::IDENTITY, velocity: [0.0; 3], omega: [0.0; 3] };

    pub(super) fn of_numbers(numbers: &[f64]) -> Self {
        let three = |from: usize| [numbers[from], numbers[from + 1], numbers[from + 2]];
        Self {
            place: DVec3::from_array(three(0)),
            turn: DQuat::from_xyzw(numbers[3], numbers[4], numbers[5], numbers[6]),
            velocity: three(7),
            omega: three(10),
        }
    }

    pub(super) fn write(&self, numbers: &mut [f64]) {
        numbers[..3].copy_from_slice(&self.place.to_array());
        numbers[3..7].copy_from_slice(&self.turn.to_array());
        numbers[7..10].copy_from_slice(&self.velocity);
        numbers[10..13].copy_from_slice(&self.omega);
    }

    fn is_finite(&self) -> bool {
        let mut rates = self.velocity.iter().chain(&self.omega);
        self.place.is_finite() && self.turn.is_finite() && rates.all(|value| value.is_finite())
    }

    /// Transform of the body as that of a bone.
    pub(super) fn local(&self) -> Local {
        Local { place: self.place, turn: self.turn, scale: DVec3::ONE }
    }

    /// Positions of points of the body in the scene.
    pub(super) fn points(&self, points: &[Vec3]) -> Vec<Vec3> {
        let map = DAffine3::from_rotation_translation(self.turn, self.place);
        points.iter().map(|at| map.transform_point3(DVec3::from_array(*at)).to_array()).collect()
    }

    /// Directions of the body in the scene.
    pub(super) fn directions(&self, all: &[Vec3]) -> Vec<Vec3> {
        all.iter().map(|direction| (self.turn * DVec3::from_array(*direction)).to_array()).collect()
    }

    /// Velocities of points of the body.
    pub(super) fn velocities(&self, points: &[Vec3]) -> Vec<Vec3> {
        let arms = self.directions(points);
        arms.iter().map(|arm| add(self.velocity, cross(self.omega, *arm))).collect()
    }
}

impl SolidMesh {
    /// Numbers of points and triangles.
    pub(super) fn sizes(&self) -> [usize; 2] {
        [self.points.len(), self.triangles.len()]
    }

    /// Disc with two half circles `half` to each side of the centre.
    fn disc(radius: f64, half: f64) -> Self {
        let rim = (0..SIDES).map(|side| {
            let angle = TAU * (side as f64 + 0.5) / SIDES as f64;
            let (x, y) = (radius * libm::cos(angle), radius * libm::sin(angle));
            [x + if x > 0.0 { half } else { -half }, y, 0.0]
        });
        Self::convex(std::iter::once([0.0; 3]).chain(rim).collect(), true)
    }

    fn rectangle(x: f64, y: f64) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        Self::convex(corners.iter().map(|[a, b]| [a * x, b * y, 0.0]).collect(), false)
    }

    /// Triangles from the first point to the edges of a polygon. If the first point is inside, it
    /// is joined with all edges.
    fn convex(points: Vec<Vec3>, is_inside: bool) -> Self {
        let count = points.len();
        let mut triangles: Vec<[usize; 3]> = (1..count - 1).map(|k| [0, k, k + 1]).collect();
        if is_inside {
            triangles.push([0, count - 1, 1]);
        }
        Self { normals: vec![[0.0, 0.0, 1.0]; count], points, triangles }
    }

    /// Ball, or capsule along x whose end centres are `half` from the centre.
    fn capsule(radius: f64, half: f64) -> Self {
        let mut mesh = Self::default();
        let mut add = |normal: Vec3, side: f64| {
            let [x, y, z] = normal.map(|value| radius * value);
            mesh.points.push([x + side * half, y, z]);
            mesh.normals.push(normal);
        };
        // From the pole at -x to the pole at +x, with the widest ring once per half.
        add([-1.0, 0.0, 0.0], -1.0);
        for ring in 0..2 * RINGS {
            let side = if ring < RINGS { -1.0 } else { 1.0 };
            let step = if ring < RINGS { ring + 1 } else { ring };
            let angle = 0.5 * PI * step as f64 / RINGS as f64;
            let (x, wide) = (-libm::cos(angle), libm::sin(angle));
            for k in 0..SIDES {
                let turn = TAU * k as f64 / SIDES as f64;
                add([x, wide * libm::cos(turn), wide * libm::sin(turn)], side);
            }
        }
        add([1.0, 0.0, 0.0], 1.0);
        let last = mesh.points.len() - 1;
        let at = |ring: usize, k: usize| 1 + ring * SIDES + k % SIDES;
        for k in 0..SIDES {
            mesh.triangles.push([0, at(0, k + 1), at(0, k)]);
            for ring in 0..2 * RINGS - 1 {
                // A ball has no wall between its halves.
                if half > 0.0 || ring != RINGS - 1 {
                    let [a, b] = [at(ring, k), at(ring, k + 1)];
                    let [c, d] = [at(ring + 1, k), at(ring + 1, k + 1)];
                    mesh.triangles.extend([[a, b, d], [a, d, c]]);
                }
            }
            mesh.triangles.push([last, at(2 * RINGS - 1, k), at(2 * RINGS - 1, k + 1)]);
        }
        mesh
    }

    /// Box with four points per side, so that its edges are sharp.
    fn cuboid(half: Vec3) -> Self {
        let mut mesh = Self::default();
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
                let first = mesh.points.len();
                for [a, b] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                    let mut point = [0.0; 3];
                    point[axis] = sign * half[axis];
                    point[next] = sign * a * half[next];
                    point[last] = b * half[last];
                    mesh.points.push(point);
                    let mut normal = [0.0; 3];
                    normal[axis] = sign;
                    mesh.normals.push(normal);
                }
                let corner = |k: usize| first + k;
                mesh.triangles.push([corner(0), corner(1), corner(2)]);
                mesh.triangles.push([corner(0), corner(2), corner(3)]);
            }
        }
        mesh
    }
}

//! Placement and velocities of a moving frame at one time.

use crate::body::vector::{Vec3, add, along, cross, dot, scaled, sub};
use glam::{DMat3, DQuat, DVec3};

/// A frame in the scene, and its velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position of the origin.
    pub place: Vec3,
    /// Unit vectors along the axes, perpendicular to each other.
    pub axes: [Vec3; 3],
    /// Velocity of the origin, in length/time.
    pub velocity: Vec3,
    /// Angular velocity in scene coordinates, in radians per unit of time.
    pub omega: Vec3,
}

impl Placement {
    /// Frame of the scene itself.
    pub const STILL: Self = Self {
        place: [0.0; 3],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };

    /// Creates a frame at a position, rotated by a unit quaternion.
    pub fn new(place: DVec3, velocity: DVec3, turn: DQuat, omega: DVec3) -> Self {
        let axes = DMat3::from_quat(turn).to_cols_array_2d();
        let (place, velocity) = (place.to_array(), velocity.to_array());
        Self { place, axes, velocity, omega: omega.to_array() }
    }

    /// Transforms a direction from the frame to the scene.
    pub fn turned(&self, direction: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        along(along(scaled(x, direction[0]), direction[1], y), direction[2], z)
    }

    /// Transforms a direction from the scene to the frame.
    pub fn unturned(&self, direction: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, direction))
    }

    /// Transforms a point from the frame to the scene.
    pub fn point(&self, point: Vec3) -> Vec3 {
        add(self.place, self.turned(point))
    }

    /// Transforms a point from the scene to the frame.
    pub fn inverse(&self, point: Vec3) -> Vec3 {
        self.unturned(sub(point, self.place))
    }

    /// Returns the velocity of a point that is attached to the frame, at a position in the scene: v
    /// + ω × r.
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        add(self.velocity, cross(self.omega, sub(point, self.place)))
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let all = [self.place, self.velocity, self.omega].into_iter().chain(self.axes);
        all.flatten().all(f64::is_finite)
    }

    /// Whether the frame is in the plane z = 0 with its third axis along z, and stays there.
    pub fn is_planar(&self) -> bool {
        let [_, _, z] = self.axes;
        let in_plane = self.place[2] == 0.0 && self.velocity[2] == 0.0;
        in_plane && z == [0.0, 0.0, 1.0] && self.omega[..2] == [0.0; 2]
    }
}

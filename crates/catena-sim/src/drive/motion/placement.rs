//! Where a moving frame lies at a moment, and how it moves there.

use crate::body::vector::{Vec3, add, along, cross, dot, scaled, sub};
use glam::{DMat3, DQuat, DVec3};

/// A frame in the scene, and its velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Where its origin lies.
    pub place: Vec3,
    /// Directions of its axes, each of length 1 and across each other.
    pub axes: [Vec3; 3],
    /// Velocity of its origin, in length/time.
    pub velocity: Vec3,
    /// Angular velocity along the axes of the scene, in radians a time.
    pub omega: Vec3,
}

impl Placement {
    /// The frame of the scene itself.
    pub const STILL: Self = Self {
        place: [0.0; 3],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };

    /// A frame at a place, turned by a rotation of length 1.
    pub fn new(place: DVec3, velocity: DVec3, turn: DQuat, omega: DVec3) -> Self {
        let axes = DMat3::from_quat(turn).to_cols_array_2d();
        let (place, velocity) = (place.to_array(), velocity.to_array());
        Self { place, axes, velocity, omega: omega.to_array() }
    }

    /// A direction of the frame in the scene.
    pub fn turned(&self, direction: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        along(along(scaled(x, direction[0]), direction[1], y), direction[2], z)
    }

    /// A direction of the scene in the frame.
    pub fn unturned(&self, direction: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, direction))
    }

    /// A point of the frame in the scene.
    pub fn point(&self, point: Vec3) -> Vec3 {
        add(self.place, self.turned(point))
    }

    /// A point of the scene in the frame.
    pub fn inverse(&self, point: Vec3) -> Vec3 {
        self.unturned(sub(point, self.place))
    }

    /// How fast what is fixed to the frame moves at a point of the scene: v + ω × r.
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        add(self.velocity, cross(self.omega, sub(point, self.place)))
    }

    /// Whether all of its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let all = [self.place, self.velocity, self.omega].into_iter().chain(self.axes);
        all.flatten().all(f64::is_finite)
    }

    /// Whether it lies in the plane z = 0 with its third axis along z, and stays so.
    pub fn is_planar(&self) -> bool {
        let [_, _, z] = self.axes;
        let in_plane = self.place[2] == 0.0 && self.velocity[2] == 0.0;
        in_plane && z == [0.0, 0.0, 1.0] && self.omega[..2] == [0.0; 2]
    }
}

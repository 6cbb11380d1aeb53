//! Transforms of bones relative to their parents: scale, then rotation, then translation.

use super::rotation::MovingRotation;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Position, rotation and scale relative to a parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Position of the origin.
    pub place: DVec3,
    /// Rotation of the axes, as a unit quaternion.
    pub turn: DQuat,
    /// Scale per axis: 1 for none, below 0 for mirrored.
    pub scale: DVec3,
}
crate::identity!(Transform { place, turn, scale });

impl Transform {
    /// Identity transform.
    pub const IDENTITY: Self = Self::at(DVec3::ZERO);

    /// Creates a transform with a position only.
    pub const fn at(place: DVec3) -> Self {
        Self { place, turn: DQuat::IDENTITY, scale: DVec3::ONE }
    }

    /// Sets the rotation.
    pub const fn turned(self, turn: DQuat) -> Self {
        Self { turn, ..self }
    }

    /// Sets the scale.
    pub const fn scaled(self, scale: DVec3) -> Self {
        Self { scale, ..self }
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.place.is_finite() && self.turn.is_finite() && self.scale.is_finite()
    }

    /// Returns the map from the bone's coordinates to its parent's: x ↦ place + turn (scale x).
    pub fn matrix(&self) -> DAffine3 {
        let turn = DMat3::from_quat(self.turn);
        let scale = self.scale;
        let columns =
            DMat3::from_cols(turn.x_axis * scale.x, turn.y_axis * scale.y, turn.z_axis * scale.z);
        DAffine3::from_mat3_translation(columns, self.place)
    }
}

/// Position, rotation and scale relative to a parent, with their time derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingTransform {
    /// Position of the origin.
    pub place: DVec3,
    /// Time derivative of the position.
    pub velocity: DVec3,
    /// Rotation of the axes, with its derivative.
    pub rotation: MovingRotation,
    /// Scale per axis: 1 for none, below 0 for mirrored.
    pub scale: DVec3,
    /// Time derivative of the scale.
    pub stretching: DVec3,
}

impl MovingTransform {
    /// Creates a constant transform.
    pub const fn resting(at: Transform) -> Self {
        Self {
            place: at.place,
            velocity: DVec3::ZERO,
            rotation: MovingRotation::resting(at.turn),
            scale: at.scale,
            stretching: DVec3::ZERO,
        }
    }

    /// Returns the transform without its derivatives.
    pub fn now(&self) -> Transform {
        Transform { place: self.place, turn: self.rotation.turn, scale: self.scale }
    }

    /// Returns the map to the parent's coordinates, and its derivative: (R S)' = ω × R S + R S'.
    pub(super) fn matrices(&self, omega: DVec3) -> (DAffine3, DAffine3) {
        let turn = DMat3::from_quat(self.rotation.turn);
        let (scale, stretching) = (self.scale, self.stretching);
        let [x, y, z] = [turn.x_axis * scale.x, turn.y_axis * scale.y, turn.z_axis * scale.z];
        let rate = DMat3::from_cols(
            omega.cross(x) + turn.x_axis * stretching.x,
            omega.cross(y) + turn.y_axis * stretching.y,
            omega.cross(z) + turn.z_axis * stretching.z,
        );
        let map = DAffine3::from_mat3_translation(DMat3::from_cols(x, y, z), self.place);
        (map, DAffine3::from_mat3_translation(rate, self.velocity))
    }
}

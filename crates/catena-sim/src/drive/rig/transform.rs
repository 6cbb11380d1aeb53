//! Where a bone lies beside its parent: scaled, then turned, then placed.

use super::rotation::MovingRotation;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Place, turn and scale beside a parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Where its origin lies.
    pub place: DVec3,
    /// How its axes are turned, of length 1.
    pub turn: DQuat,
    /// How much its axes are stretched; 1 is not at all, and below 0 is mirrored.
    pub scale: DVec3,
}

impl Transform {
    /// As the parent itself.
    pub const IDENTITY: Self = Self::at(DVec3::ZERO);

    /// Moved, but not turned or scaled.
    pub const fn at(place: DVec3) -> Self {
        Self { place, turn: DQuat::IDENTITY, scale: DVec3::ONE }
    }

    /// The same, turned.
    pub const fn turned(self, turn: DQuat) -> Self {
        Self { turn, ..self }
    }

    /// The same, scaled.
    pub const fn scaled(self, scale: DVec3) -> Self {
        Self { scale, ..self }
    }

    /// Whether all of its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.place.is_finite() && self.turn.is_finite() && self.scale.is_finite()
    }

    /// The map from the bone's coordinates to its parent's: x ↦ place + turn (scale x).
    pub fn matrix(&self) -> DAffine3 {
        let turn = DMat3::from_quat(self.turn);
        let scale = self.scale;
        let columns =
            DMat3::from_cols(turn.x_axis * scale.x, turn.y_axis * scale.y, turn.z_axis * scale.z);
        DAffine3::from_mat3_translation(columns, self.place)
    }
}

/// Place, turn and scale beside a parent, and their derivatives by time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingTransform {
    /// Where its origin lies.
    pub place: DVec3,
    /// The derivative of the place.
    pub velocity: DVec3,
    /// How its axes are turned, with the derivative.
    pub rotation: MovingRotation,
    /// How much its axes are stretched.
    pub scale: DVec3,
    /// The derivative of the scale.
    pub stretching: DVec3,
}

impl MovingTransform {
    /// A transform that does not change.
    pub const fn resting(at: Transform) -> Self {
        Self {
            place: at.place,
            velocity: DVec3::ZERO,
            rotation: MovingRotation::resting(at.turn),
            scale: at.scale,
            stretching: DVec3::ZERO,
        }
    }

    /// The transform at this moment.
    pub fn now(&self) -> Transform {
        Transform { place: self.place, turn: self.rotation.turn, scale: self.scale }
    }

    /// The map to the parent's coordinates and its derivative: (R S)' = ω × R S + R S'.
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

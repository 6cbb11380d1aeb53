//! Bones in the scene: where they are, and how they move.
//!
//! A parent with the map x ↦ A x + p carries a bone with the map x ↦ B x + q: the bone's map in the
//! scene is x ↦ A B x + A q + p, and its derivative follows from the product rule. Rotations
//! without scale go R = R_p R_l and ω = ω_p + R_p ω_l. Source: Featherstone, "Rigid Body Dynamics
//! Algorithms", 2 and 4.

use super::transform::MovingTransform;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// How a bone lies in the scene, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMotion {
    /// The map from the bone's coordinates to those of the scene.
    pub matrix: DAffine3,
    /// The derivative of the map by time.
    pub rate: DAffine3,
    /// The product of the rotations from the root on, without any scale.
    pub turn: DQuat,
    /// The angular velocity of that product, in radians a time.
    pub omega: DVec3,
}

impl BoneMotion {
    /// The scene itself, which carries the roots.
    pub const WORLD: Self = Self {
        matrix: DAffine3::IDENTITY,
        rate: DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO },
        turn: DQuat::IDENTITY,
        omega: DVec3::ZERO,
    };

    /// Where its origin is.
    pub fn place(&self) -> DVec3 {
        self.matrix.translation
    }

    /// How fast its origin moves.
    pub fn velocity(&self) -> DVec3 {
        self.rate.translation
    }

    /// Place and velocity of a point that is fixed to the bone, given in its coordinates.
    pub fn point(&self, offset: DVec3) -> (DVec3, DVec3) {
        let place = self.matrix.matrix3 * offset + self.matrix.translation;
        (place, self.rate.matrix3 * offset + self.rate.translation)
    }

    /// The motion of a bone that this one carries.
    pub fn carry(&self, local: &MovingTransform) -> Self {
        let omega = local.rotation.angular_velocity();
        let (map, rate) = local.matrices(omega);
        let (a, a_rate) = (self.matrix.matrix3, self.rate.matrix3);
        let place = a * map.translation + self.matrix.translation;
        let velocity = a_rate * map.translation + self.rate.translation + a * rate.translation;
        Self {
            matrix: DAffine3::from_mat3_translation(a * map.matrix3, place),
            rate: DAffine3::from_mat3_translation(
                a_rate * map.matrix3 + a * rate.matrix3,
                velocity,
            ),
            turn: self.turn * local.rotation.turn,
            omega: self.omega + self.turn * omega,
        }
    }
}

/// The motions of all bones of a skeleton. It keeps its memory from one time to the next.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    pub(super) bones: Vec<BoneMotion>,
    pub(super) moments: Vec<super::layer::Moment>,
}

impl Pose {
    /// How each bone lies and moves.
    pub fn bones(&self) -> &[BoneMotion] {
        &self.bones
    }

    /// The matrices of a skin: those of the bones times `inverse_bind`, one a bone.
    pub fn skin_matrices(&self, inverse_bind: &[DAffine3], matrices: &mut Vec<DAffine3>) {
        let bones = self.bones.iter().zip(inverse_bind);
        matrices.clear();
        matrices.extend(bones.map(|(bone, inverse)| bone.matrix * *inverse));
    }
}

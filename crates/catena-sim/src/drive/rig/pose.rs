//! Motion of bones in the scene.
//!
//! Let x ↦ A x + p be the parent's map and x ↦ B x + q the bone's local map. The bone's map in the
//! scene is x ↦ A B x + A q + p. The product rule gives its derivative. Rotations without scale
//! combine as R = R_p R_l and ω = ω_p + R_p ω_l. Source: Featherstone, "Rigid Body Dynamics
//! Algorithms", 2 and 4.

use super::transform::MovingTransform;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Transform and velocities of a bone in the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMotion {
    /// Map from bone coordinates to scene coordinates.
    pub matrix: DAffine3,
    /// Time derivative of the map.
    pub rate: DAffine3,
    /// Product of the rotations from the root to the bone, without any scale.
    pub turn: DQuat,
    /// Angular velocity of that product, in radians per unit of time.
    pub omega: DVec3,
}

impl BoneMotion {
    /// The scene itself, which is the parent of all roots.
    pub const WORLD: Self = Self {
        matrix: DAffine3::IDENTITY,
        rate: DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO },
        turn: DQuat::IDENTITY,
        omega: DVec3::ZERO,
    };

    /// Returns the position of the origin.
    pub fn place(&self) -> DVec3 {
        self.matrix.translation
    }

    /// Returns the velocity of the origin.
    pub fn velocity(&self) -> DVec3 {
        self.rate.translation
    }

    /// Returns the position and velocity of a point attached to the bone, given in its coordinates.
    pub fn point(&self, offset: DVec3) -> (DVec3, DVec3) {
        let place = self.matrix.matrix3 * offset + self.matrix.translation;
        (place, self.rate.matrix3 * offset + self.rate.translation)
    }

    /// Returns the motion of a child bone with this local transform.
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

/// Motions of all bones of a skeleton. Its memory is reused between times.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    pub(super) bones: Vec<BoneMotion>,
    pub(super) moments: Vec<super::layer::LayerMoment>,
}

impl Pose {
    /// Returns the motion of each bone.
    pub fn bones(&self) -> &[BoneMotion] {
        &self.bones
    }

    /// Computes the matrices of a skin, one per bone: the bone's matrix times `inverse_bind`.
    pub fn skin_matrices(&self, inverse_bind: &[DAffine3], matrices: &mut Vec<DAffine3>) {
        let bones = self.bones.iter().zip(inverse_bind);
        matrices.clear();
        matrices.extend(bones.map(|(bone, inverse)| bone.matrix * *inverse));
    }
}

//! Dual quaternion skinning in two phases: x' = T R (Σ w_j S_j) x.
//!
//! Each matrix of a bone is a rigid motion after a stretch, M = T R S, by polar decomposition.
//! Stretches are mixed linearly. Rigid motions are mixed as dual quaternions Σ ± w_j (q_j, d_j),
//! with the sign that brings q_j to the hemisphere of the vertex's heaviest bone, and divided by
//! their length. Source: Kavan, Collins, Žára, O'Sullivan 2008, "Geometric skinning with
//! approximate dual quaternion blending".

use super::linear::transformed_normal;
use super::polar::polar;
use super::{Skin, rigid};
use crate::named::BadSetup;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A rigid motion: the rotation q, and d = t q/2 for the translation t after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuaternion {
    /// The rotation.
    pub real: DQuat,
    /// Half of the translation times the rotation.
    pub dual: DQuat,
}

impl DualQuaternion {
    const ZERO: Self = Self { real: ZERO, dual: ZERO };

    /// A rotation of length 1 and the translation after it.
    pub fn new(turn: DQuat, translation: DVec3) -> Self {
        let half = translation * 0.5;
        Self { real: turn, dual: DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * turn }
    }

    /// The same motion as the other dual quaternion.
    pub fn negated(self) -> Self {
        Self { real: -self.real, dual: -self.dual }
    }

    fn add(&mut self, other: &Self, weight: f64) {
        self.real += other.real * weight;
        self.dual += other.dual * weight;
    }

    /// Rotation and translation of a sum, whose length need not be 1.
    fn motion(&self) -> (DQuat, DVec3) {
        let scale = 1.0 / self.real.dot(self.real).sqrt();
        let (real, dual) = (self.real * scale, self.dual * scale);
        let t = dual * real.conjugate();
        (real, DVec3::new(2.0 * t.x, 2.0 * t.y, 2.0 * t.z))
    }
}

const ZERO: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

/// The matrix of a bone in two phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBone {
    /// What comes second.
    pub motion: DualQuaternion,
    /// What comes first.
    pub stretch: DMat3,
}

impl RigidBone {
    /// A motion without any stretch.
    pub fn rigid(turn: DQuat, translation: DVec3) -> Self {
        Self { motion: DualQuaternion::new(turn, translation), stretch: DMat3::IDENTITY }
    }

    /// A matrix, world times inverse bind, taken apart.
    pub fn new(matrix: &DAffine3) -> Self {
        let parts = polar(&matrix.matrix3);
        let motion = DualQuaternion::new(rigid::quaternion(&parts.rotation), matrix.translation);
        Self { motion, stretch: parts.stretch }
    }
}

impl Skin {
    /// The mixture of the bones of a vertex: stretch, rotation, translation.
    #[inline]
    fn blended(&self, vertex: usize, bones: &[RigidBone]) -> (DMat3, DQuat, DVec3) {
        let pivot = bones[self.pivot(vertex)].motion.real;
        let mut sum = DualQuaternion::ZERO;
        let mut stretch = DMat3::ZERO;
        for (bone, weight) in self.influences(vertex) {
            let RigidBone { motion, stretch: own } = &bones[bone];
            let sign = if pivot.dot(motion.real) < 0.0 { -weight } else { weight };
            sum.add(motion, sign);
            stretch.x_axis += own.x_axis * weight;
            stretch.y_axis += own.y_axis * weight;
            stretch.z_axis += own.z_axis * weight;
        }
        let (turn, translation) = sum.motion();
        (stretch, turn, translation)
    }

    /// Moves points by the mixture of the motions of their bones.
    ///
    /// # Errors
    /// Where a list does not have one entry for each bone or vertex.
    pub fn dual_quaternion(
        &self,
        bones: &[RigidBone],
        points: &[DVec3],
        moved: &mut [DVec3],
    ) -> Result<(), BadSetup> {
        self.check(bones.len(), &[points.len(), moved.len()])?;
        for (vertex, (point, moved)) in points.iter().zip(moved).enumerate() {
            let (stretch, turn, translation) = self.blended(vertex, bones);
            *moved = turn * (stretch * *point) + translation;
        }
        Ok(())
    }

    /// Turns normals with the same mixture; results have length 1.
    ///
    /// # Errors
    /// As [`Skin::dual_quaternion`].
    pub fn dual_quaternion_normals(
        &self,
        bones: &[RigidBone],
        normals: &[DVec3],
        moved: &mut [DVec3],
    ) -> Result<(), BadSetup> {
        self.check(bones.len(), &[normals.len(), moved.len()])?;
        for (vertex, (normal, moved)) in normals.iter().zip(moved).enumerate() {
            let (stretch, turn, _) = self.blended(vertex, bones);
            *moved = turn * transformed_normal(&stretch, *normal);
        }
        Ok(())
    }
}

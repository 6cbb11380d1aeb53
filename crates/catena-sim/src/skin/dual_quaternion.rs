//! Dual quaternion skinning in two phases: x' = T R (Σ w_j S_j) x.
//!
//! Polar decomposition splits each bone matrix into a stretch and a rigid motion after it, M = T R
//! S. Stretches are averaged linearly. Rigid motions are summed as dual quaternions Σ ± w_j (q_j,
//! d_j) and normalised. The sign brings q_j to the hemisphere of the vertex's heaviest bone.
//! Source: Kavan, Collins, Žára, O'Sullivan 2008, "Geometric skinning with approximate dual
//! quaternion blending".

use super::Skin;
use super::linear::transformed_normal;
use super::polar::polar;
use crate::named::BadSetup;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A rigid motion: the rotation q, and d = t q/2 for the translation t after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuaternion {
    /// Rotation q, a unit quaternion.
    pub real: DQuat,
    /// Dual part d = t q/2.
    pub dual: DQuat,
}

impl DualQuaternion {
    const ZERO: Self = Self { real: ZERO, dual: ZERO };

    /// Creates a motion from a unit quaternion and the translation after it.
    pub fn new(turn: DQuat, translation: DVec3) -> Self {
        let half = translation * 0.5;
        Self { real: turn, dual: DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * turn }
    }

    /// Returns the negated dual quaternion, which is the same motion.
    pub fn negated(self) -> Self {
        Self { real: -self.real, dual: -self.dual }
    }

    fn add(&mut self, other: &Self, weight: f64) {
        self.real += other.real * weight;
        self.dual += other.dual * weight;
    }

    /// Returns the rotation and the translation of a sum, whose length may differ from 1.
    fn motion(&self) -> (DQuat, DVec3) {
        let scale = 1.0 / self.real.dot(self.real).sqrt();
        let (real, dual) = (self.real * scale, self.dual * scale);
        let t = dual * real.conjugate();
        (real, DVec3::new(2.0 * t.x, 2.0 * t.y, 2.0 * t.z))
    }
}

const ZERO: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

/// Matrix of a bone in two phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBone {
    /// Second phase: the rigid motion.
    pub motion: DualQuaternion,
    /// First phase: the stretch.
    pub stretch: DMat3,
}

impl RigidBone {
    /// Creates a motion without stretch.
    pub fn rigid(turn: DQuat, translation: DVec3) -> Self {
        Self { motion: DualQuaternion::new(turn, translation), stretch: DMat3::IDENTITY }
    }

    /// Decomposes a bone matrix, world times inverse bind.
    pub fn new(matrix: &DAffine3) -> Self {
        let parts = polar(&matrix.matrix3);
        let motion = DualQuaternion::new(quaternion(&parts.rotation), matrix.translation);
        Self { motion, stretch: parts.stretch }
    }
}

impl Skin {
    /// Blends the bones of a vertex. Returns stretch, rotation and translation.
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

    /// Transforms points by the blended motions of their bones.
    ///
    /// # Errors
    /// Returns an error if a list does not have one entry per bone or vertex.
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

    /// Transforms normals by the blended motions of their bones. Results have length 1.
    ///
    /// # Errors
    /// Returns the errors of [`Skin::dual_quaternion`].
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

/// Returns the unit quaternion of a rotation matrix. The branch with the largest root is used to
/// avoid cancellation. Source: Shepperd 1978, "Quaternion from rotation matrix".
fn quaternion(m: &DMat3) -> DQuat {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let trace = x.x + y.y + z.z;
    let q = if trace > x.x.max(y.y).max(z.z) {
        DQuat::from_xyzw(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace)
    } else if x.x >= y.y && x.x >= z.z {
        DQuat::from_xyzw(1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y)
    } else if y.y >= z.z {
        DQuat::from_xyzw(y.x + x.y, 1.0 + y.y - z.z - x.x, z.y + y.z, z.x - x.z)
    } else {
        DQuat::from_xyzw(z.x + x.z, z.y + y.z, 1.0 + z.z - x.x - y.y, x.y - y.x)
    };
    q * (1.0 / q.dot(q).sqrt())
}

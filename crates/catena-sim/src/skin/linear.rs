//! Linear blend skinning: x' = Σ w_j M_j x, and normals by the inverse transpose of Σ w_j M_j.
//!
//! The method is fast, but twisted or bent parts shrink; a part twisted by 180° collapses. Sources:
//! Magnenat-Thalmann, Laperrière, Thalmann 1988, "Joint-dependent local deformations"; Tarini,
//! Panozzo, Sorkine-Hornung 2014, "Accurate and efficient lighting for skinned models", for
//! normals.

use super::Skin;
use crate::named::BadSetup;
use glam::{DAffine3, DMat3, DVec3};

/// Transforms a normal by the inverse transpose of a linear map, and normalises it. Cofactors give
/// a normal for maps of rank 2 as well. If the result has no length, the normal does not change.
pub fn transformed_normal(map: &DMat3, normal: DVec3) -> DVec3 {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let [yz, zx, xy] = [y.cross(z), z.cross(x), x.cross(y)];
    let turned = yz * normal.x + zx * normal.y + xy * normal.z;
    let mirrored = if x.dot(yz) < 0.0 { -turned } else { turned };
    unit(mirrored).unwrap_or(normal)
}

/// Normalises a vector. Returns `None` if it has no length or is not finite.
pub fn unit(v: DVec3) -> Option<DVec3> {
    let greatest = v.x.abs().max(v.y.abs()).max(v.z.abs());
    if !(greatest > 0.0 && greatest.is_finite()) {
        return None;
    }
    let scaled = v / greatest;
    Some(scaled / scaled.dot(scaled).sqrt())
}

impl Skin {
    /// Returns the weighted sum of the matrices of a vertex.
    #[inline]
    fn mixed(&self, vertex: usize, matrices: &[DAffine3]) -> DAffine3 {
        let mut linear = DMat3::ZERO;
        let mut translation = DVec3::ZERO;
        for (bone, weight) in self.influences(vertex) {
            let matrix = &matrices[bone];
            linear.x_axis += matrix.matrix3.x_axis * weight;
            linear.y_axis += matrix.matrix3.y_axis * weight;
            linear.z_axis += matrix.matrix3.z_axis * weight;
            translation += matrix.translation * weight;
        }
        DAffine3 { matrix3: linear, translation }
    }

    /// Transforms points by the blended matrices of their bones, world times inverse bind.
    ///
    /// # Errors
    /// Returns an error if a list does not have one entry per bone or vertex.
    pub fn linear(
        &self,
        matrices: &[DAffine3],
        points: &[DVec3],
        moved: &mut [DVec3],
    ) -> Result<(), BadSetup> {
        self.check(matrices.len(), &[points.len(), moved.len()])?;
        for (vertex, (point, moved)) in points.iter().zip(moved).enumerate() {
            let map = self.mixed(vertex, matrices);
            *moved = map.matrix3 * *point + map.translation;
        }
        Ok(())
    }

    /// Transforms normals by the blended matrices of their bones. Results have length 1.
    ///
    /// # Errors
    /// Returns the errors of [`Skin::linear`].
    pub fn linear_normals(
        &self,
        matrices: &[DAffine3],
        normals: &[DVec3],
        moved: &mut [DVec3],
    ) -> Result<(), BadSetup> {
        self.check(matrices.len(), &[normals.len(), moved.len()])?;
        for (vertex, (normal, moved)) in normals.iter().zip(moved).enumerate() {
            *moved = transformed_normal(&self.mixed(vertex, matrices).matrix3, *normal);
        }
        Ok(())
    }
}

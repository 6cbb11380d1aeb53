//! Linear blend skinning: x' = Σ w_j M_j x, and normals by the inverse transpose of Σ w_j M_j.
//!
//! It is fast and shrinks what is twisted or bent, to nothing at a twist of 180°. Sources:
//! Magnenat-Thalmann, Laperrière, Thalmann 1988, "Joint-dependent local deformations"; Tarini,
//! Panozzo, Sorkine-Hornung 2014, "Accurate and efficient lighting for skinned models", for
//! normals.

use super::Skin;
use crate::named::BadSetup;
use glam::{DAffine3, DMat3, DVec3};

/// A normal as a linear map takes it: the inverse transpose, at length 1. It is computed by
/// cofactors, so a map that flattens has a normal too; the normal stays as it was where even that
/// has no length.
pub fn transformed_normal(map: &DMat3, normal: DVec3) -> DVec3 {
    let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
    let [yz, zx, xy] = [y.cross(z), z.cross(x), x.cross(y)];
    let turned = yz * normal.x + zx * normal.y + xy * normal.z;
    let mirrored = if x.dot(yz) < 0.0 { -turned } else { turned };
    unit(mirrored).unwrap_or(normal)
}

/// A vector at length 1; `None` where it has no length or is not finite.
pub fn unit(v: DVec3) -> Option<DVec3> {
    let greatest = v.x.abs().max(v.y.abs()).max(v.z.abs());
    if !(greatest > 0.0 && greatest.is_finite()) {
        return None;
    }
    let scaled = v / greatest;
    Some(scaled / scaled.dot(scaled).sqrt())
}

impl Skin {
    /// The weighted sum of the matrices of a vertex.
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

    /// Moves points by the mixture of the matrices of their bones, world times inverse bind.
    ///
    /// # Errors
    /// Where a list does not have one entry for each bone or vertex.
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

    /// Turns normals with the same mixture; results have length 1.
    ///
    /// # Errors
    /// As [`Skin::linear`].
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

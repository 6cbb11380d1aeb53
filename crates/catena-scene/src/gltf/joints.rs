//! Joints that move the vertices of meshes.

use super::document::{Document, Shape};
use super::error::GltfError;
use super::limits::Allowance;
use super::matrix;
use super::source::Source;
use catena_sim::drive::rig::Pose;
use catena_sim::glam::DAffine3;
use std::sync::Arc;

/// Bones that move a mesh, in the order of its joint indices. Meshes may share them.
#[derive(Clone, Debug, PartialEq)]
pub struct Joints {
    /// Indices of the bones in the skeleton of the figure.
    pub bones: Vec<usize>,
    /// Maps from mesh coordinates to the coordinates of each bone. A map need not be the inverse of
    /// the bone's bind pose.
    pub inverse_bind: Vec<DAffine3>,
}

impl Joints {
    /// Returns a single bone, with the mesh in its coordinates.
    pub(super) fn rigid(bone: usize) -> Self {
        Self { bones: vec![bone], inverse_bind: vec![DAffine3::IDENTITY] }
    }

    /// Computes the skinning matrices of a pose: world matrix times inverse bind matrix. The node
    /// of the mesh itself has no influence.
    pub fn matrices(&self, pose: &Pose, matrices: &mut Vec<DAffine3>) {
        let bones = pose.bones();
        let joints = self.bones.iter().zip(&self.inverse_bind);
        matrices.clear();
        matrices.extend(joints.map(|(bone, inverse)| {
            bones.get(*bone).map_or(DAffine3::IDENTITY, |bone| bone.matrix) * *inverse
        }));
    }
}

/// Reads the joints of all skins. The node indices must have been checked.
pub(super) fn of_skins(
    source: &Source<'_>,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<Arc<Joints>>, GltfError> {
    let Document { skins, .. } = source.document;
    let mut all = Vec::with_capacity(skins.len());
    for (index, skin) in skins.iter().enumerate() {
        let place = format_args!("skins[{index}].joints");
        let count = skin.joints.len();
        GltfError::unless(count > 0, place, "expected at least one joint")?;
        allowance.expanded(place, count as u64, size_of::<usize>() + size_of::<DAffine3>())?;
        let bones = skin.joints.iter().map(|joint| joint.0).collect();
        let inverse_bind = match skin.inverse_bind_matrices {
            None => vec![DAffine3::IDENTITY; count],
            Some(accessor) => {
                let place = format_args!("skins[{index}].inverseBindMatrices");
                let accessor = source.accessor(place, accessor, Shape::Mat4, allowance)?;
                let found = accessor.count();
                let message =
                    format_args!("{found} found for {count} joints, expected one for each");
                GltfError::unless(found >= count, place, message)?;
                let matrix = |k: usize| {
                    let numbers = accessor.finite(place, k)?;
                    matrix::affine(format_args!("{place}: element {k}"), &numbers)
                };
                (0..count).map(matrix).collect::<Result<_, _>>()?
            }
        };
        all.push(Arc::new(Joints { bones, inverse_bind }));
    }
    Ok(all)
}

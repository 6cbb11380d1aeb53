//! A skin: vertices and triangles at rest, and the bones that move them.

use crate::BadSetup;
use crate::drive::rig::Pose;
use crate::glam::{DAffine3, DVec3};
use crate::skin::{RigidBone, Skin};
use serde::Deserialize;

/// How bones move a skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Skinning {
    /// By the weighted mean of their matrices.
    #[default]
    Linear,
    /// By the weighted mean of their motions, which keeps the radius of what is twisted or bent.
    DualQuaternion,
}

impl Skinning {
    /// Points and normals as joints with these matrices, world times inverse bind, carry them.
    ///
    /// # Errors
    /// Where a list does not have one entry for each joint or vertex.
    pub fn moved(
        self,
        skin: &Skin,
        matrices: &[DAffine3],
        (points, normals): (&[DVec3], &[DVec3]),
    ) -> Result<(Vec<DVec3>, Vec<DVec3>), BadSetup> {
        let mut moved = (points.to_vec(), normals.to_vec());
        match self {
            Self::Linear => {
                skin.linear(matrices, points, &mut moved.0)?;
                skin.linear_normals(matrices, normals, &mut moved.1)?;
            }
            Self::DualQuaternion => {
                let bones: Vec<RigidBone> = matrices.iter().map(RigidBone::new).collect();
                skin.dual_quaternion(&bones, points, &mut moved.0)?;
                skin.dual_quaternion_normals(&bones, normals, &mut moved.1)?;
            }
        }
        Ok(moved)
    }
}

/// Vertices and triangles at rest, and what moves them.
#[derive(Clone, Debug)]
pub struct RigSkin {
    /// What exports call it.
    pub name: String,
    /// Vertices at rest.
    pub points: Vec<DVec3>,
    /// Normals at rest, of length 1, one a vertex.
    pub normals: Vec<DVec3>,
    /// Corners of each triangle, anticlockwise as seen from outside unless a pose mirrors the skin;
    /// see [`RigSkin::is_mirrored`].
    pub triangles: Vec<[usize; 3]>,
    /// How much each joint counts for each vertex.
    pub weights: Skin,
    /// The bone that each joint is.
    pub joints: Vec<usize>,
    /// The map from the skin's coordinates to those of each joint, at rest.
    pub inverse_bind: Vec<DAffine3>,
    /// Its colour in sRGB, if it has one.
    pub color: Option<[u8; 3]>,
    /// Whether both sides of its triangles are seen.
    pub is_double_sided: bool,
    /// Vertices of each ring, if it is a tube of rings that come first among its vertices.
    pub ring: Option<usize>,
    /// The bone that is the node of the mesh, of a skin from a glTF file. Its map decides which
    /// way round triangles run, also where the mesh hangs on joints.
    pub node: Option<usize>,
}

impl RigSkin {
    /// Whether triangles run clockwise as seen from outside in a pose. Source: glTF 2.0, 3.7.4:
    /// they do where the determinant of the node's global transform is negative. A skin without a
    /// node goes by its first joint.
    pub fn is_mirrored(&self, pose: &Pose) -> bool {
        let bones = pose.bones();
        let axes = match self.node {
            Some(node) => bones.get(node).map(|bone| bone.matrix.matrix3),
            None => self.matrices(pose).first().map(|joint| joint.matrix3),
        };
        axes.is_some_and(|axes| axes.determinant() < 0.0)
    }

    /// World times inverse bind of each joint.
    pub fn matrices(&self, pose: &Pose) -> Vec<DAffine3> {
        let bones = pose.bones();
        let matrix = |(joint, inverse): (&usize, &DAffine3)| bones[*joint].matrix * *inverse;
        self.joints.iter().zip(&self.inverse_bind).map(matrix).collect()
    }
}

//! A skin: vertices and triangles at rest, and the bones that move them.

use super::Morphs;
use super::morph::{RestShape, add, normals_around};
use crate::BadSetup;
use crate::drive::rig::{Animation, Pose};
use crate::glam::{DAffine3, DVec3};
use crate::skin::{RigidBone, Skin, unit};
use serde::Deserialize;
use std::borrow::Cow;

/// Skinning method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Skinning {
    /// Weighted mean of the bones' matrices.
    #[default]
    Linear,
    /// Weighted mean of the bones' motions, which keeps the radius of twisted or bent parts.
    DualQuaternion,
}

impl Skinning {
    /// Transforms points and normals by the matrices of joints, world times inverse bind.
    ///
    /// # Errors
    /// Returns an error if a list does not have one entry per joint or vertex.
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

/// Vertices and triangles at rest, and the joints that move them.
#[derive(Clone, Debug)]
pub struct RigSkin {
    /// Name in exported files.
    pub name: String,
    /// Vertices at rest.
    pub points: Vec<DVec3>,
    /// Unit normals at rest, one per vertex.
    pub normals: Vec<DVec3>,
    /// Corners of each triangle, anticlockwise as seen from outside unless a pose mirrors the skin;
    /// see [`RigSkin::is_mirrored`].
    pub triangles: Vec<[usize; 3]>,
    /// Weights of joints for each vertex.
    pub weights: Skin,
    /// Bone of each joint.
    pub joints: Vec<usize>,
    /// Map from skin coordinates to the coordinates of each joint, at rest.
    pub inverse_bind: Vec<DAffine3>,
    /// Colour in sRGB, if the skin has its own.
    pub color: Option<[u8; 3]>,
    /// Whether both sides of its triangles are visible.
    pub is_double_sided: bool,
    /// Number of vertices per ring, for a tube whose rings are its first vertices.
    pub ring: Option<usize>,
    /// Bone that is the mesh node, for a skin from a glTF file. Its map determines the orientation
    /// of triangles, even if joints move the mesh.
    pub node: Option<usize>,
    /// Morph targets, whose weights follow the clips of `node`.
    pub morphs: Option<Morphs>,
}

impl RigSkin {
    /// Whether triangles are clockwise as seen from outside in a pose. According to glTF 2.0,
    /// 3.7.4, this is the case if the determinant of the node's global transform is negative. A
    /// skin without a node uses its first joint.
    pub fn is_mirrored(&self, pose: &Pose) -> bool {
        let bones = pose.bones();
        let axes = match self.node {
            Some(node) => bones.get(node).map(|bone| bone.matrix.matrix3),
            None => self.matrices(pose).first().map(|joint| joint.matrix3),
        };
        axes.is_some_and(|axes| axes.determinant() < 0.0)
    }

    /// Returns the matrix of each joint, world times inverse bind.
    pub fn matrices(&self, pose: &Pose) -> Vec<DAffine3> {
        let bones = pose.bones();
        let matrix = |(joint, inverse): (&usize, &DAffine3)| bones[*joint].matrix * *inverse;
        self.joints.iter().zip(&self.inverse_bind).map(matrix).collect()
    }
}

impl RigSkin {
    /// Returns the shape of the skin at a time, before bones move it.
    pub fn rest_at(&self, animation: &Animation, t: f64) -> RestShape<'_> {
        let (Some(morphs), Some(node)) = (&self.morphs, self.node) else {
            let [points, normals] = [&self.points, &self.normals].map(|it| Cow::Borrowed(&it[..]));
            return RestShape { points, normals, rates: None };
        };
        let weights = animation.morph_weights(node, &morphs.weights, t);
        let mut points = self.points.clone();
        let mut normals = self.normals.clone();
        let mut rates = vec![DVec3::ZERO; points.len()];
        for (target, (weight, rate)) in morphs.targets.iter().zip(&weights) {
            add(&mut points, *weight, &target.points);
            add(&mut rates, *rate, &target.points);
            target.normals.iter().for_each(|changes| add(&mut normals, *weight, changes));
        }
        if morphs.computes_normals {
            normals = normals_around(&points, &self.triangles);
        } else {
            let rest = self.normals.iter();
            let all = normals.iter_mut().zip(rest);
            all.for_each(|(normal, rest)| *normal = unit(*normal).unwrap_or(*rest));
        }
        let (points, normals) = (Cow::Owned(points), Cow::Owned(normals));
        RestShape { points, normals, rates: Some(rates) }
    }
}

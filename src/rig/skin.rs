//! A skin: vertices and triangles at rest, and the bones that move them.

use crate::sim::drive::rig::Pose;
use crate::sim::glam::{DAffine3, DVec3};
use crate::sim::skin::Skin;
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

/// Vertices and triangles at rest, and what moves them.
#[derive(Clone, Debug)]
pub struct RigSkin {
    /// What exports call it.
    pub name: String,
    /// Vertices at rest.
    pub points: Vec<DVec3>,
    /// Normals at rest, of length 1, one a vertex.
    pub normals: Vec<DVec3>,
    /// Corners of each triangle, anticlockwise as seen from outside.
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
}

impl RigSkin {
    /// World times inverse bind of each joint.
    pub fn matrices(&self, pose: &Pose) -> Vec<DAffine3> {
        let bones = pose.bones();
        let matrix = |(joint, inverse): (&usize, &DAffine3)| bones[*joint].matrix * *inverse;
        self.joints.iter().zip(&self.inverse_bind).map(matrix).collect()
    }
}

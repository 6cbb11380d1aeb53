//! A skin: vertices and triangles at rest, and the bones that move them.

use crate::scene::Color;
use crate::sim::drive::rig::Pose;
use crate::sim::glam::{DAffine3, DVec3};
use crate::sim::skin::Skin;

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
    /// Its colour, if it has one.
    pub color: Option<Color>,
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

//! Morph targets of a skin: displacements that are added to it, by weight, before bones move it.
//!
//! Source: glTF 2.0, 3.7.2.2.

use crate::glam::DVec3;
use crate::identity::{Identifier, Identity};
use crate::skin::unit;
use std::borrow::Cow;

/// Displacements of the vertices of a skin at a weight of 1.
#[derive(Clone, Debug)]
pub struct MorphTarget {
    /// Displacement of each vertex.
    pub points: Vec<DVec3>,
    /// Change of each normal; `None` if the target has none.
    pub normals: Option<Vec<DVec3>>,
}

/// Morph targets of a skin.
#[derive(Clone, Debug)]
pub struct Morphs {
    /// Targets of the skin, in order.
    pub targets: Vec<MorphTarget>,
    /// Weight of each target without any clip.
    pub weights: Vec<f64>,
    /// Whether normals follow from the triangles around a vertex.
    pub computes_normals: bool,
}

/// Shape of a skin before bones move it.
pub struct RestShape<'a> {
    /// Positions of the vertices.
    pub points: Cow<'a, [DVec3]>,
    /// Unit normals, one per vertex.
    pub normals: Cow<'a, [DVec3]>,
    /// Velocity of each vertex; `None` if the shape does not change.
    pub rates: Option<Vec<DVec3>>,
}

/// Returns the area-weighted normals of the triangles around each vertex; (0, 0, 1) for a vertex
/// without triangles.
pub fn normals_around(points: &[DVec3], triangles: &[[usize; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; points.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|corner| sums[*corner] += area);
    }
    sums.into_iter().map(|sum| unit(sum).unwrap_or(DVec3::Z)).collect()
}

/// Adds weighted displacements.
pub(super) fn add(sums: &mut [DVec3], weight: f64, displacements: &[DVec3]) {
    if weight != 0.0 {
        sums.iter_mut().zip(displacements).for_each(|(sum, by)| *sum += *by * weight);
    }
}

/// Identifies everything that positions depend on.
impl Identity for Morphs {
    fn identify(&self, to: &mut Identifier<'_>) {
        let Self { targets, weights, computes_normals: _ } = self;
        weights[..].identify(to);
        targets.iter().for_each(|target| target.points[..].identify(to));
    }
}

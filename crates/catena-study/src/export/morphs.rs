//! Morph targets of figures: displacements that weights add to a mesh before bones move it.

use super::figure::SkinnedMesh;
use catena_sim::glam::DVec3;
use std::{borrow::Cow, fmt, sync::Arc};

/// Function that returns the weight of each target at a time, and its rate.
pub type MorphWeights = Arc<dyn Fn(f64) -> Vec<(f64, f64)> + Send + Sync>;

/// Morph targets of a mesh.
#[derive(Clone)]
pub struct MeshMorphs {
    /// Displacement of each point at a weight of 1, per target.
    pub targets: Vec<Vec<DVec3>>,
    /// Weights over time.
    pub weights: MorphWeights,
}

impl fmt::Debug for MeshMorphs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshMorphs").field("targets", &self.targets).finish_non_exhaustive()
    }
}

/// Points of a mesh at a time, before bones move them.
pub(super) struct MeshShape<'a> {
    pub(super) points: Cow<'a, [DVec3]>,
    /// Velocity of each point; `None` if the shape does not change.
    pub(super) rates: Option<Vec<DVec3>>,
}

impl SkinnedMesh {
    /// Shape of the mesh at a time.
    pub(super) fn shape_at(&self, t: f64) -> MeshShape<'_> {
        let Some(MeshMorphs { targets, weights }) = &self.morphs else {
            return MeshShape { points: Cow::Borrowed(&self.points), rates: None };
        };
        let mut points = self.points.clone();
        let mut rates = vec![DVec3::ZERO; points.len()];
        for (target, (weight, rate)) in targets.iter().zip(weights(t)) {
            for ((point, moved), by) in points.iter_mut().zip(&mut rates).zip(target) {
                *point += *by * weight;
                *moved += *by * rate;
            }
        }
        MeshShape { points: Cow::Owned(points), rates: Some(rates) }
    }

    /// Weights of the targets at a time; empty without targets.
    pub(super) fn weights_at(&self, t: f64) -> Vec<f32> {
        let weights = self.morphs.as_ref().map(|morphs| (morphs.weights)(t)).unwrap_or_default();
        weights.iter().map(|(weight, _)| *weight as f32).collect()
    }

    /// Points with a weight of 1 of each target alone.
    pub(super) fn targets(&self) -> impl Iterator<Item = Vec<DVec3>> {
        let targets = self.morphs.iter().flat_map(|morphs| &morphs.targets);
        targets.map(|target| self.points.iter().zip(target).map(|(point, by)| point + by).collect())
    }
}

//! Weights of the morph targets of a bone's mesh, over time and blended over layers.

use super::blend::MovingWeight;
use crate::drive::track::{Animated, Extent, Track};
use glam::DVec3;

/// Weights of the morph targets of a bone's mesh, one track per target.
#[derive(Clone, Debug)]
pub struct MorphTrack {
    weights: Vec<Animated<1>>,
}
crate::identity!(MorphTrack { weights });

impl MorphTrack {
    /// Creates the tracks of all targets.
    pub fn new(weights: Vec<Animated<1>>) -> Self {
        Self { weights }
    }

    /// Returns the time range in which any weight changes.
    pub fn extent(&self) -> Extent {
        Extent::of_all(self.weights.iter().map(Track::extent))
    }

    /// Returns the weight of a target and its rate. A target without a track has no weight.
    pub(super) fn at(&self, target: usize, t: f64) -> MovingWeight {
        let found = self.weights.get(target).map(|track| track.at(t));
        found.map_or((0.0, 0.0), |([weight], [rate])| (weight, rate))
    }
}

/// Converts a number to a vector, for the arithmetic of layers.
pub(super) fn vector((value, rate): MovingWeight) -> (DVec3, DVec3) {
    (DVec3::X * value, DVec3::X * rate)
}

//! Weights of the morph targets of a bone's mesh, over time and blended over layers.

use super::animation::Animation;
use super::blend::{self, MovingWeight, VectorMix};
use super::layer::{Blend, Moment, Reference};
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
    fn at(&self, target: usize, t: f64) -> MovingWeight {
        let found = self.weights.get(target).map(|track| track.at(t));
        found.map_or((0.0, 0.0), |([weight], [rate])| (weight, rate))
    }
}

/// Number as a vector, for the arithmetic of layers.
fn vector((value, rate): MovingWeight) -> (DVec3, DVec3) {
    (DVec3::X * value, DVec3::X * rate)
}

impl Animation {
    /// Returns the weights of the morph targets of a bone's mesh at a time, with their rates.
    /// `rest` holds the weights without any layer.
    pub fn morph_weights(&self, bone: usize, rest: &[f64], t: f64) -> Vec<(f64, f64)> {
        let shown = self.shown(t);
        let moments: Vec<Moment> = self.layers().iter().map(|layer| layer.moment(shown)).collect();
        let weight = |(target, rest): (usize, &f64)| {
            let first = self.morph_weight(bone, target, *rest, &moments);
            let Some(share) = self.warmth(t) else { return first };
            let (bind, first) = (vector((*rest, 0.0)), vector((first.0, 0.0)));
            let (value, rate) = blend::vector_over(bind, first, share);
            (value.x, rate.x)
        };
        rest.iter().enumerate().map(weight).collect()
    }

    /// Returns the weight of a target without the warm-up.
    fn morph_weight(
        &self,
        bone: usize,
        target: usize,
        rest: f64,
        moments: &[Moment],
    ) -> MovingWeight {
        let layers = || {
            let all = self.layers().iter().zip(moments);
            all.filter(|(_, moment)| moment.weight != (0.0, 0.0))
                .filter_map(|(layer, moment)| Some((layer, moment, layer.morphs(bone)?)))
        };
        let paced = |track: &MorphTrack, moment: &Moment| {
            let (value, rate) = track.at(target, moment.time);
            vector((value, rate * moment.speed))
        };
        let mut mix = VectorMix::default();
        let mut has_mix = false;
        for (_, moment, track) in layers().filter(|(layer, ..)| layer.blend == Blend::Mix) {
            mix.add(moment.weight, paced(track, moment));
            has_mix = true;
        }
        let rest = DVec3::X * rest;
        let mut weight = if has_mix { mix.mean(rest) } else { (rest, DVec3::ZERO) };
        for (layer, moment, track) in layers() {
            let above = paced(track, moment);
            match layer.blend {
                Blend::Over => weight = blend::vector_over(weight, above, moment.weight),
                Blend::Add(reference) => {
                    let from = match reference {
                        Reference::Bind => rest,
                        Reference::Time(time) => vector(track.at(target, time)).0,
                    };
                    weight = blend::vector_add(weight, above, from, moment.weight);
                }
                Blend::Mix => {}
            }
        }
        (weight.0.x, weight.1.x)
    }
}

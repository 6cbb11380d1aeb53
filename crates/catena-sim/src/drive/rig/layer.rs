//! Layers: a clip with its playback, weight, blend mode and mask.

use super::clip::{BoneTracks, Clip};
use super::morph::MorphTrack;
use super::weight::{Fade, Weight};
use crate::drive::track::{Extent, Playback, Track};
use crate::named::BadSetup;
use std::sync::Arc;

/// Reference pose of an `Add` layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reference {
    /// Bind pose of the skeleton.
    #[default]
    Bind,
    /// Pose of the clip itself at this time.
    Time(f64),
}
crate::identity!(
    enum Reference {
        Bind,
        Time(value),
    }
);

/// Blend mode: the effect of a layer on the layers below.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blend {
    /// Weighted mean of all layers with this mode, which apply first: (Σ w p + max(0, 1 - Σw)
    /// rest)/max(1, Σw). Weights below 0 count as 0. Rotations are averaged in the hemisphere of
    /// the bind pose. Use `Over` for clips that turn a bone by about half a turn from there.
    #[default]
    Mix,
    /// Replaces the pose by its weight, clamped to 0 to 1. Blender calls this Replace.
    Over,
    /// Adds the difference between the clip and a reference, times the weight. Blender calls this
    /// Combine.
    Add(Reference),
}
crate::identity!(
    enum Blend {
        Mix,
        Over,
        Add(value),
    }
);

/// A clip as one layer of an animation.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Tracks of the bones.
    pub clip: Arc<Clip>,
    /// Playback of the clip; `None` to play it as written.
    pub playback: Option<Playback>,
    /// Effect on the layers below.
    pub blend: Blend,
    /// Weight of the layer.
    pub weight: Weight,
    /// Whether the layer may move each bone, one entry per bone; `None` for all bones. See
    /// [`Skeleton::mask`](super::Skeleton::mask).
    pub mask: Option<Vec<bool>>,
}

impl Layer {
    /// Creates a layer with a weight of 1 for the whole skeleton.
    pub fn new(clip: Arc<Clip>, blend: Blend) -> Self {
        Self { clip, playback: None, blend, weight: Weight::constant(1.0), mask: None }
    }

    /// Sets the playback of the clip.
    pub fn played(self, playback: Playback) -> Self {
        Self { playback: Some(playback), ..self }
    }

    /// Sets the weight.
    pub fn weighing(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// Restricts the layer to some bones.
    pub fn masked(self, mask: Vec<bool>) -> Self {
        Self { mask: Some(mask), ..self }
    }

    /// Creates a transition from one layer to another between `start` and `start + length`. The
    /// weights are multiplied by 1 - s and s, so two weights of 1 always sum to 1.
    ///
    /// # Errors
    /// Returns an error if `start` is not finite, or if `length` is negative or not finite.
    pub fn transition(
        mut from: Self,
        mut to: Self,
        start: f64,
        length: f64,
    ) -> Result<[Self; 2], BadSetup> {
        from.weight.fades.push(Fade::falling(start, length)?);
        to.weight.fades.push(Fade::rising(start, length)?);
        Ok([from, to])
    }

    /// Returns the weight and the clip time at a scene time.
    pub(super) fn moment(&self, t: f64) -> LayerMoment {
        let (weight, rate) = self.weight.at(t);
        let weight = match self.blend {
            _ if !weight.is_finite() => (0.0, 0.0),
            Blend::Mix if weight < 0.0 => (0.0, 0.0),
            Blend::Over if !(0.0..=1.0).contains(&weight) => (weight.clamp(0.0, 1.0), 0.0),
            _ => (weight, rate),
        };
        let (time, speed) = self.playback.map_or((t, 1.0), |playback| playback.local(t));
        LayerMoment { weight, time, speed }
    }

    /// Returns the time range in which the layer's effect changes.
    pub(super) fn extent(&self) -> Extent {
        let clip = self.playback.map_or_else(|| self.clip.extent(), |playback| playback.extent());
        let fades = self.weight.fades.iter().map(Fade::extent);
        clip.with(self.weight.value.extent()).with(Extent::of_all(fades))
    }

    /// Returns the tracks of a bone; `None` if the layer does not move it.
    pub(super) fn tracks(&self, bone: usize) -> Option<&BoneTracks> {
        self.clip.tracks(bone).filter(|_| self.moves(bone))
    }

    /// Returns the weights of the morph targets of a bone's mesh; `None` if the layer does not
    /// move them.
    pub(super) fn morphs(&self, bone: usize) -> Option<&MorphTrack> {
        self.clip.morphs(bone).filter(|_| self.moves(bone))
    }

    /// Whether the layer may move a bone.
    fn moves(&self, bone: usize) -> bool {
        self.mask.as_ref().is_none_or(|mask| mask.get(bone) == Some(&true))
    }
}

/// Weight and time of a layer at one scene time.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerMoment {
    /// Weight and its rate.
    pub(super) weight: (f64, f64),
    /// Time within the clip.
    pub(super) time: f64,
    /// Clip time per scene time.
    pub(super) speed: f64,
}

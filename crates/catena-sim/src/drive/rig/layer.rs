//! Layers: a clip, how it is played, how much it counts, and what it does to those below.

use super::clip::{BoneTracks, Clip};
use super::weight::{Fade, Weight};
use crate::drive::track::{Extent, Playback, Track};
use crate::named::BadSetup;
use std::sync::Arc;

/// The pose that an adding layer counts from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reference {
    /// The bind pose of the skeleton.
    #[default]
    Bind,
    /// The pose of the clip itself at one of its times.
    Time(f64),
}

/// What a layer does with the pose that it meets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blend {
    /// All layers of this kind come first, and their mean by weight counts: (Σ w p + max(0, 1 - Σw)
    /// rest)/max(1, Σw). Weights below 0 count as 0. Rotations are mixed on the side of the rest
    /// pose, so clips that turn a bone by about half a turn from there are better laid `Over`.
    #[default]
    Mix,
    /// Takes the pose over by its weight, which is kept from 0 to 1: Replace of Blender.
    Over,
    /// Adds what the clip does beside a reference, times its weight: Combine of Blender.
    Add(Reference),
}

/// One clip among others.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What moves the bones.
    pub clip: Arc<Clip>,
    /// How the clip is played; `None` as it is written.
    pub playback: Option<Playback>,
    /// What it does to the layers below.
    pub blend: Blend,
    /// How much it counts.
    pub weight: Weight,
    /// Which bones it may move, one entry a bone; `None` for all. See
    /// [`Skeleton::mask`](super::Skeleton::mask).
    pub mask: Option<Vec<bool>>,
}

impl Layer {
    /// A clip with a weight of 1 over the whole skeleton.
    pub fn new(clip: Arc<Clip>, blend: Blend) -> Self {
        Self { clip, playback: None, blend, weight: Weight::constant(1.0), mask: None }
    }

    /// The same, played otherwise.
    pub fn played(self, playback: Playback) -> Self {
        Self { playback: Some(playback), ..self }
    }

    /// The same, with a weight.
    pub fn weighing(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// The same, for some bones.
    pub fn masked(self, mask: Vec<bool>) -> Self {
        Self { mask: Some(mask), ..self }
    }

    /// Fades from one layer to another between `start` and `start + length`. Both weights are
    /// multiplied, by 1 - s and s, so two weights of 1 have the sum 1 throughout.
    ///
    /// # Errors
    /// Where the start is not finite, or the length is not finite or is below 0.
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

    /// Weight and time of the clip at a time of the scene.
    pub(super) fn moment(&self, t: f64) -> Moment {
        let (weight, rate) = self.weight.at(t);
        let weight = match self.blend {
            _ if !weight.is_finite() => (0.0, 0.0),
            Blend::Mix if weight < 0.0 => (0.0, 0.0),
            Blend::Over if !(0.0..=1.0).contains(&weight) => (weight.clamp(0.0, 1.0), 0.0),
            _ => (weight, rate),
        };
        let (time, speed) = self.playback.map_or((t, 1.0), |playback| playback.local(t));
        Moment { weight, time, speed }
    }

    /// When what it does changes.
    pub(super) fn extent(&self) -> Extent {
        let clip = self.playback.map_or_else(|| self.clip.extent(), |playback| playback.extent());
        let fades = self.weight.fades.iter().map(Fade::extent);
        clip.with(self.weight.value.extent()).with(Extent::of_all(fades))
    }

    /// What it moves a bone by; `None` where it leaves the bone alone.
    pub(super) fn tracks(&self, bone: usize) -> Option<&BoneTracks> {
        self.clip.tracks(bone).filter(|_| self.moves(bone))
    }

    /// Whether it may move a bone.
    fn moves(&self, bone: usize) -> bool {
        self.mask.as_ref().is_none_or(|mask| mask.get(bone) == Some(&true))
    }
}

/// What a layer is at a time, for all bones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Weight and its rate.
    pub(super) weight: (f64, f64),
    /// Time within the clip.
    pub(super) time: f64,
    /// How fast that time goes.
    pub(super) speed: f64,
}

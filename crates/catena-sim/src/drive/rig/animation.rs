//! A skeleton with animation layers: its pose at any time, with exact velocities.

use super::blend::{self, RotationMix, VectorMix};
use super::clip::{BoneTracks, vector};
use super::layer::{Blend, Layer, LayerMoment, Reference};
use super::morph::{MorphTrack, vector as weight_vector};
use super::pose::{BoneMotion, Pose};
use super::rotation::MovingRotation;
use super::skeleton::Skeleton;
use super::transform::MovingTransform;
use crate::drive::rig::blend::MovingWeight;
use crate::drive::track::Extent;
use crate::identity::{Identifier, Identity};
use crate::named::BadSetup;
use glam::DVec3;
use std::sync::Arc;

/// A skeleton and its layers. `Mix` layers apply first, then `Over` and `Add` layers in their
/// order.
#[derive(Clone, Debug)]
pub struct Animation {
    skeleton: Arc<Skeleton>,
    layers: Vec<Layer>,
    mixes: bool,
    /// Duration of the transition from the bind pose to the first pose, before time 0.
    warm_up: f64,
}

/// Identifies everything that the poses depend on.
impl Identity for Animation {
    fn identify(&self, to: &mut Identifier<'_>) {
        let Self { skeleton, layers, mixes: _, warm_up } = self;
        (warm_up, skeleton.parents()).identify(to);
        skeleton.bind().identify(to);
        for layer in layers {
            // The tracks of a bone are the part of the clip that the mask allows.
            let Layer { clip: _, playback, blend, weight, mask: _ } = layer;
            (playback, blend, weight).identify(to);
            (0..skeleton.len()).for_each(|bone| layer.tracks(bone).identify(to));
            for bone in 0..skeleton.len() {
                let Some(morphs) = layer.morphs(bone) else { continue };
                bone.identify(to);
                morphs.identify(to);
            }
        }
    }
}

impl Animation {
    /// Creates an animation. Without layers, the skeleton stays in its bind pose.
    ///
    /// # Errors
    /// Returns an error if a clip or a mask has another number of bones than the skeleton.
    pub fn new(skeleton: Arc<Skeleton>, layers: Vec<Layer>) -> Result<Self, BadSetup> {
        let count = skeleton.len();
        for (index, layer) in layers.iter().enumerate() {
            let field = |name| format!("layers[{index}].{name}");
            let message = || format!("expected one entry for each of {count} bones");
            BadSetup::unless(layer.clip.bones() == count, field("clip"), message())?;
            let is_fine = layer.mask.as_ref().is_none_or(|mask| mask.len() == count);
            BadSetup::unless(is_fine, field("mask"), message())?;
        }
        let mixes = layers.iter().any(|layer| layer.blend == Blend::Mix);
        Ok(Self { skeleton, layers, mixes, warm_up: 0.0 })
    }

    /// Adds a smooth transition from the bind pose to the first pose, during `time` before time 0.
    /// `time` must be at least 0.
    pub fn warming_up(self, time: f64) -> Self {
        Self { warm_up: time, ..self }
    }

    /// Returns the skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Returns the layers.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Computes the pose of all bones at a time.
    pub fn pose(&self, t: f64, pose: &mut Pose) {
        let mut moments = std::mem::take(&mut pose.moments);
        moments.clear();
        moments.extend(self.layers.iter().map(|layer| layer.moment(self.shown(t))));
        let share = self.warmth(t);
        self.skeleton.pose_of(|bone| self.warmed(bone, &moments, share), pose);
        pose.moments = moments;
    }

    /// Returns the motion of the last bone of a chain that starts at a root, bit-identical to
    /// [`Animation::pose`].
    pub(super) fn motion(&self, chain: &[usize], t: f64) -> BoneMotion {
        let moment = |layer: &Layer| layer.moment(self.shown(t));
        let moments: Vec<LayerMoment> = self.layers.iter().map(moment).collect();
        let share = self.warmth(t);
        let carry =
            |parent: BoneMotion, bone: &usize| parent.carry(&self.warmed(*bone, &moments, share));
        chain.iter().fold(BoneMotion::WORLD, carry)
    }

    /// Returns the duration of the transition from the bind pose to the first pose, before time 0.
    pub fn warm_up(&self) -> f64 {
        self.warm_up
    }

    /// Returns the time range in which the pose changes.
    pub fn extent(&self) -> Extent {
        let before = match self.warm_up > 0.0 {
            true => Extent::Bounded(-self.warm_up, 0.0),
            false => Extent::Still,
        };
        before.with(Extent::of_all(self.layers.iter().map(Layer::extent)))
    }

    /// Whether a bone stays in the plane z = 0 of its parent: its bind pose and tracks have no z
    /// position, and rotate about z only.
    pub fn keeps_plane(&self, bone: usize) -> bool {
        let bind = self.skeleton.bind().get(bone);
        let tracks = self.layers.iter().filter_map(|layer| layer.tracks(bone));
        bind.is_none_or(|bind| (bind.place.z, bind.turn.x, bind.turn.y) == (0.0, 0.0, 0.0)) && {
            tracks
        }
        .all(BoneTracks::is_planar)
    }

    /// Returns the time whose pose is shown at time `t`: the first pose during the warm-up.
    pub(super) fn shown(&self, t: f64) -> f64 {
        if self.warm_up > 0.0 { t.max(0.0) } else { t }
    }

    /// Returns the progress of the warm-up, 0 to 1, and its rate. Returns `None` from time 0 on, or
    /// if there is no warm-up.
    pub(super) fn warmth(&self, t: f64) -> Option<(f64, f64)> {
        if !(self.warm_up > 0.0 && t < 0.0) {
            return None;
        }
        let s = (1.0 + t / self.warm_up).max(0.0);
        let rate = if s > 0.0 { 6.0 * s * (1.0 - s) / self.warm_up } else { 0.0 };
        Some((s * s * (3.0 - 2.0 * s), rate))
    }

    /// Returns the transform of a bone relative to its parent, including the warm-up.
    fn warmed(
        &self,
        bone: usize,
        moments: &[LayerMoment],
        share: Option<(f64, f64)>,
    ) -> MovingTransform {
        let first = self.local(bone, moments);
        let (Some(share), Some(bind)) = (share, self.skeleton.bind().get(bone)) else {
            return first;
        };
        let (bind, first) = (MovingTransform::resting(*bind), first.now());
        let first = MovingTransform::resting(first);
        let (place, velocity) =
            blend::vector_over((bind.place, bind.velocity), (first.place, first.velocity), share);
        let (scale, stretching) = blend::vector_over(
            (bind.scale, bind.stretching),
            (first.scale, first.stretching),
            share,
        );
        let rotation = bind.rotation.slerp(first.rotation, share.0, share.1);
        MovingTransform { place, velocity, rotation, scale, stretching }
    }

    /// Returns the transform of a bone relative to its parent, without the warm-up.
    fn local(&self, bone: usize, moments: &[LayerMoment]) -> MovingTransform {
        let Some(bind) = self.skeleton.bind().get(bone) else {
            return MovingTransform::resting(super::Transform::IDENTITY);
        };
        let mut transform = MovingTransform::resting(*bind);
        if self.mixes {
            self.mix(bone, moments, &mut transform);
        }
        for (layer, moment) in self.layers.iter().zip(moments) {
            let tracks = layer.tracks(bone).filter(|_| moment.weight != (0.0, 0.0));
            let Some(tracks) = tracks else { continue };
            match layer.blend {
                Blend::Over => blend_over(tracks, moment, &mut transform),
                Blend::Add(reference) => {
                    let bind = self.skeleton.bind()[bone];
                    let from = match reference {
                        Reference::Bind => bind,
                        Reference::Time(time) => layer.clip.transform(bone, bind, time).now(),
                    };
                    let above = layer.clip.transform(bone, from, moment.time);
                    add(&mut transform, paced(above, moment.speed), from, moment.weight);
                }
                Blend::Mix => {}
            }
        }
        transform
    }

    /// Computes the mean of all `Mix` layers. `transform` is the bind pose on entry.
    fn mix(&self, bone: usize, moments: &[LayerMoment], transform: &mut MovingTransform) {
        let rest = transform.now();
        let (mut place, mut scale) = (VectorMix::default(), VectorMix::default());
        let mut rotation = RotationMix::new(rest.turn);
        let mut has = [false; 3];
        for (layer, moment) in self.layers.iter().zip(moments) {
            let counts = layer.blend == Blend::Mix && moment.weight != (0.0, 0.0);
            let tracks = layer.tracks(bone).filter(|_| counts);
            let Some(tracks) = tracks else { continue };
            let LayerMoment { weight, time, speed } = *moment;
            if let Some(track) = &tracks.place {
                place.add(weight, paced_vector(vector(track, time), speed));
                has[0] = true;
            }
            if let Some(track) = &tracks.rotation {
                rotation.add(weight, paced_rotation(track.at(time), speed));
                has[1] = true;
            }
            if let Some(track) = &tracks.scale {
                scale.add(weight, paced_vector(vector(track, time), speed));
                has[2] = true;
            }
        }
        if has[0] {
            (transform.place, transform.velocity) = place.mean(rest.place);
        }
        if has[1] {
            transform.rotation = rotation.mean();
        }
        if has[2] {
            (transform.scale, transform.stretching) = scale.mean(rest.scale);
        }
    }
}

/// Converts a rate per clip time to one per scene time.
fn paced_vector((value, rate): (DVec3, DVec3), speed: f64) -> (DVec3, DVec3) {
    (value, rate * speed)
}

fn paced_rotation(rotation: MovingRotation, speed: f64) -> MovingRotation {
    MovingRotation { rate: rotation.rate * speed, ..rotation }
}

fn paced(transform: MovingTransform, speed: f64) -> MovingTransform {
    MovingTransform {
        velocity: transform.velocity * speed,
        rotation: paced_rotation(transform.rotation, speed),
        stretching: transform.stretching * speed,
        ..transform
    }
}

/// Blends a layer's tracks over the layers below.
fn blend_over(tracks: &BoneTracks, moment: &LayerMoment, base: &mut MovingTransform) {
    let LayerMoment { weight, time, speed } = *moment;
    if let Some(track) = &tracks.place {
        let above = paced_vector(vector(track, time), speed);
        (base.place, base.velocity) =
            blend::vector_over((base.place, base.velocity), above, weight);
    }
    if let Some(track) = &tracks.rotation {
        let above = paced_rotation(track.at(time), speed);
        base.rotation = match weight {
            (1.0, 0.0) => above,
            _ => base.rotation.slerp(above, weight.0, weight.1),
        };
    }
    if let Some(track) = &tracks.scale {
        let above = paced_vector(vector(track, time), speed);
        (base.scale, base.stretching) =
            blend::vector_over((base.scale, base.stretching), above, weight);
    }
}

/// Adds a layer's difference from its reference.
fn add(
    base: &mut MovingTransform,
    above: MovingTransform,
    from: super::Transform,
    weight: (f64, f64),
) {
    let place = (above.place, above.velocity);
    (base.place, base.velocity) =
        blend::vector_add((base.place, base.velocity), place, from.place, weight);
    base.rotation = blend::rotation_add(base.rotation, above.rotation, from.turn, weight);
    let scale = (above.scale, above.stretching);
    (base.scale, base.stretching) =
        blend::vector_add((base.scale, base.stretching), scale, from.scale, weight);
}

impl Animation {
    /// Returns the weights of the morph targets of a bone's mesh at a time, with their rates.
    /// `rest` holds the weights without any layer.
    pub fn morph_weights(&self, bone: usize, rest: &[f64], t: f64) -> Vec<(f64, f64)> {
        let shown = self.shown(t);
        let moments: Vec<LayerMoment> =
            self.layers().iter().map(|layer| layer.moment(shown)).collect();
        let weight = |(target, rest): (usize, &f64)| {
            let first = self.morph_weight(bone, target, *rest, &moments);
            let Some(share) = self.warmth(t) else { return first };
            let (bind, first) = (weight_vector((*rest, 0.0)), weight_vector((first.0, 0.0)));
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
        moments: &[LayerMoment],
    ) -> MovingWeight {
        let layers = || {
            let all = self.layers().iter().zip(moments);
            all.filter(|(_, moment)| moment.weight != (0.0, 0.0))
                .filter_map(|(layer, moment)| Some((layer, moment, layer.morphs(bone)?)))
        };
        let paced = |track: &MorphTrack, moment: &LayerMoment| {
            let (value, rate) = track.at(target, moment.time);
            weight_vector((value, rate * moment.speed))
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
                        Reference::Time(time) => weight_vector(track.at(target, time)).0,
                    };
                    weight = blend::vector_add(weight, above, from, moment.weight);
                }
                Blend::Mix => {}
            }
        }
        (weight.0.x, weight.1.x)
    }
}

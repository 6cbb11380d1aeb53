//! Channels of animations: keys of translations, rotations and scales.
//!
//! LINEAR interpolates vectors linearly and rotations by slerp along the shorter path. STEP holds
//! each value. CUBICSPLINE is a Hermite spline whose tangents are rates per time, multiplied by the
//! duration of the segment. Source: glTF 2.0, appendix C.

use super::accessor::Accessor;
use super::document::{Interpolation, Sampler, Shape, TargetPath};
use super::error::{GltfError, Place};
use super::limits::Allowance;
use super::notes::{About, Notes};
use super::source::{Source, pick};
use catena_sim::drive::rig::{BoneTracks, RotationTrack, normalised};
use catena_sim::drive::track::{self, Animated, Key, KeyTrack};
use catena_sim::glam::DQuat;
use std::collections::BTreeMap;

/// Adds the track of a channel to the tracks of its bone.
pub(super) fn read(
    source: &Source<'_>,
    (index, k): (usize, usize),
    tracks: &mut BTreeMap<usize, BoneTracks>,
    allowance: &mut Allowance<'_>,
    notes: &mut Notes,
) -> Result<(), GltfError> {
    let document = source.document;
    let animation = &document.animations[index];
    let channel = &animation.channels[k];
    let place = format_args!("animations[{index}].channels[{k}]");
    if let Some(node) = channel.target.node {
        pick(&document.nodes, node, format_args!("{place}.target.node"), "node")?;
    }
    let sampler = channel.sampler;
    let described = pick(&animation.samplers, sampler, format_args!("{place}.sampler"), "sampler")?;
    let node = match (channel.target.path, channel.target.node) {
        (TargetPath::Weights, _) => Err("morph targets"),
        (TargetPath::Pointer, _) => Err("something by its address"),
        (_, None) => Err("no node"),
        (_, Some(node)) => Ok(node.0),
    };
    let node = match node {
        Ok(node) => node,
        Err(what) => {
            notes.add(About::Channel, || format!("{place} is left out: it moves {what}"));
            return Ok(());
        }
    };
    allowance.expanded(place, 1, size_of::<BoneTracks>())?;
    let place = format_args!("animations[{index}].samplers[{}]", sampler.0);
    let keys = Keys::open(source, place, described, channel.target.path, allowance)?;
    let tracks = tracks.entry(node).or_default();
    let is_new = match channel.target.path {
        TargetPath::Translation => tracks.place.replace(keys.vectors()?).is_none(),
        TargetPath::Scale => tracks.scale.replace(keys.vectors()?).is_none(),
        _ => tracks.rotation.replace(keys.rotations()?).is_none(),
    };
    let message = format_args!("another channel of the animation moves the same of nodes[{node}]");
    GltfError::unless(is_new, format_args!("animations[{index}].channels[{k}].target"), message)
}

/// Keys of a sampler, with checked counts.
#[derive(Clone, Copy)]
struct Keys<'a> {
    place: Place<'a>,
    interpolation: Interpolation,
    times: Accessor<'a>,
    values: Accessor<'a>,
}

impl<'a> Keys<'a> {
    fn open(
        source: &'a Source<'_>,
        place: Place<'a>,
        sampler: &Sampler,
        path: TargetPath,
        allowance: &mut Allowance<'_>,
    ) -> Result<Self, GltfError> {
        let input = format_args!("{place}.input");
        let times = source.accessor(input, sampler.input, Shape::Scalar, allowance)?;
        let count = times.count();
        allowance.keys(input, count as u64)?;
        allowance.expanded(input, count as u64, size_of::<Key<4>>())?;
        let shape = if path == TargetPath::Rotation { Shape::Vec4 } else { Shape::Vec3 };
        let output = format_args!("{place}.output");
        let values = source.accessor(output, sampler.output, shape, allowance)?;
        let interpolation = sampler.interpolation;
        if interpolation == Interpolation::CubicSpline {
            values.expect_count(output, 3 * count, "two tangents and a value for each key")?;
        } else {
            values.expect_count(output, count, "one for each key")?;
        }
        Ok(Self { place, interpolation, times, values })
    }

    /// Returns the times of all keys, which must increase.
    fn times(&self) -> Result<Vec<f64>, GltfError> {
        let place = format_args!("{}.input", self.place);
        let mut times: Vec<f64> = Vec::with_capacity(self.times.count());
        for k in 0..self.times.count() {
            let [time] = self.times.finite(place, k)?;
            if let Some(before) = times.last().filter(|before| **before >= time) {
                let message = format_args!("key {k} is at {time} s, not after {before} s");
                return Err(GltfError::new(place, message));
            }
            times.push(time);
        }
        Ok(times)
    }

    /// Returns the keys in the form that tracks use.
    fn read<const D: usize>(&self, linear: track::Interpolation) -> Result<Vec<Key<D>>, GltfError> {
        let place = format_args!("{}.output", self.place);
        let value = |k: usize| self.values.finite(place, k);
        let key = |(k, time): (usize, f64)| {
            Ok(match self.interpolation {
                Interpolation::Linear => Key::new(time, value(k)?).to_next(linear),
                Interpolation::Step => {
                    Key::new(time, value(k)?).to_next(track::Interpolation::Step)
                }
                Interpolation::CubicSpline => {
                    let [arriving, at, leaving] = [3 * k, 3 * k + 1, 3 * k + 2].map(value);
                    Key::new(time, at?).rates(arriving?, leaving?)
                }
            })
        };
        self.times()?.into_iter().enumerate().map(key).collect()
    }

    fn vectors(&self) -> Result<Animated<3>, GltfError> {
        let track = KeyTrack::new(self.read(track::Interpolation::Linear)?);
        Ok(Animated::moving(track.map_err(|error| GltfError::new(self.place, error))?))
    }

    /// Normalizes rotations once, because files round quaternions.
    fn rotations(&self) -> Result<RotationTrack, GltfError> {
        let keys = self.read(track::Interpolation::Slerp)?;
        let flat =
            keys.iter().position(|key: &Key<4>| normalised(DQuat::from_array(key.value)).is_none());
        if let Some(k) = flat {
            let message = format_args!("the quaternion of key {k} has length 0");
            return Err(GltfError::new(format_args!("{}.output", self.place), message));
        }
        RotationTrack::new(keys).map_err(|error| GltfError::new(self.place, error))
    }
}

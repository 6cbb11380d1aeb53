//! Clips of a figure: the tracks of each animation, and all animations together.
//!
//! LINEAR interpolates vectors linearly and rotations by slerp along the shorter path. STEP holds
//! each value. CUBICSPLINE is a Hermite spline whose tangents are rates per time, multiplied by
//! the duration of the segment. Source: glTF 2.0, appendix C.

use super::accessor::Accessor;
use super::document::{ElementType, KeyInterpolation, Sampler, TargetPath};
use super::limits::Allowance;
use super::messages::{FilePosition, GltfError, NoteKind, NoteList};
use super::morph;
use super::names;
use super::source::{GltfSource, pick};
use catena_sim::drive::rig::{BoneTracks, Clip, MorphTrack, RotationTrack, Skeleton, normalised};
use catena_sim::drive::track::{self, Animated, Key, KeyTrack};
use catena_sim::glam::DQuat;
use catena_sim::named::BadSetup;
use std::collections::BTreeMap;

/// Animation of a figure.
#[derive(Clone, Debug)]
pub struct FigureClip {
    /// Name, unique among the clips of the figure.
    pub name: String,
    tracks: BTreeMap<usize, BoneTracks>,
    /// Weights of morph targets by the node of the mesh.
    morphs: BTreeMap<usize, MorphTrack>,
}

/// Property of a bone that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Position of the bone.
    Place,
    /// Rotation of the bone.
    Rotation,
    /// Scale of the bone.
    Scale,
    /// Weights of the morph targets of the bone's mesh.
    Morphs,
}

/// Two clips that animate the same property of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Indices of both clips, in the order of the file. The motion of the first one is used.
    pub clips: [usize; 2],
    /// Index of the bone.
    pub bone: usize,
    /// Property that both animate.
    pub moved: Moved,
}

impl FigureClip {
    /// Returns the clip for animation layers. `skeleton` is the skeleton of the figure.
    ///
    /// # Errors
    /// Returns an error when the skeleton has too few bones.
    pub fn clip(&self, skeleton: &Skeleton) -> Result<Clip, BadSetup> {
        let tracks = self.tracks.iter().map(|(bone, tracks)| (*bone, tracks.clone()));
        Ok(Clip::of_bones(skeleton, tracks)?.with_morphs(self.morphs.clone()))
    }

    /// Returns the indices of the animated bones in increasing order.
    pub fn bones(&self) -> impl Iterator<Item = usize> {
        self.tracks.keys().copied()
    }
}

/// Merges all clips into one, as intended by exporters that write one animation per channel. If two
/// clips animate the same property of a bone, the first is used and the conflict is listed. Such
/// clips are usually separate motions, which should be played by name.
///
/// # Errors
/// Returns the errors of [`FigureClip::clip`].
pub fn together(
    clips: &[FigureClip],
    skeleton: &Skeleton,
) -> Result<(Clip, Vec<Conflict>), BadSetup> {
    let mut bones: BTreeMap<usize, (BoneTracks, [usize; 3])> = BTreeMap::new();
    let mut morphs: BTreeMap<usize, (MorphTrack, usize)> = BTreeMap::new();
    let mut conflicts = Vec::new();
    for (index, clip) in clips.iter().enumerate() {
        for (&bone, track) in &clip.morphs {
            let (_, first) = morphs.entry(bone).or_insert_with(|| (track.clone(), index));
            let clips = [*first, index];
            if clips[0] != index {
                conflicts.push(Conflict { clips, bone, moved: Moved::Morphs });
            }
        }
        for (&bone, tracks) in &clip.tracks {
            let (all, owners) = bones.entry(bone).or_default();
            let BoneTracks { place, rotation, scale } = tracks;
            let [a, b, c] = owners;
            let first = [
                take_over_track(&mut all.place, place, a, index),
                take_over_track(&mut all.rotation, rotation, b, index),
                take_over_track(&mut all.scale, scale, c, index),
            ];
            let all = first.into_iter().zip([Moved::Place, Moved::Rotation, Moved::Scale]);
            conflicts.extend(all.filter_map(|(first, moved)| {
                first.map(|first| Conflict { clips: [first, index], bone, moved })
            }));
        }
    }
    let tracks = bones.into_iter().map(|(bone, (tracks, _))| (bone, tracks));
    let morphs = morphs.into_iter().map(|(bone, (track, _))| (bone, track)).collect();
    Ok((Clip::of_bones(skeleton, tracks)?.with_morphs(morphs), conflicts))
}

/// Stores a track in an empty slot, or returns the owner of the track that is already there.
fn take_over_track<T: Clone>(
    place: &mut Option<T>,
    track: &Option<T>,
    owner: &mut usize,
    index: usize,
) -> Option<usize> {
    match (&place, track) {
        (_, None) => None,
        (Some(_), Some(_)) => Some(*owner),
        (None, Some(track)) => {
            *place = Some(track.clone());
            *owner = index;
            None
        }
    }
}

/// Reads the clips of all animations.
pub(super) fn read_clips(
    source: &GltfSource<'_>,
    allowance: &mut Allowance<'_>,
    notes: &mut NoteList,
) -> Result<Vec<FigureClip>, GltfError> {
    let animations = &source.document.animations;
    let wanted: Vec<Option<&str>> = animations.iter().map(|a| a.name.as_deref()).collect();
    let names = names::unique(&wanted, "animation", &[]);
    names::note_renamed(NoteKind::RenamedClip, "animations", &wanted, &names, notes);
    let mut clips = Vec::with_capacity(animations.len());
    for (index, (animation, name)) in animations.iter().zip(names).enumerate() {
        let mut clip = FigureClip { name, tracks: BTreeMap::new(), morphs: BTreeMap::new() };
        for k in 0..animation.channels.len() {
            read_channel(source, index, k, &mut clip, allowance, notes)?;
        }
        clips.push(clip);
    }
    Ok(clips)
}

/// Adds the track of a channel to the tracks of its bone, or to the weights of its mesh.
fn read_channel(
    source: &GltfSource<'_>,
    index: usize,
    k: usize,
    clip: &mut FigureClip,
    allowance: &mut Allowance<'_>,
    notes: &mut NoteList,
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
        (TargetPath::Weights, Some(node)) if morph::target_count(document, node.0)? == 0 => {
            Err("morph targets, which its node does not have")
        }
        (TargetPath::Pointer, _) => Err("a property by its JSON pointer"),
        (_, None) => Err("no node"),
        (_, Some(node)) => Ok(node.0),
    };
    let node = match node {
        Ok(node) => node,
        Err(what) => {
            notes.add(NoteKind::Channel, || format!("{place} is ignored: it moves {what}"));
            return Ok(());
        }
    };
    allowance.count_memory(place, 1, size_of::<BoneTracks>())?;
    let place = format_args!("animations[{index}].samplers[{}]", sampler.0);
    let targets = morph::target_count(document, node)?;
    let path = channel.target.path;
    let keys = SamplerKeys::open(source, place, described, path, targets, allowance)?;
    if channel.target.path == TargetPath::Weights {
        let track = keys.weights(targets)?;
        let is_new = clip.morphs.insert(node, track).is_none();
        return only_one(is_new, index, k, node);
    }
    let tracks = clip.tracks.entry(node).or_default();
    let is_new = match channel.target.path {
        TargetPath::Translation => tracks.place.replace(keys.vectors()?).is_none(),
        TargetPath::Scale => tracks.scale.replace(keys.vectors()?).is_none(),
        _ => tracks.rotation.replace(keys.rotations()?).is_none(),
    };
    only_one(is_new, index, k, node)
}

/// Rejects a second channel of an animation for the same property of a node.
fn only_one(is_new: bool, index: usize, k: usize, node: usize) -> Result<(), GltfError> {
    let message = format_args!("another channel animates the same property of nodes[{node}]");
    GltfError::unless(is_new, format_args!("animations[{index}].channels[{k}].target"), message)
}

/// Keys of a sampler, with checked counts.
#[derive(Clone, Copy)]
struct SamplerKeys<'a> {
    place: FilePosition<'a>,
    interpolation: KeyInterpolation,
    times: Accessor<'a>,
    values: Accessor<'a>,
}

impl<'a> SamplerKeys<'a> {
    /// Opens the keys of the property that a channel animates. `targets` is the number of morph
    /// targets.
    fn open(
        source: &'a GltfSource<'_>,
        place: FilePosition<'a>,
        sampler: &Sampler,
        path: TargetPath,
        targets: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<Self, GltfError> {
        let input = format_args!("{place}.input");
        let times = source.accessor(input, sampler.input, ElementType::Scalar, allowance)?;
        let count = times.count();
        allowance.count_keys(input, count as u64)?;
        // Each key has one weight per morph target.
        let each = if path == TargetPath::Weights { targets } else { 1 };
        allowance.count_memory(input, count as u64 * each as u64, size_of::<Key<4>>())?;
        let shape = match path {
            TargetPath::Rotation => ElementType::Vec4,
            TargetPath::Weights => ElementType::Scalar,
            _ => ElementType::Vec3,
        };
        let output = format_args!("{place}.output");
        let values = source.accessor(output, sampler.output, shape, allowance)?;
        let interpolation = sampler.interpolation;
        let [plain, spline] = match path {
            TargetPath::Weights => {
                ["one for each key and target", "two tangents and a value for each key and target"]
            }
            _ => ["one for each key", "two tangents and a value for each key"],
        };
        if interpolation == KeyInterpolation::CubicSpline {
            values.expect_count(output, 3 * each * count, spline)?;
        } else {
            values.expect_count(output, each * count, plain)?;
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
                let message = format_args!(
                    "key {k} is at {time} s, but must be later than the previous key, at {before} s"
                );
                return Err(GltfError::new(place, message));
            }
            times.push(time);
        }
        Ok(times)
    }

    /// Returns the keys in the form that tracks use.
    fn read<const D: usize>(&self, linear: track::Interpolation) -> Result<Vec<Key<D>>, GltfError> {
        self.read_every(linear, [0, 1])
    }

    /// Returns a track of the value `which`, where each key has `each` values.
    fn read_every<const D: usize>(
        &self,
        linear: track::Interpolation,
        [which, each]: [usize; 2],
    ) -> Result<Vec<Key<D>>, GltfError> {
        let place = format_args!("{}.output", self.place);
        let value = |k: usize| self.values.finite(place, k * each + which);
        let key = |(k, time): (usize, f64)| {
            Ok(match self.interpolation {
                KeyInterpolation::Linear => Key::new(time, value(k)?).to_next(linear),
                KeyInterpolation::Step => {
                    Key::new(time, value(k)?).to_next(track::Interpolation::Step)
                }
                KeyInterpolation::CubicSpline => {
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

    /// Tracks of the weights of morph targets.
    fn weights(&self, targets: usize) -> Result<MorphTrack, GltfError> {
        let track = |target: usize| {
            let keys = self.read_every(track::Interpolation::Linear, [target, targets])?;
            let track = KeyTrack::new(keys);
            Ok(Animated::moving(track.map_err(|error| GltfError::new(self.place, error))?))
        };
        Ok(MorphTrack::new((0..targets).map(track).collect::<Result<_, GltfError>>()?))
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

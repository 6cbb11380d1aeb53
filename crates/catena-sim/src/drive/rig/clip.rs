//! Clips: tracks for the position, rotation and scale of some bones.

use super::morph::MorphTrack;
use super::rotation_track::RotationTrack;
use super::skeleton::Skeleton;
use super::transform::{MovingTransform, Transform};
use crate::drive::track::{Animated, Extent, Track};
use crate::named::BadSetup;
use glam::DVec3;
use std::collections::BTreeMap;

/// Tracks of one bone, relative to its parent. Properties without a track keep the value of the
/// layers below.
#[derive(Clone, Debug, Default)]
pub struct BoneTracks {
    /// Position relative to the parent.
    pub place: Option<Animated<3>>,
    /// Rotation relative to the parent.
    pub rotation: Option<RotationTrack>,
    /// Scale along each axis.
    pub scale: Option<Animated<3>>,
}
crate::identity!(BoneTracks { place, rotation, scale });

impl BoneTracks {
    /// Returns the time range in which any track changes.
    pub fn extent(&self) -> Extent {
        let vector =
            |track: &Option<Animated<3>>| track.as_ref().map_or(Extent::Still, Track::extent);
        let rotation = self.rotation.as_ref().map_or(Extent::Still, RotationTrack::extent);
        vector(&self.place).with(rotation).with(vector(&self.scale))
    }

    /// Whether the tracks keep the bone in the plane z = 0 of its parent.
    pub fn is_planar(&self) -> bool {
        self.place.as_ref().is_none_or(|place| place.vanishes(2))
            && self.rotation.as_ref().is_none_or(RotationTrack::is_about_z)
    }
}

/// Tracks for the bones of one skeleton.
#[derive(Clone, Debug)]
pub struct Clip {
    bones: Vec<Option<BoneTracks>>,
    /// Weights of the morph targets of meshes, by the bone that is the mesh node.
    morphs: BTreeMap<usize, MorphTrack>,
}

impl Clip {
    /// Creates a clip for bones given by name.
    ///
    /// # Errors
    /// Returns an error if the skeleton has no bone of a name, or a bone occurs twice.
    pub fn new(
        skeleton: &Skeleton,
        tracks: impl IntoIterator<Item = (impl AsRef<str>, BoneTracks)>,
    ) -> Result<Self, BadSetup> {
        let mut numbered = Vec::new();
        for (name, tracks) in tracks {
            numbered.push((skeleton.bone(name.as_ref())?, tracks));
        }
        Self::of_bones(skeleton, numbered)
    }

    /// Creates a clip for bones given by index.
    ///
    /// # Errors
    /// Returns an error if the skeleton has no bone of an index, or a bone occurs twice.
    pub fn of_bones(
        skeleton: &Skeleton,
        tracks: impl IntoIterator<Item = (usize, BoneTracks)>,
    ) -> Result<Self, BadSetup> {
        let mut bones = vec![None; skeleton.len()];
        for (bone, tracks) in tracks {
            let Some((place, name)) = bones.get_mut(bone).zip(skeleton.names().get(bone)) else {
                let count = skeleton.len();
                let message = format!("there is no bone {bone}; number of bones: {count}");
                return Err(BadSetup::new("tracks", message));
            };
            if place.replace(tracks).is_some() {
                let message = format!("bone “{name}” already has tracks");
                return Err(BadSetup::new("tracks", message));
            }
        }
        Ok(Self { bones, morphs: BTreeMap::new() })
    }

    /// Adds the weights of morph targets, by the bone that is the mesh node.
    #[must_use]
    pub fn with_morphs(self, morphs: BTreeMap<usize, MorphTrack>) -> Self {
        Self { morphs, ..self }
    }

    /// Returns the weights of the morph targets of a bone's mesh; `None` if it does not move them.
    pub fn morphs(&self, bone: usize) -> Option<&MorphTrack> {
        self.morphs.get(&bone)
    }

    /// Returns the number of bones in the clip's skeleton.
    pub fn bones(&self) -> usize {
        self.bones.len()
    }

    /// Returns the tracks of a bone; `None` if it has none.
    pub fn tracks(&self, bone: usize) -> Option<&BoneTracks> {
        self.bones.get(bone)?.as_ref()
    }

    /// Returns the clip for a skeleton with one more bone, which has no tracks.
    pub fn extended(&self) -> Self {
        let mut bones = self.bones.clone();
        bones.push(None);
        Self { bones, morphs: self.morphs.clone() }
    }

    /// Whether both clips move the same property of a bone.
    pub fn shares(&self, other: &Self) -> bool {
        let both = |(a, b): (&Option<BoneTracks>, &Option<BoneTracks>)| {
            let (Some(a), Some(b)) = (a, b) else { return false };
            a.place.is_some() && b.place.is_some()
                || a.rotation.is_some() && b.rotation.is_some()
                || a.scale.is_some() && b.scale.is_some()
        };
        self.bones.iter().zip(&other.bones).any(both)
            || self.morphs.keys().any(|bone| other.morphs.contains_key(bone))
    }

    /// Returns the time range in which any track changes.
    pub fn extent(&self) -> Extent {
        let morphs = Extent::of_all(self.morphs.values().map(MorphTrack::extent));
        Extent::of_all(self.bones.iter().flatten().map(BoneTracks::extent)).with(morphs)
    }

    /// Returns the transform of a bone at a time with this clip alone. Properties without a track
    /// have the value of `bind`.
    pub fn transform(&self, bone: usize, bind: Transform, t: f64) -> MovingTransform {
        let mut transform = MovingTransform::resting(bind);
        let Some(tracks) = self.tracks(bone) else { return transform };
        if let Some(track) = &tracks.place {
            (transform.place, transform.velocity) = vector(track, t);
        }
        if let Some(track) = &tracks.rotation {
            transform.rotation = track.at(t);
        }
        if let Some(track) = &tracks.scale {
            (transform.scale, transform.stretching) = vector(track, t);
        }
        transform
    }
}

/// Returns the value and the rate of a track with three components.
pub(super) fn vector(track: &Animated<3>, t: f64) -> (DVec3, DVec3) {
    let (value, rate) = track.at(t);
    (DVec3::from_array(value), DVec3::from_array(rate))
}

//! Clips: tracks of places, rotations and scales of some bones.

use super::rotation_track::RotationTrack;
use super::skeleton::Skeleton;
use super::transform::{MovingTransform, Transform};
use crate::drive::track::{Animated, Extent, Track};
use crate::named::BadSetup;
use glam::DVec3;

/// What moves one bone beside its parent; what has no track stays as layers below have it.
#[derive(Clone, Debug, Default)]
pub struct BoneTracks {
    /// Its place.
    pub place: Option<Animated<3>>,
    /// Its rotation.
    pub rotation: Option<RotationTrack>,
    /// Its scale.
    pub scale: Option<Animated<3>>,
}

impl BoneTracks {
    /// When something of the bone changes.
    pub fn extent(&self) -> Extent {
        let vector =
            |track: &Option<Animated<3>>| track.as_ref().map_or(Extent::Still, Track::extent);
        let rotation = self.rotation.as_ref().map_or(Extent::Still, RotationTrack::extent);
        vector(&self.place).with(rotation).with(vector(&self.scale))
    }

    /// Whether all that they are written with keeps the bone in the plane z = 0 of its parent.
    pub fn is_planar(&self) -> bool {
        self.place.as_ref().is_none_or(|place| place.vanishes(2))
            && self.rotation.as_ref().is_none_or(RotationTrack::is_about_z)
    }
}

/// Tracks of bones of one skeleton.
#[derive(Clone, Debug)]
pub struct Clip {
    bones: Vec<Option<BoneTracks>>,
}

impl Clip {
    /// A clip of named bones of a skeleton.
    ///
    /// # Errors
    /// Where there is no bone of a name, or a bone has tracks already.
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

    /// A clip of bones of a skeleton, given by their numbers.
    ///
    /// # Errors
    /// Where there is no bone of a number, or a bone has tracks already.
    pub fn of_bones(
        skeleton: &Skeleton,
        tracks: impl IntoIterator<Item = (usize, BoneTracks)>,
    ) -> Result<Self, BadSetup> {
        let mut bones = vec![None; skeleton.len()];
        for (bone, tracks) in tracks {
            let Some((place, name)) = bones.get_mut(bone).zip(skeleton.names().get(bone)) else {
                let count = skeleton.len();
                let message = format!("there is no bone {bone}: the skeleton has {count}");
                return Err(BadSetup::new("tracks", message));
            };
            if place.replace(tracks).is_some() {
                let message = format!("bone “{name}” has tracks already");
                return Err(BadSetup::new("tracks", message));
            }
        }
        Ok(Self { bones })
    }

    /// How many bones the skeleton has that it was made for.
    pub fn bones(&self) -> usize {
        self.bones.len()
    }

    /// The tracks of a bone.
    pub fn tracks(&self, bone: usize) -> Option<&BoneTracks> {
        self.bones.get(bone)?.as_ref()
    }

    /// The same clip for a skeleton of a bone more, which it does not move.
    pub fn extended(&self) -> Self {
        let mut bones = self.bones.clone();
        bones.push(None);
        Self { bones }
    }

    /// Whether both move the place, the rotation or the scale of one bone.
    pub fn shares(&self, other: &Self) -> bool {
        let both = |(a, b): (&Option<BoneTracks>, &Option<BoneTracks>)| {
            let (Some(a), Some(b)) = (a, b) else { return false };
            a.place.is_some() && b.place.is_some()
                || a.rotation.is_some() && b.rotation.is_some()
                || a.scale.is_some() && b.scale.is_some()
        };
        self.bones.iter().zip(&other.bones).any(both)
    }

    /// When something changes.
    pub fn extent(&self) -> Extent {
        Extent::of_all(self.bones.iter().flatten().map(BoneTracks::extent))
    }

    /// How a bone lies at a time by this clip alone, with what has no track as in the bind pose.
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

/// Value and rate of a track of three components.
pub(super) fn vector(track: &Animated<3>, t: f64) -> (DVec3, DVec3) {
    let (value, rate) = track.at(t);
    (DVec3::from_array(value), DVec3::from_array(rate))
}

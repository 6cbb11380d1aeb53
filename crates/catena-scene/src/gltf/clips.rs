//! Clips of a figure: the tracks of each animation, and all animations together.

use super::error::GltfError;
use super::limits::Allowance;
use super::notes::{About, Notes};
use super::source::Source;
use super::{channel, names};
use catena_sim::drive::rig::{BoneTracks, Clip, Skeleton};
use catena_sim::named::BadSetup;
use std::collections::BTreeMap;

/// Animation of a figure.
#[derive(Clone, Debug)]
pub struct FigureClip {
    /// Name, unique among the clips of the figure.
    pub name: String,
    tracks: BTreeMap<usize, BoneTracks>,
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
        Clip::of_bones(skeleton, self.tracks.iter().map(|(bone, tracks)| (*bone, tracks.clone())))
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
    let mut conflicts = Vec::new();
    for (index, clip) in clips.iter().enumerate() {
        for (&bone, tracks) in &clip.tracks {
            let (all, owners) = bones.entry(bone).or_default();
            let BoneTracks { place, rotation, scale } = tracks;
            let [a, b, c] = owners;
            let first = [
                take_over(&mut all.place, place, (a, index)),
                take_over(&mut all.rotation, rotation, (b, index)),
                take_over(&mut all.scale, scale, (c, index)),
            ];
            let all = first.into_iter().zip([Moved::Place, Moved::Rotation, Moved::Scale]);
            conflicts.extend(all.filter_map(|(first, moved)| {
                first.map(|first| Conflict { clips: [first, index], bone, moved })
            }));
        }
    }
    let tracks = bones.into_iter().map(|(bone, (tracks, _))| (bone, tracks));
    Ok((Clip::of_bones(skeleton, tracks)?, conflicts))
}

/// Stores a track in an empty slot, or returns the owner of the track that is already there.
fn take_over<T: Clone>(
    place: &mut Option<T>,
    track: &Option<T>,
    (owner, index): (&mut usize, usize),
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
pub(super) fn read(
    source: &Source<'_>,
    allowance: &mut Allowance<'_>,
    notes: &mut Notes,
) -> Result<Vec<FigureClip>, GltfError> {
    let animations = &source.document.animations;
    let wanted: Vec<Option<&str>> = animations.iter().map(|a| a.name.as_deref()).collect();
    let names = names::unique(&wanted, "animation", &[]);
    names::note_renamed((About::RenamedClip, "animations"), &wanted, &names, notes);
    let mut clips = Vec::with_capacity(animations.len());
    for (index, (animation, name)) in animations.iter().zip(names).enumerate() {
        let mut tracks = BTreeMap::new();
        for k in 0..animation.channels.len() {
            channel::read(source, (index, k), &mut tracks, allowance, notes)?;
        }
        clips.push(FigureClip { name, tracks });
    }
    Ok(clips)
}

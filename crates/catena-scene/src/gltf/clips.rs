//! Clips: what each animation of a file moves, one by one and all together.

use super::error::GltfError;
use super::limits::Allowance;
use super::notes::{About, Notes};
use super::source::Source;
use super::{channel, names};
use catena_sim::drive::rig::{BoneTracks, Clip, Skeleton};
use catena_sim::named::BadSetup;
use std::collections::BTreeMap;

/// An animation of a file.
#[derive(Clone, Debug)]
pub struct FigureClip {
    /// Its name, which no other clip of the figure has.
    pub name: String,
    tracks: BTreeMap<usize, BoneTracks>,
}

/// What a channel moves of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Its place.
    Place,
    /// Its rotation.
    Rotation,
    /// Its scale.
    Scale,
}

/// Two clips that move the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The numbers of both, in the order of the file. The first one's motion counts.
    pub clips: [usize; 2],
    /// The number of the bone.
    pub bone: usize,
    /// What both move of it.
    pub moved: Moved,
}

impl FigureClip {
    /// The clip for layers of an animation; `skeleton` is that of the figure.
    ///
    /// # Errors
    /// Where the skeleton has fewer bones.
    pub fn clip(&self, skeleton: &Skeleton) -> Result<Clip, BadSetup> {
        Clip::of_bones(skeleton, self.tracks.iter().map(|(bone, tracks)| (*bone, tracks.clone())))
    }

    /// The bones that it moves, in order of their numbers.
    pub fn bones(&self) -> impl Iterator<Item = usize> {
        self.tracks.keys().copied()
    }
}

/// All clips played at once, as files of exporters that write an animation a channel mean it. Where
/// two move the same of a bone the first counts, and the conflict is listed: such clips are most
/// often motions of their own, which should be played by name.
///
/// # Errors
/// As [`FigureClip::clip`].
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

/// Fills an empty place, or says whose track is there.
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

/// The clips of all animations.
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

//! Checks of rigs and skins: rotations, layers, bone velocities, skinning, moving pins and moving
//! colliders.

mod bones;
mod ropes;
mod rotations;
mod runs;
mod skins;

use super::Check;
use super::check::CheckList;
use catena_sim::BadSetup;
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BonePin, BoneTracks, Clip, Layer, RotationTrack, Skeleton, Transform,
};
use catena_sim::drive::track::{Animated, KeyTrack};
use catena_sim::glam::{DQuat, DVec3};
use std::sync::Arc;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("rigs and skins");
    rotations::add(&mut list);
    bones::add(&mut list);
    skins::add(&mut list);
    ropes::add(&mut list);
    runs::add(&mut list);
    list.done()
}

/// Rotation about an axis, in radians.
fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Skeleton of one bone without a parent.
fn single() -> Result<Arc<Skeleton>, BadSetup> {
    Skeleton::new(vec![Bone::root("bone", Transform::IDENTITY)]).map(Arc::new)
}

/// Bone that rotates about an axis at a constant rate.
fn turning(axis: DVec3, angle: f64, rate: f64) -> Result<BoneTracks, BadSetup> {
    let angle = |t: f64| (t, [angle + rate * t]);
    let track = KeyTrack::linear(&[angle(-100.0), angle(100.0)])?;
    let rotation = Some(RotationTrack::about(axis, Animated::moving(track))?);
    Ok(BoneTracks { rotation, ..BoneTracks::default() })
}

/// Pin at an offset from a bone of an animated skeleton.
fn pin(
    bones: Vec<Bone>,
    tracks: Vec<(&str, BoneTracks)>,
    bone: &str,
    offset: DVec3,
) -> Result<BonePin, BadSetup> {
    let skeleton = Arc::new(Skeleton::new(bones)?);
    let clip = Arc::new(Clip::new(&skeleton, tracks)?);
    let animation = Animation::new(skeleton, vec![Layer::new(clip, Blend::Mix)])?;
    BonePin::new(Arc::new(animation), bone, offset)
}

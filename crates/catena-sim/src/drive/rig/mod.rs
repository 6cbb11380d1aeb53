//! Rigs: skeletons, clips that move their bones, and layers of clips.
//!
//! Tracks give the [`MovingTransform`] of each bone relative to its parent. An [`Animation`] blends
//! them layer by layer. The resulting [`Pose`] holds position, rotation and both velocities of each
//! bone in the scene. All derivatives are exact. A [`BonePin`] therefore provides position and
//! velocity like any other curve, and a [`BoneFrame`] carries colliders.

mod animation;
mod blend;
mod chain;
mod clip;
mod frame;
mod layer;
mod morph;
mod pin;
mod pose;
mod rotation;
mod rotation_track;
mod skeleton;
mod transform;
mod weight;

pub use animation::Animation;
pub use clip::{BoneTracks, Clip};
pub use frame::BoneFrame;
pub use layer::{Blend, Layer, Reference};
pub use morph::MorphTrack;
pub use pin::BonePin;
pub use pose::{BoneMotion, Pose};
pub use rotation::{MovingRotation, angle_between, nlerp, normalised, slerp};
pub use rotation_track::RotationTrack;
pub use skeleton::{Bone, Skeleton};
pub use transform::{MovingTransform, Transform};
pub use weight::{Fade, Weight};

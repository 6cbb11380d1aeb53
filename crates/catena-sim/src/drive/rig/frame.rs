//! Frame of a bone as a rigid motion, which colliders can follow.

use super::animation::Animation;
use super::chain::Chain;
use super::clip::BoneTracks;
use crate::drive::motion::{Motion, Placement};
use crate::drive::track::{Extent, Track};
use crate::named::{BadOption, BadSetup};
use glam::DVec3;
use std::sync::Arc;

/// Frame of a bone, with exact position, rotation and velocities at every time. Frames with the
/// same `Debug` text have the same motion.
#[derive(Clone, Debug)]
pub struct BoneFrame {
    chain: Chain,
}
crate::identity!(BoneFrame { chain });

impl BoneFrame {
    /// Creates the frame of the bone with this name.
    ///
    /// # Errors
    /// Returns an error if there is no such bone. Frames are rigid, so a scaled bone or ancestor is
    /// also an error.
    pub fn new(animation: Arc<Animation>, bone: &str) -> Result<Self, BadSetup> {
        let skeleton = animation.skeleton();
        if let Some(scaled) = animation.scaled_on_chain_to(skeleton.bone(bone)?) {
            let name = &skeleton.names()[scaled];
            let message = format!(
                "objects attached to bone “{bone}” must be rigid, but bone “{name}” is scaled: \
                 remove the scale from its bind pose and its tracks"
            );
            return Err(BadSetup::new("bone", message));
        }
        Ok(Self { chain: Chain::new(animation, bone)? })
    }
}

impl Animation {
    /// Returns the first bone on the chain from the root to `bone` that has a scale other than 1 at
    /// any time.
    pub fn scaled_on_chain_to(&self, bone: usize) -> Option<usize> {
        self.skeleton().chain(bone).into_iter().find(|bone| is_scaled(self, *bone))
    }
}

/// Whether a bone has a scale other than 1 at any time.
fn is_scaled(animation: &Animation, bone: usize) -> bool {
    let bind = animation.skeleton().bind().get(bone);
    let scales = |tracks: &BoneTracks| tracks.scale.as_ref().is_some_and(|scale| !is_one(scale));
    let mut layers = animation.layers().iter();
    bind.is_some_and(|bind| (bind.scale - DVec3::ONE).abs().max_element() > SINGLE)
        || layers.any(|layer| layer.tracks(bone).is_some_and(scales))
}

/// Number of intervals at which a scale track without known extremes is sampled.
const SAMPLES: u32 = 256;

/// Maximum deviation of a scale from 1 that is ignored, because files have single precision.
const SINGLE: f64 = 1e-6;

/// Whether a scale track is 1 throughout. Exporters write such tracks for bones without scaling.
fn is_one(scale: &impl Track<3>) -> bool {
    let is_near = |value: [f64; 3]| value.iter().all(|value| (value - 1.0).abs() <= SINGLE);
    if let Some(extremes) = scale.extremes() {
        return is_near(extremes.map(|one| one.minimum.value))
            && is_near(extremes.map(|one| one.greatest.value));
    }
    let (from, until) = scale.extent().window().unwrap_or((0.0, 0.0));
    let time = |sample: u32| from + (until - from) * (f64::from(sample) / f64::from(SAMPLES));
    (0..=SAMPLES).all(|sample| is_near(scale.at(time(sample)).0))
}

impl Motion for BoneFrame {
    fn is_of_bone(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, axes: usize) -> Result<(), BadOption> {
        let expected = "a bone that stays in the plane z = 0, since the scene is planar";
        let bad = BadOption { option: "bone", entry: None, expected: expected.into() };
        if axes == 3 || self.chain.keeps_plane() { Ok(()) } else { Err(bad) }
    }

    fn at(&self, t: f64) -> Placement {
        let bone = self.chain.motion(t);
        Placement::new(bone.place(), bone.velocity(), bone.turn, bone.omega)
    }

    fn extent(&self) -> Extent {
        self.chain.extent()
    }
}

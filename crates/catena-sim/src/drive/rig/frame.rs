//! The frame of a bone, as a rigid motion that colliders follow.

use super::animation::Animation;
use super::clip::BoneTracks;
use crate::drive::motion::{Motion, Placement, places};
use crate::drive::track::Track;
use crate::named::{BadOption, BadSetup};
use glam::DVec3;
use std::sync::Arc;

/// The frame of a bone: its place, its rotation and both velocities are exact at every time.
#[derive(Clone, Debug)]
pub struct BoneFrame {
    animation: Arc<Animation>,
    chain: Vec<usize>,
}

impl BoneFrame {
    /// The frame of the bone with this name.
    ///
    /// # Errors
    /// Where there is no such bone, or it or a bone that carries it is scaled: a frame is rigid.
    pub fn new(animation: Arc<Animation>, bone: &str) -> Result<Self, BadSetup> {
        let skeleton = animation.skeleton();
        let chain = skeleton.chain(skeleton.bone(bone)?);
        if let Some(scaled) = chain.iter().find(|bone| is_scaled(&animation, **bone)) {
            let name = &skeleton.names()[*scaled];
            let message = format!(
                "what is fixed to bone “{bone}” has to be rigid, but bone “{name}” is scaled: \
                 take the scale out of its bind pose and its tracks"
            );
            return Err(BadSetup::new("bone", message));
        }
        Ok(Self { animation, chain })
    }
}

/// Whether a bone has a scale other than 1 at any time.
fn is_scaled(animation: &Animation, bone: usize) -> bool {
    let bind = animation.skeleton().bind().get(bone);
    let scales = |tracks: &BoneTracks| tracks.scale.as_ref().is_some_and(|scale| !is_one(scale));
    let mut layers = animation.layers().iter().filter(|layer| layer.moves(bone));
    bind.is_some_and(|bind| (bind.scale - DVec3::ONE).abs().max_element() > SINGLE)
        || layers.any(|layer| layer.clip.tracks(bone).is_some_and(scales))
}

/// Times between the first and the last key of a track of scales at which it is looked at.
const LOOKS: u32 = 256;

/// How far from 1 a scale may be that counts as none: files have single precision.
const SINGLE: f64 = 1e-6;

/// Whether a track of scales is 1 throughout, as exporters write where nothing is scaled.
fn is_one(scale: &impl Track<3>) -> bool {
    let (from, until) = scale.span().unwrap_or((0.0, 0.0));
    let time = |look: u32| from + (until - from) * (f64::from(look) / f64::from(LOOKS));
    let is_near = |value: [f64; 3]| value.iter().all(|value| (value - 1.0).abs() <= SINGLE);
    (0..=LOOKS).all(|look| is_near(scale.at(time(look)).0))
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
        let is_planar = || places(self).iter().all(|(_, placement)| placement.is_planar());
        if axes == 3 || is_planar() { Ok(()) } else { Err(bad) }
    }

    fn at(&self, t: f64) -> Placement {
        let bone = self.animation.motion(&self.chain, t);
        Placement::new((bone.place(), bone.velocity()), (bone.turn, bone.omega))
    }

    fn span(&self) -> Option<(f64, f64)> {
        self.animation.span()
    }
}

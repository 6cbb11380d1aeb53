//! Rigs: an animated skeleton with its skins, and their positions at a time.

mod measure;
mod morph;
mod posed;
mod skin;
mod solid;

pub use measure::SkinMeasures;
pub use morph::{MorphTarget, Morphs, RestShape, normals_around};
pub use posed::{PosedBone, PosedRig, PosedSkin, outward};
pub use skin::{RigSkin, Skinning};
pub use solid::SkinMotion;

use crate::drive::rig::{Animation, Pose, Skeleton};
use crate::glam::DVec3;
use std::sync::Arc;

/// A skeleton with its animation and its skins.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Skeleton and animation layers.
    pub animation: Arc<Animation>,
    /// Skins of the skeleton.
    pub skins: Vec<Arc<RigSkin>>,
    /// Skinning method.
    pub skinning: Skinning,
    /// End of each bone in its own coordinates; `None` for bones without a length.
    pub tips: Vec<Option<DVec3>>,
    /// Whether each bone only carries other bones; see [`Rig::carriers`].
    pub carriers: Vec<bool>,
}

impl Rig {
    /// Returns whether each bone of a skeleton only carries other bones, such as a root on the
    /// ground below a figure. Neither a carrier nor any bone above it moves a skin. Without skins,
    /// no bone is a carrier.
    pub fn carriers(skeleton: &Skeleton, skins: &[Arc<RigSkin>]) -> Vec<bool> {
        let mut carriers = vec![!skins.is_empty(); skeleton.len()];
        for skin in skins {
            let influences = (0..skin.points.len()).flat_map(|v| skin.weights.influences(v));
            for (joint, _) in influences.filter(|(_, weight)| *weight > 0.0) {
                carriers[skin.joints[joint]] = false;
            }
        }
        // Children may precede their parents.
        let parents = skeleton.parents();
        let moves = |bone: usize| std::iter::successors(Some(bone), |it| parents[*it]);
        let alone = |bone: usize| moves(bone).all(|above| carriers[above]);
        (0..skeleton.len()).map(alone).collect()
    }

    /// Computes the pose of the bones at a time, without skins.
    pub fn bones_at(&self, t: f64) -> PosedRig<'_> {
        let mut pose = Pose::default();
        self.animation.pose(t, &mut pose);
        PosedRig { rig: self, pose, skins: Vec::new() }
    }

    /// Computes the pose of the bones and skins at a time.
    pub fn at(&self, t: f64) -> PosedRig<'_> {
        let posed = self.bones_at(t);
        let skins =
            self.skins.iter().filter_map(|skin| self.skin_at(skin, t, &posed.pose)).collect();
        PosedRig { skins, ..posed }
    }

    /// Computes one skin of the rig at a time, with the pose of that time.
    fn skin_at<'a>(&self, skin: &'a RigSkin, t: f64, pose: &Pose) -> Option<PosedSkin<'a>> {
        PosedSkin::new(skin, self.skinning, pose, &skin.rest_at(&self.animation, t))
    }
}

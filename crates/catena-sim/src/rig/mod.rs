//! Rigs: a skeleton that is animated, the skins that it carries, and where both are at a time.

mod measure;
mod posed;
mod skin;

pub use measure::SkinMeasures;
pub use posed::{PosedBone, PosedRig, PosedSkin, outward};
pub use skin::{RigSkin, Skinning};

use crate::drive::rig::{Animation, Pose, Skeleton};
use crate::glam::DVec3;
use std::sync::Arc;

/// A skeleton, what moves it, and what it carries.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The skeleton and the layers that move it.
    pub animation: Arc<Animation>,
    /// What it carries.
    pub skins: Vec<Arc<RigSkin>>,
    /// How bones move skins.
    pub skinning: Skinning,
    /// The end of each bone in its own coordinates, if it is drawn with a length.
    pub tips: Vec<Option<DVec3>>,
    /// Whether each bone only carries others; see [`Rig::carriers`].
    pub carriers: Vec<bool>,
}

impl Rig {
    /// Which bones of a skeleton with these skins only carry others, such as a root on the ground
    /// under a figure: no skin follows them, nor any bone above them. Without skins none does.
    pub fn carriers(skeleton: &Skeleton, skins: &[Arc<RigSkin>]) -> Vec<bool> {
        let mut carriers = vec![!skins.is_empty(); skeleton.len()];
        for skin in skins {
            let influences = (0..skin.points.len()).flat_map(|v| skin.weights.influences(v));
            for (joint, _) in influences.filter(|(_, weight)| *weight > 0.0) {
                carriers[skin.joints[joint]] = false;
            }
        }
        // Parents may come behind their children.
        let parents = skeleton.parents();
        let moves = |bone: usize| std::iter::successors(Some(bone), |it| parents[*it]);
        let alone = |bone: usize| moves(bone).all(|above| carriers[above]);
        (0..skeleton.len()).map(alone).collect()
    }

    /// Where its bones are at a time.
    pub fn bones_at(&self, t: f64) -> PosedRig<'_> {
        let mut pose = Pose::default();
        self.animation.pose(t, &mut pose);
        PosedRig { rig: self, pose, skins: Vec::new() }
    }

    /// Where its bones and skins are at a time.
    pub fn at(&self, t: f64) -> PosedRig<'_> {
        let posed = self.bones_at(t);
        let skin = |skin| PosedSkin::new(skin, self.skinning, &posed.pose);
        let skins = self.skins.iter().map(Arc::as_ref).filter_map(skin).collect();
        PosedRig { skins, ..posed }
    }
}

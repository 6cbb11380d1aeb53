//! Chains of bones from a root to one bone, and the motion of that bone.

use super::animation::Animation;
use super::clip::BoneTracks;
use super::layer::Layer;
use super::pose::BoneMotion;
use crate::drive::track::Extent;
use crate::identity::{Identifier, Identity};
use crate::named::BadSetup;
use std::{fmt, sync::Arc};

/// A bone of an animation and all its ancestors.
#[derive(Clone)]
pub(super) struct Chain {
    animation: Arc<Animation>,
    /// Bone indices from the root to the bone.
    bones: Vec<usize>,
}

impl Chain {
    /// Creates the chain that ends at the bone with this name.
    ///
    /// # Errors
    /// Returns an error if there is no such bone.
    pub(super) fn new(animation: Arc<Animation>, bone: &str) -> Result<Self, BadSetup> {
        let skeleton = animation.skeleton();
        let bones = skeleton.chain(skeleton.bone(bone)?);
        Ok(Self { animation, bones })
    }

    /// Returns the motion of the last bone at a time.
    pub(super) fn motion(&self, t: f64) -> BoneMotion {
        self.animation.motion(&self.bones, t)
    }

    /// Returns the time range in which the animation changes.
    pub(super) fn extent(&self) -> Extent {
        self.animation.extent()
    }

    /// Whether the bind poses and tracks of the chain's bones keep them in the plane z = 0.
    pub(super) fn keeps_plane(&self) -> bool {
        self.bones.iter().all(|bone| self.animation.keeps_plane(*bone))
    }

    /// Iterates over the layers that move some of the chain's bones, with the tracks of these bones
    /// and their positions in the chain.
    fn layers(&self) -> impl Iterator<Item = (&Layer, Vec<(usize, &BoneTracks)>)> {
        let with_tracks = |layer| {
            let bones = self.bones.iter().enumerate();
            let moved = bones.filter_map(|(at, bone)| Some((at, Layer::tracks(layer, *bone)?)));
            (layer, moved.collect::<Vec<_>>())
        };
        self.animation.layers().iter().map(with_tracks).filter(|(_, moved)| !moved.is_empty())
    }
}

/// Identifies everything that the motion depends on, and nothing else: chains of different
/// animations may be the same.
impl Identity for Chain {
    fn identify(&self, to: &mut Identifier<'_>) {
        let Self { animation, bones } = self;
        let bind = animation.skeleton().bind();
        animation.warm_up().identify(to);
        bones.iter().filter_map(|bone| bind.get(*bone)).collect::<Vec<_>>().identify(to);
        for (layer, moved) in self.layers() {
            // `moved` is the part of the clip that the mask allows.
            let Layer { clip: _, playback, blend, weight, mask: _ } = layer;
            (playback, blend, weight, moved).identify(to);
        }
    }
}

/// Shows the skeleton's bones, and the tracks that move them.
impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bind = self.animation.skeleton().bind();
        let mut list = f.debug_list();
        list.entry(&self.animation.warm_up());
        list.entries(self.bones.iter().filter_map(|bone| bind.get(*bone)));
        for (Layer { playback, blend, weight, .. }, moved) in self.layers() {
            list.entry(&(playback, blend, weight, moved));
        }
        list.finish()
    }
}

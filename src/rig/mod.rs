//! Rigs: a skeleton that is animated, the skins that it carries, and where both are at a time.

mod measure;
mod posed;
mod skin;

pub use measure::SkinMeasures;
pub use posed::{PosedBone, PosedRig, PosedSkin};
pub use skin::RigSkin;

use crate::scene::{Color, Pattern, Skinning, Visible};
use crate::sim::drive::rig::{Animation, Pose};
use crate::sim::glam::DVec3;
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
    /// What is drawn.
    pub show: Visible,
    /// The colour of skins in place of their own.
    pub color: Option<Color>,
    /// The pattern on skins that are tubes, and its rings and sides from one line to the next.
    pub pattern: (Pattern, u32),
    /// Thickness of bones that are drawn, as a share of their length.
    pub bone_width: f64,
    /// Its fields as the scene has them, by which bodies share it.
    pub written: String,
    /// The end of each bone in its own coordinates, if it is drawn with a length.
    pub tips: Vec<Option<DVec3>>,
}

impl Rig {
    /// Whether skins are drawn.
    pub fn shows_skin(&self) -> bool {
        matches!(self.show, Visible::Skin | Visible::All)
    }

    /// Whether bones are drawn.
    pub fn shows_bones(&self) -> bool {
        matches!(self.show, Visible::Bones | Visible::All)
    }

    /// All that is drawn of it at a time.
    pub fn at(&self, t: f64) -> PosedRig<'_> {
        let mut pose = Pose::default();
        self.animation.pose(t, &mut pose);
        PosedRig::new(self, pose)
    }
}

//! A point attached to a bone, as a curve that anchors can follow.

use super::animation::Animation;
use super::chain::Chain;
use crate::body::curve::Curve;
use crate::body::curve::places::places_over;
use crate::drive::track::Extent;
use crate::named::{BadOption, BadSetup, Info};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A point of a bone, with exact position and velocity at every time. Pins with the same `Debug`
/// text have the same positions at all times, even in different animations.
#[derive(Clone, Debug)]
pub struct BonePin {
    chain: Chain,
    offset: DVec3,
}
crate::identity!(BonePin { chain, offset });

impl BonePin {
    const INFO: Info = Info { name: "Bone", summary: "point fixed to a bone", options: &[] };

    /// Creates the point with coordinates `offset` in the frame of a bone.
    ///
    /// # Errors
    /// Returns an error if there is no such bone, or if the offset is not finite.
    pub fn new(animation: Arc<Animation>, bone: &str, offset: DVec3) -> Result<Self, BadSetup> {
        BadSetup::unless(offset.is_finite(), "offset", "expected finite numbers")?;
        Ok(Self { chain: Chain::new(animation, bone)?, offset })
    }

    /// Converts a position in the scene at a time to the coordinates of the bone, whose scale must
    /// not be 0.
    pub fn offset_of(&self, place: DVec3, t: f64) -> DVec3 {
        self.chain.motion(t).matrix.inverse().transform_point3(place)
    }
}

impl Curve for BonePin {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        let expected = "a bone in the plane z = 0, since the scene is planar";
        let bad = BadOption { option: "bone", entry: None, expected: expected.into() };
        if axes == 3 || self.offset.z == 0.0 && self.chain.keeps_plane() {
            Ok(())
        } else {
            Err(bad)
        }
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let (place, velocity) = self.chain.motion(t).point(self.offset);
        (place.to_array(), velocity.to_array())
    }

    fn turn(&self, t: f64) -> Option<DQuat> {
        Some(self.chain.motion(t).turn)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        places_over(self.extent(), |t| self.at(t))
    }

    fn extent(&self) -> Extent {
        self.chain.extent()
    }
}

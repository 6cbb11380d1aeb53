//! A point that is fixed to a bone, as a curve that anchors follow.

use super::animation::Animation;
use crate::body::curve::Curve;
use crate::drive::track::{fits_axes, places_over};
use crate::named::{BadOption, BadSetup, Info};
use glam::{DQuat, DVec3};
use std::{fmt, sync::Arc};

/// A point of a bone: its place and its velocity are exact at every time.
#[derive(Clone)]
pub struct BonePin {
    animation: Arc<Animation>,
    chain: Vec<usize>,
    offset: DVec3,
}

impl BonePin {
    const INFO: Info =
        Info { name: "Bone", summary: "a point that is fixed to a bone", options: &[] };

    /// The point with these coordinates of a bone.
    ///
    /// # Errors
    /// Where there is no such bone, or the offset is not finite.
    pub fn new(animation: Arc<Animation>, bone: &str, offset: DVec3) -> Result<Self, BadSetup> {
        BadSetup::unless(offset.is_finite(), "offset", "expected finite numbers")?;
        let skeleton = animation.skeleton();
        let chain = skeleton.chain(skeleton.bone(bone)?);
        Ok(Self { animation, chain, offset })
    }

    /// The coordinates that a place of the scene has at a time in those of the bone, whose scale is
    /// not 0.
    pub fn offset_of(&self, place: DVec3, t: f64) -> DVec3 {
        self.animation.motion(&self.chain, t).matrix.inverse().transform_point3(place)
    }
}

/// Two pins that are at the same places look alike, whatever else their animations do.
impl fmt::Debug for BonePin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BonePin")
            .field("offset", &self.offset)
            .field("places", &self.places())
            .finish()
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
        if fits_axes(axes, &self.places()) { Ok(()) } else { Err(bad) }
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let (place, velocity) = self.animation.motion(&self.chain, t).point(self.offset);
        (place.to_array(), velocity.to_array())
    }

    fn turn(&self, t: f64) -> Option<DQuat> {
        Some(self.animation.motion(&self.chain, t).turn)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        places_over(self.animation.span(), |t| self.at(t))
    }
}

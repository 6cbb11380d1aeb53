//! Conversions between curves of scenes and tracks of animations. Anchors, gravity and wind follow
//! curves.

use super::{Extent, Extremes, Track};
use crate::body::curve::Curve;
use crate::body::curve::places::places_over;
use crate::named::{BadOption, Info};
use std::sync::Arc;

/// The positions of a curve as a track.
#[derive(Clone, Debug)]
pub struct Followed(pub Arc<dyn Curve>);
crate::identity!(Followed(value));

impl Track<3> for Followed {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        self.0.at(t)
    }

    fn extent(&self) -> Extent {
        self.0.extent()
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.0.extremes()
    }

    fn vanishes(&self, component: usize) -> bool {
        component == 2 && self.0.fits(2, 0).is_ok()
    }
}

/// A track of positions as a curve.
#[derive(Clone, Debug)]
pub struct TrackCurve(pub Arc<dyn Track<3>>);
crate::identity!(TrackCurve(value));

impl TrackCurve {
    const INFO: Info =
        Info { name: "Track", summary: "positions from an animation track", options: &[] };
}

impl Curve for TrackCurve {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        let expected = "a track in the plane z = 0, since the scene is planar";
        let bad = BadOption { option: "track", entry: None, expected: expected.into() };
        if axes == 3 || self.0.vanishes(2) { Ok(()) } else { Err(bad) }
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        self.0.at(t)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        places_over(self.extent(), |t| self.0.at(t))
    }

    fn extent(&self) -> Extent {
        self.0.extent()
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.0.extremes()
    }
}

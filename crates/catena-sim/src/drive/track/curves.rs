//! Curves that scenes name as tracks, and tracks as curves that anchors, gravity and wind follow.

use super::Track;
use crate::body::curve::Curve;
use crate::drive::Series;
use crate::named::{BadOption, Info};
use std::sync::Arc;

/// The places of a curve as a track.
#[derive(Clone, Debug)]
pub struct Followed(pub Arc<dyn Curve>);

impl Track<3> for Followed {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        self.0.at(t)
    }

    fn span(&self) -> Option<(f64, f64)> {
        let places = self.0.places();
        Some((places.first()?.0, places.last()?.0))
    }
}

impl Track<1> for Series {
    fn at(&self, t: f64) -> ([f64; 1], [f64; 1]) {
        let behind = self.keys.partition_point(|key| key.0 <= t);
        let before = behind.checked_sub(1).map(|index| self.keys[index]);
        let rate = match (before, self.keys.get(behind)) {
            (Some((t0, from)), Some((t1, to))) => (to - from) / (t1 - t0),
            _ => 0.0,
        };
        ([Self::at(self, t)], [rate])
    }

    fn span(&self) -> Option<(f64, f64)> {
        Some((self.keys.first()?.0, self.keys.last()?.0))
    }
}

/// A track of places as a curve, for what takes curves.
#[derive(Clone, Debug)]
pub struct TrackCurve(pub Arc<dyn Track<3>>);

impl TrackCurve {
    const INFO: Info =
        Info { name: "Track", summary: "places from a track of an animation", options: &[] };

    /// Times between the first and the last at which [`Curve::places`] looks.
    const LOOKS: u32 = 64;
}

impl Curve for TrackCurve {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        let is_planar = |(_, place): &(f64, [f64; 3])| place[2] == 0.0;
        let expected = "a track in the plane z = 0, since the scene is planar";
        let bad = BadOption { option: "track", entry: None, expected };
        if axes == 3 || self.places().iter().all(is_planar) { Ok(()) } else { Err(bad) }
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        self.0.at(t)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        let Some((from, until)) = self.0.span() else { return vec![(0.0, self.0.at(0.0).0)] };
        let time = |look| from + (until - from) * f64::from(look) / f64::from(Self::LOOKS);
        (0..=Self::LOOKS).map(|look| (time(look), self.0.at(time(look)).0)).collect()
    }
}

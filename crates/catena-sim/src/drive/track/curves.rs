//! Curves that scenes name as tracks, and tracks as curves that anchors, gravity and wind follow.

use super::Track;
use crate::body::curve::Curve;
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

/// A track of places as a curve, for what takes curves.
#[derive(Clone, Debug)]
pub struct TrackCurve(pub Arc<dyn Track<3>>);

impl TrackCurve {
    const INFO: Info =
        Info { name: "Track", summary: "places from a track of an animation", options: &[] };
}

/// Times between the first and the last at which [`Curve::places`] of an animation looks.
const LOOKS: u32 = 64;

/// Times and places of a curve over its span, or at time 0 where it has none.
pub(crate) fn places_over(
    span: Option<(f64, f64)>,
    at: impl Fn(f64) -> ([f64; 3], [f64; 3]),
) -> Vec<(f64, [f64; 3])> {
    let Some((from, until)) = span else { return vec![(0.0, at(0.0).0)] };
    let time = |look| from + (until - from) * f64::from(look) / f64::from(LOOKS);
    (0..=LOOKS).map(|look| (time(look), at(time(look)).0)).collect()
}

/// Whether a curve with these places fits a scene with so many axes.
pub(crate) fn fits_axes(axes: usize, places: &[(f64, [f64; 3])]) -> bool {
    axes == 3 || places.iter().all(|(_, place)| place[2] == 0.0)
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
        if fits_axes(axes, &self.places()) { Ok(()) } else { Err(bad) }
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        self.0.at(t)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        places_over(self.0.span(), |t| self.0.at(t))
    }
}

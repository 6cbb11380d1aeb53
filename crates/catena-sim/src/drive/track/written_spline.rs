//! B-splines as written in scenes: points, knots or a time range, and their playback.

use super::{Animated, Playback, Played, Repeat, SplineTrack, Track};
use crate::named::{BadOption, OptionInfo};
use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// Control points, over given or evenly spaced knots, and the playback of the spline.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenSpline<V> {
    /// Degree, 1 to 15.
    #[serde(default = "cubic")]
    pub degree: usize,
    /// Control points; their number must exceed the degree.
    pub points: Vec<V>,
    /// Knots; `None` for even spacing from `start` to `end`.
    #[serde(default, deserialize_with = "written")]
    pub knots: Option<Vec<f64>>,
    /// Start time without knots; `None` for 0.
    #[serde(default, deserialize_with = "written")]
    pub start: Option<f64>,
    /// End time, required without knots.
    #[serde(default, deserialize_with = "written")]
    pub end: Option<f64>,
    /// Whether a spline without knots starts at its first point and ends at its last. Otherwise it
    /// starts and ends near them.
    #[serde(default)]
    pub clamped: bool,
    /// Behaviour after the end.
    #[serde(default)]
    pub repeat: Repeat,
    /// Factor by which the spline is faster than written.
    #[serde(default = "one")]
    pub speed: f64,
    /// Time by which the spline is delayed.
    #[serde(default)]
    pub offset: f64,
}
crate::identity!([V: crate::identity::Identity] WrittenSpline[V] {
    degree, points, knots, start, end, clamped, repeat, speed, offset,
});

/// Reads a field that is present. The input does not wrap it in `Some`.
pub(super) fn written<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn cubic() -> usize {
    3
}

fn one() -> f64 {
    1.0
}

pub(crate) const SPLINE_END: OptionInfo = OptionInfo {
    name: "end",
    summary: "end time of the curve; cannot be combined with `knots`",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number above `start`",
    unit: "time",
    ..OptionInfo::PLAIN
};

impl<V> WrittenSpline<V> {
    /// Creates a cubic spline over evenly spaced knots that plays once.
    pub fn cubic(start: f64, end: f64, points: Vec<V>) -> Self {
        Self {
            degree: cubic(),
            points,
            knots: None,
            start: Some(start),
            end: Some(end),
            clamped: false,
            repeat: Repeat::Once,
            speed: one(),
            offset: 0.0,
        }
    }

    /// Whether the spline has the degree and knots of [`WrittenSpline::cubic`].
    pub(crate) fn is_uniform_cubic(&self) -> bool {
        self.degree == cubic() && self.knots.is_none() && !self.clamped
    }

    /// Returns the start and the end of a spline without knots.
    ///
    /// # Errors
    /// Returns an error if the end is missing, not finite, or not after the start.
    pub(crate) fn written_span(&self) -> Result<(f64, f64), BadOption> {
        let expected = "`end`, the end time of the curve, or `knots`";
        BadOption::unless(self.end.is_some(), "points", expected)?;
        let (start, end) = (self.start.unwrap_or(0.0), self.end.unwrap_or(f64::NAN));
        BadOption::unless(start.is_finite(), "start", "a finite number")?;
        SPLINE_END.check(end.is_finite() && end > start)?;
        Ok((start, end))
    }

    /// Creates the spline of points with D components, without playback.
    ///
    /// # Errors
    /// Returns the errors of [`SplineTrack::new`], and an error if both or neither of knots and
    /// time range are given.
    pub fn spline<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<SplineTrack<D>, BadOption> {
        let points = || self.points.iter().map(value).collect();
        if let Some(knots) = &self.knots {
            let is_alone = self.start.is_none() && self.end.is_none() && !self.clamped;
            BadOption::unless(is_alone, "knots", "`knots` without `start`, `end` and `clamped`")?;
            return SplineTrack::new(self.degree, knots.clone(), points());
        }
        let span = self.written_span()?;
        match self.clamped {
            true => SplineTrack::clamped(self.degree, span.0, span.1, points()),
            false => SplineTrack::uniform(self.degree, span, points()),
        }
    }

    /// Returns the playback of a spline with this time range; `None` to play it as written.
    ///
    /// # Errors
    /// Returns an error if a number is not finite.
    pub fn playback(&self, span: Option<(f64, f64)>) -> Result<Option<Playback>, BadOption> {
        let part = span.unwrap_or_default();
        Playback::of_whole(part, self.offset, self.speed, self.repeat)
    }

    /// Applies the playback to a track of this spline.
    ///
    /// # Errors
    /// Returns the errors of [`WrittenSpline::playback`].
    pub fn play<const D: usize>(
        &self,
        track: impl Track<D> + 'static,
    ) -> Result<Animated<D>, BadOption> {
        Ok(match self.playback(track.extent().window())? {
            None => Animated::moving(track),
            Some(playback) => Animated::moving(Played { track: Arc::new(track), playback }),
        })
    }
}

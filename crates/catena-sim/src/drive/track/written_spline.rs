//! B-splines as scenes write them: their points, knots or a span of time, and how they are played.

use super::{Animated, Playback, Played, Repeat, SplineTrack, Track};
use crate::named::{BadOption, OptionInfo};
use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// Control points, over knots or over even pieces of time, and how the spline is played.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenSpline<V> {
    /// Its degree, from 1 to 15.
    #[serde(default = "cubic")]
    pub degree: usize,
    /// Its control points, more than the degree.
    pub points: Vec<V>,
    /// Its knots; `None` leaves them to `start` and `end`.
    #[serde(default, deserialize_with = "written")]
    pub knots: Option<Vec<f64>>,
    /// When it begins, where no knots are written; `None` is 0.
    #[serde(default, deserialize_with = "written")]
    pub start: Option<f64>,
    /// When it ends, where no knots are written.
    #[serde(default, deserialize_with = "written")]
    pub end: Option<f64>,
    /// Whether it begins at its first point and ends at its last, where no knots are written;
    /// otherwise it begins and ends near them.
    #[serde(default)]
    pub clamped: bool,
    /// What happens after its end.
    #[serde(default)]
    pub repeat: Repeat,
    /// How many times as fast it goes.
    #[serde(default = "one")]
    pub speed: f64,
    /// How much later it begins.
    #[serde(default)]
    pub offset: f64,
}

/// Reads a value that is there, with `Some` around it in no dialect of a text.
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
    summary: "when the curve ends; not beside `knots`",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number above `start`",
    unit: "time",
    ..OptionInfo::PLAIN
};

impl<V> WrittenSpline<V> {
    /// A cubic over even pieces of time, played once.
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

    /// Whether it is the cubic over even pieces of time that [`WrittenSpline::cubic`] makes.
    pub(crate) fn is_uniform_cubic(&self) -> bool {
        self.degree == cubic() && self.knots.is_none() && !self.clamped
    }

    /// When it begins and ends, where no knots are written.
    ///
    /// # Errors
    /// Where the end is left out, not finite, or not after the beginning.
    pub(crate) fn written_span(&self) -> Result<(f64, f64), BadOption> {
        let expected = "`end` beside them, the time at which the curve ends, or `knots`";
        BadOption::unless(self.end.is_some(), "points", expected)?;
        let (start, end) = (self.start.unwrap_or(0.0), self.end.unwrap_or(f64::NAN));
        BadOption::unless(start.is_finite(), "start", "a finite number")?;
        SPLINE_END.check(end.is_finite() && end > start)?;
        Ok((start, end))
    }

    /// The spline of its points as D components, as it is written.
    ///
    /// # Errors
    /// As [`SplineTrack::new`]; where both knots and a span are written, or neither.
    pub fn spline<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<SplineTrack<D>, BadOption> {
        let points = || self.points.iter().map(value).collect();
        if let Some(knots) = &self.knots {
            let is_alone = self.start.is_none() && self.end.is_none() && !self.clamped;
            BadOption::unless(is_alone, "knots", "no `start`, `end` and `clamped` beside them")?;
            return SplineTrack::new(self.degree, knots.clone(), points());
        }
        let span = self.written_span()?;
        match self.clamped {
            true => SplineTrack::clamped(self.degree, span.0, span.1, points()),
            false => SplineTrack::uniform(self.degree, span, points()),
        }
    }

    /// How a spline of this span is played; `None` where it is played as it is written.
    ///
    /// # Errors
    /// Where a number is not finite.
    pub fn playback(&self, span: Option<(f64, f64)>) -> Result<Option<Playback>, BadOption> {
        let part = span.unwrap_or_default();
        Playback::of_whole(part, self.offset, self.speed, self.repeat)
    }

    /// A track of the spline, played as it is written.
    ///
    /// # Errors
    /// As [`WrittenSpline::playback`].
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

//! B-splines of any degree, over knots or over equal intervals of time. A B-spline does not pass
//! through its control points, but stays within their convex hull.
//!
//! The uniform cubic spline is the default if neither degree nor knots are given, and has its own
//! formulas. m points make m - 3 pieces of equal duration between `start` and `end`. With the
//! points from index i on, piece i is ((1-s)³ p₀ + (3s³ - 6s² + 4) p₁ + (1 + 3s + 3s² - 3s³) p₂ +
//! s³ p₃)/6. The curve starts at (p₀ + 4p₁ + p₂)/6, and its acceleration is continuous.
//! `drive/track/spline.rs` evaluates all other B-splines. Curves rest before their start and after
//! their end. Sources: Schoenberg 1946; de Boor, "A Practical Guide to Splines".

use super::keyed::{OFFSET, REPEAT, SPEED};
use super::keys::Pieces;
use super::places::places_over;
use super::{Curve, keys};
use crate::body::curve::spans::{PlaceAndRate, blend};
use crate::drive::track::{
    Animated, Extent, Extremes, Playback, SPLINE_END, SplineTrack, Track, WrittenSpline,
};
use crate::named::{BadOption, Components, Info, OptionInfo, OptionKind};
use serde::Deserialize;

/// B-spline with its control points. [`Curve::check`] validates the options; an invalid curve stays
/// at 0.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "WrittenSpline<Components>")]
pub struct BSpline {
    written: WrittenSpline<Components>,
    built: Result<Built, BadOption>,
}
crate::identity!(BSpline { written; built });

/// A valid curve, ready for evaluation.
#[derive(Clone, Debug)]
struct Built {
    track: Animated<3>,
    /// Playback of the curve; `None` plays it as written.
    playback: Option<Playback>,
    /// Start and end times as written.
    span: (f64, f64),
}

impl Built {
    fn new(
        written: &WrittenSpline<Components>,
        track: impl Track<3> + 'static,
    ) -> Result<Self, BadOption> {
        let span = track.extent().window();
        let playback = written.playback(span)?;
        Ok(Self { track: written.play(track)?, playback, span: span.unwrap_or_default() })
    }
}

impl From<WrittenSpline<Components>> for BSpline {
    fn from(written: WrittenSpline<Components>) -> Self {
        let built = match written.is_uniform_cubic() {
            true => UniformCubic::new(&written).and_then(|cubic| Built::new(&written, cubic)),
            false => {
                let spline = written.spline(Components::xyz);
                spline.and_then(|spline| Built::new(&written, spline))
            }
        };
        Self { written, built }
    }
}

const DEGREE: OptionInfo = OptionInfo {
    name: "degree",
    summary: "degree: 1 for straight pieces, 3 for cubic pieces",
    default: "3",
    range: "a whole number from 1 to 15",
    ..OptionInfo::PLAIN
};

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "control points: [(0, 0), (10, 0), (20, 10), (20, 20)]; the curve passes through a point that is repeated as often as the degree",
    default: OptionInfo::NEEDED,
    range: "more points than the degree",
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

const KNOTS: OptionInfo = OptionInfo {
    name: "knots",
    summary: "times at which pieces join, instead of `start` and `end`",
    default: OptionInfo::LEFT_OUT,
    range: "as many numbers as points + degree + 1, in non-decreasing order",
    unit: "time",
    ..OptionInfo::PLAIN
};

const START: OptionInfo = OptionInfo {
    name: "start",
    summary: "start time of the curve",
    default: "0",
    range: "a finite number",
    unit: "time",
    ..OptionInfo::PLAIN
};

const CLAMPED: OptionInfo = OptionInfo {
    name: "clamped",
    summary: "whether the curve starts at the first point and ends at the last, instead of near them",
    default: "false",
    range: "true or false",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

impl BSpline {
    pub(super) const INFO: Info = Info {
        name: "BSpline",
        summary: "B-spline: the smoothest curve, which passes near its control points rather than through them",
        options: &[DEGREE, POINTS, KNOTS, START, SPLINE_END, CLAMPED, REPEAT, SPEED, OFFSET],
    };
}

/// The uniform cubic spline.
#[derive(Clone, Debug)]
struct UniformCubic {
    points: Vec<[f64; 3]>,
    pieces: Pieces,
}
crate::identity!(UniformCubic { points, pieces });

impl UniformCubic {
    fn new(written: &WrittenSpline<Components>) -> Result<Self, BadOption> {
        let (start, end) = written.written_span()?;
        let points: Vec<_> = written.points.iter().map(Components::xyz).collect();
        let expected = "at least 4 points for degree 3; for other degrees, more points than the \
                        degree";
        BadOption::unless(points.len() >= 4, POINTS.name, expected)?;
        let pieces = Pieces { start, end, count: points.len() - 3 };
        Ok(Self { points, pieces })
    }

    /// Position on piece i at 0 <= s <= 1, and its derivative with respect to s.
    fn piece(&self, i: usize, s: f64) -> PlaceAndRate {
        let points = [0, 1, 2, 3].map(|j| self.points[i + j]);
        let r = 1.0 - s;
        let position =
            [r * r * r, 4.0 - 3.0 * s * s * (1.0 + r), 4.0 - 3.0 * r * r * (1.0 + s), s * s * s];
        let velocity = [-r * r, s * (3.0 * s - 4.0), r * (4.0 - 3.0 * r), s * s];
        let position = position.map(|weight| weight / 6.0);
        (blend(position, points), blend(velocity.map(|weight| weight / 2.0), points))
    }
}

impl Track<3> for UniformCubic {
    fn at(&self, t: f64) -> PlaceAndRate {
        self.pieces.at(t, |i, s| self.piece(i, s))
    }

    fn extent(&self) -> Extent {
        Extent::Bounded(self.pieces.start, self.pieces.end)
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        let Pieces { start, end, .. } = self.pieces;
        SplineTrack::uniform(3, (start, end), self.points.clone()).ok()?.extremes()
    }
}

impl Curve for BSpline {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        self.built.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&POINTS, self.written.points.iter().map(|point| [point]), axes)
    }

    /// Control points, spread evenly over the time of the curve. With a playback, samples of the
    /// curve instead.
    fn places(&self) -> Vec<(f64, [f64; 3])> {
        let Ok(Built { track, playback, span: (start, end) }) = &self.built else {
            return Vec::new();
        };
        match playback {
            None => keys::evenly(*start, *end, &self.written.points),
            Some(playback) => places_over(playback.extent(), |t| track.at(t)),
        }
    }

    fn extent(&self) -> Extent {
        self.built.as_ref().map_or(Extent::Still, |built| built.track.extent())
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.built.as_ref().ok()?.track.extremes()
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        self.built.as_ref().map_or_else(|_| PlaceAndRate::default(), |built| built.track.at(t))
    }
}

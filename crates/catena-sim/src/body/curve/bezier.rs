//! Chains of cubic Bézier pieces: 3n + 1 control points make n pieces of equal duration between
//! `start` and `end`. With the points from index 3i on, piece i is (1-s)³ p₀ + 3(1-s)²s p₁ +
//! 3(1-s)s² p₂ + s³ p₃.
//!
//! The curve passes through every third point. The velocity there is continuous if the points
//! before and after are opposite and at equal distances. The curve rests before `start` and from
//! `end` on. Sources: Bernstein 1912; de Casteljau 1959; Bézier 1966.

use super::keys::{END, Pieces, START};
use super::{Curve, keys};
use crate::body::curve::spans::{PlaceAndRate, bezier};
use crate::drive::track::Extremes;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Curve of cubic Bézier pieces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bezier {
    /// Time at which the curve begins.
    pub start: f64,
    /// Time at which the curve ends, later than `start`.
    pub end: f64,
    /// Control points; their number is 4, 7, 10, …
    pub points: Vec<Components>,
}
crate::identity!(Bezier { start, end, points });

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "control points: [(0, 0), (10, 0), (20, 10), (20, 20)]",
    default: OptionInfo::NEEDED,
    range: "4, 7, 10, … points: three per piece and one more",
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

impl Bezier {
    pub(super) const INFO: Info = Info {
        name: "Bezier",
        summary: "Bézier curve: cubic pieces of equal duration through every third control point",
        options: &[START, END, POINTS],
    };

    /// Position on piece i at 0 <= s <= 1, and its derivative with respect to s.
    fn piece(&self, i: usize, s: f64) -> PlaceAndRate {
        bezier([0, 1, 2, 3].map(|j| self.points[3 * i + j].xyz()), s)
    }
}

impl Curve for Bezier {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        keys::check_span(self.start, self.end)?;
        POINTS.check(self.points.len() >= 4 && self.points.len() % 3 == 1)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&POINTS, self.points.iter().map(|point| [point]), axes)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        keys::evenly(self.start, self.end, &self.points)
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.check().ok()?;
        let length = 3.0 * (self.end - self.start) / (self.points.len() - 1) as f64;
        let of_piece = |i: usize| {
            let points = [0, 1, 2, 3].map(|j| self.points[3 * i + j].xyz());
            let time = |s: f64| self.start + length * (i as f64 + s);
            [0, 1, 2].map(|axis| Extremes::of_piece(&points.map(|point| point[axis]), time))
        };
        let all = (0..self.points.len() / 3).map(of_piece);
        all.reduce(|a, b| [0, 1, 2].map(|axis| a[axis].with(b[axis])))
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        let pieces = Pieces { start: self.start, end: self.end, count: self.points.len() / 3 };
        pieces.at(t, |i, s| self.piece(i, s))
    }
}

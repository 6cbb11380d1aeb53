//! Uniform cubic B-spline: m control points make m - 3 pieces of equal duration between `start` and
//! `end`. With the points from number i on, piece i is ((1-s)³ p₀ + (3s³ - 6s² + 4) p₁ +
//! (1 + 3s + 3s² - 3s³) p₂ + s³ p₃)/6.
//!
//! The curve does not pass through its points: it begins at (p₀ + 4p₁ + p₂)/6 and stays
//! within their hull. In return even the acceleration is continuous. The curve rests before `start`
//! and from `end` on. Source: Schoenberg 1946; de Boor, "A Practical Guide to Splines".

use super::{
    Curve,
    keys::{self, END, Pieces, Place, START},
};
use crate::named::Components;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The curve and its control points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BSpline {
    /// Time at which the curve begins.
    pub start: f64,
    /// Time at which it ends, later than `start`.
    pub end: f64,
    /// At least 4 control points.
    pub points: Vec<Components>,
}

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "control points: [(0, 0), (10, 0), (20, 10), (20, 20)]; three equal ones hold the curve",
    default: OptionInfo::NEEDED,
    range: "at least 4 points",
};

impl BSpline {
    pub(super) const INFO: Info = Info {
        name: "BSpline",
        summary: "a cubic B-spline: smoothest of all, near its control points and not through them",
        options: &[START, END, POINTS],
    };

    /// Piece i at 0 <= s <= 1, and its derivative by s.
    fn piece(&self, i: usize, s: f64) -> Place {
        let points = [0, 1, 2, 3].map(|j| self.points[i + j].xyz());
        let r = 1.0 - s;
        let position =
            [r * r * r, 4.0 - 3.0 * s * s * (1.0 + r), 4.0 - 3.0 * r * r * (1.0 + s), s * s * s];
        let velocity = [-r * r, s * (3.0 * s - 4.0), r * (4.0 - 3.0 * r), s * s];
        let position = position.map(|weight| weight / 6.0);
        (keys::blend(position, points), keys::blend(velocity.map(|weight| weight / 2.0), points))
    }
}

impl Curve for BSpline {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        keys::check_span(self.start, self.end)?;
        POINTS.check(self.points.len() >= 4)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&POINTS, &self.points, axes)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        keys::evenly(self.start, self.end, &self.points)
    }

    fn at(&self, t: f64) -> Place {
        let pieces = Pieces { start: self.start, end: self.end, count: self.points.len() - 3 };
        pieces.at(t, |i, s| self.piece(i, s))
    }
}

//! Tension piecewise linear in strain: T = k l g(ε). g is antisymmetric and passes through the
//! origin and the given points.
//!
//! `points: [(0.1, 0.1), (0.2, 0.4)]` is Hooke's law up to a strain of 0.1 and three times as stiff
//! after that. Beyond the last point the slope is constant.

use super::{SpringLaw, Tensions};
use crate::body::Spring;
use crate::instructions::Instructions;
use crate::named::{BadOption, Info, Key, OptionInfo};
use serde::Deserialize;

/// The law and its points.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PiecewiseLinear {
    /// Points (ε, g): strains above 0 and increasing, g not decreasing.
    pub points: Vec<(f64, f64)>,
}

impl Default for PiecewiseLinear {
    fn default() -> Self {
        Self { points: vec![(1.0, 1.0)] }
    }
}

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "points (strain, g): the tension is k l g, linear between the points and through the origin",
    default: "[(1, 1)]",
    range: "a list of (strain, g), strains above 0 and increasing, g not decreasing",
    ..OptionInfo::PLAIN
};

impl PiecewiseLinear {
    pub(super) const INFO: Info = Info {
        name: "PiecewiseLinear",
        summary: "tension interpolated linearly between given points, also in compression",
        options: &[POINTS],
    };

    /// Returns the piece that contains a strain of at least 0: its start, its slope, and the area
    /// below g up to its start.
    fn piece(&self, strain: f64) -> ((f64, f64), f64, f64) {
        let mut start = (0.0, 0.0);
        let mut area = 0.0;
        let mut slope = 0.0;
        for (index, &(e, g)) in self.points.iter().enumerate() {
            slope = (g - start.1) / (e - start.0);
            if strain <= e || index + 1 == self.points.len() {
                break;
            }
            area += 0.5 * (g + start.1) * (e - start.0);
            start = (e, g);
        }
        (start, slope, area)
    }
}

impl SpringLaw for PiecewiseLinear {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn key(&self) -> Option<Key> {
        Some(Key::new(Self::INFO.name, self.points.iter().flat_map(|point| [point.0, point.1])))
    }

    fn check(&self) -> Result<(), BadOption> {
        let rising = |((e0, g0), (e1, g1)): ((f64, f64), (f64, f64))| e1 > e0 && g1 >= g0;
        let pairs = std::iter::once((0.0, 0.0)).chain(self.points.iter().copied());
        let is_fine = !self.points.is_empty()
            && self.points.iter().all(|(e, g)| e.is_finite() && g.is_finite())
            && pairs.zip(self.points.iter().copied()).all(rising);
        POINTS.check(is_fine)
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = (length - spring.rest_length) / spring.rest_length;
        let ((e, g), slope, _) = self.piece(strain.abs());
        let size = g + slope * (strain.abs() - e);
        spring.stiffness * spring.rest_length * if strain < 0.0 { -size } else { size }
    }

    /// Processes piece by piece, each for all springs that reach it.
    fn tensions(&self, springs: &Tensions<'_>, out: &mut [f64]) {
        let strain =
            |spring: &Spring, length: f64| (length - spring.rest_length) / spring.rest_length;
        Instructions::best().run(
            #[inline(always)]
            || {
                let mut start = (0.0, 0.0);
                for (index, &(e, g)) in self.points.iter().enumerate() {
                    let slope = (g - start.1) / (e - start.0);
                    springs.change(out, |spring, length, before| {
                        let strain = strain(spring, length).abs();
                        let size = start.1 + slope * (strain - start.0);
                        if index > 0 && strain <= start.0 { before } else { size }
                    });
                    start = (e, g);
                }
                springs.change(out, |spring, length, size| {
                    let size = if strain(spring, length) < 0.0 { -size } else { size };
                    spring.stiffness * spring.rest_length * size
                });
            },
        );
    }

    fn slope(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = (length - spring.rest_length) / spring.rest_length;
        spring.stiffness * self.piece(strain.abs()).1
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = ((length - spring.rest_length) / spring.rest_length).abs();
        let ((e, g), slope, area) = self.piece(strain);
        let (end, width) = (g + slope * (strain - e), strain - e);
        let scale = spring.stiffness * spring.rest_length * spring.rest_length;
        scale * (area + 0.5 * (g + end) * width)
    }
}

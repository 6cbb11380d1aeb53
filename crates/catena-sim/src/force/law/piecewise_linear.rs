//! Tension piecewise linear in strain: T = k l g(ε). g passes through the origin and the given
//! points.
//!
//! `points: [(0.1, 0.1), (0.2, 0.4)]` is Hooke's law up to a strain of 0.1 and three times as stiff
//! after that. Beyond the last point the slope is constant. If no point has a negative strain, g is
//! antisymmetric. Negative strains describe compression: `[(-1, 0), (1, 1)]` is a cord that only
//! pulls.
//!
//! Two points at the same strain are a jump: `[(0.1, 0.1), (0.1, 0.3), (1, 2.1)]`. At the jump
//! itself, the value and the slope belong to the side nearer to rest. The slope never contains the
//! jump, so an implicit method notices a jump only after crossing it. The energy is the integral
//! and has no jump. A load between the two values of a jump has no equilibrium, and its spring
//! switches sides.

use super::{SpringLaw, Tensions};
use crate::body::Spring;
use crate::instructions::Instructions;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The law and its points.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PiecewiseLinear {
    /// Points (ε, g) by rising strain. g has the sign of its strain. It decreases only in jumps, at
    /// two points of the same strain.
    pub points: Vec<(f64, f64)>,
}
crate::identity!(PiecewiseLinear { points });

impl Default for PiecewiseLinear {
    fn default() -> Self {
        Self { points: vec![(1.0, 1.0)] }
    }
}

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "points (strain, g): the tension is k l g, linear between the points and through the origin; strains below 0 for compression, one strain twice for a jump",
    default: "[(1, 1)]",
    range: "a list of (strain, g) with increasing strains, g with the sign of the strain, decreasing only in jumps at one strain, on both sides of 0 or above it",
    ..OptionInfo::PLAIN
};

impl PiecewiseLinear {
    pub(super) const INFO: Info = Info {
        name: "PiecewiseLinear",
        summary: "tension interpolated linearly between given points: on both sides, with jumps, or mirrored in compression",
        options: &[POINTS],
    };

    /// Whether the points describe only tension, and compression mirrors it.
    fn is_mirrored(&self) -> bool {
        self.points.iter().all(|&(e, g)| e >= 0.0 && g >= 0.0)
    }

    /// Returns the points of one side outwards from rest, with strain and g as positive numbers.
    fn side(&self, is_pushed: bool) -> impl Iterator<Item = (f64, f64)> {
        let is_mirrored = self.is_mirrored();
        let count = self.points.len();
        (0..count).filter_map(move |index| {
            let (e, g) = match is_pushed && !is_mirrored {
                true => self.points[count - 1 - index],
                false => self.points[index],
            };
            let (e, g) = if is_pushed && !is_mirrored { (-e, -g) } else { (e, g) };
            (e > 0.0 || (e == 0.0 && g > 0.0)).then_some((e, g))
        })
    }

    /// Returns the piece that contains a strain: its start, its slope, and the area below g up to
    /// its start. For strains below 0, all three are mirrored to tension.
    fn piece(&self, strain: f64) -> ((f64, f64), f64, f64) {
        let size = strain.abs();
        let mut start = (0.0, 0.0);
        let mut area = 0.0;
        let mut slope = 0.0;
        let mut side = self.side(strain < 0.0).peekable();
        while let Some((e, g)) = side.next() {
            if e > start.0 {
                slope = (g - start.1) / (e - start.0);
                if size <= e || side.peek().is_none() {
                    break;
                }
                area += 0.5 * (g + start.1) * (e - start.0);
            }
            start = (e, g);
        }
        // A jump at the origin begins beyond it.
        (if size == 0.0 { (0.0, 0.0) } else { start }, slope, area)
    }

    /// Whether the points of one side are in order outwards from rest, and g falls only in jumps.
    fn is_side_sound(&self, is_pushed: bool) -> bool {
        let mut start = (0.0, 0.0);
        let mut is_long = false;
        for (e, g) in self.side(is_pushed) {
            let is_fine = g >= 0.0 && e >= start.0 && (e == start.0 || g >= start.1);
            if !is_fine {
                return false;
            }
            is_long |= e > 0.0;
            start = (e, g);
        }
        is_long
    }
}

impl SpringLaw for PiecewiseLinear {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let has_sign = |&(e, g): &(f64, f64)| e == 0.0 || g == 0.0 || (e < 0.0) == (g < 0.0);
        let is_fine = self.points.iter().all(|(e, g)| e.is_finite() && g.is_finite())
            && self.points.iter().all(has_sign)
            && self.points.is_sorted_by(|(e0, _), (e1, _)| e0 <= e1)
            && self.is_side_sound(false)
            && self.is_side_sound(true);
        POINTS.check(is_fine)
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = (length - spring.rest_length) / spring.rest_length;
        let ((e, g), slope, _) = self.piece(strain);
        let size = g + slope * (strain.abs() - e);
        spring.stiffness * spring.rest_length * if strain < 0.0 { -size } else { size }
    }

    /// Processes the pieces one by one, each for all springs that reach it.
    fn tensions(&self, springs: &Tensions<'_>, out: &mut [f64]) {
        let strain =
            |spring: &Spring, length: f64| (length - spring.rest_length) / spring.rest_length;
        Instructions::best().run(
            #[inline(always)]
            || {
                if !self.is_mirrored() || self.points.first().is_some_and(|point| point.0 == 0.0) {
                    springs
                        .each(out, |spring, length, plastic| self.tension(spring, length, plastic));
                    return;
                }
                let (mut start, mut slope) = ((0.0, 0.0), 0.0);
                for (index, &(e, g)) in self.points.iter().enumerate() {
                    let is_jump = e == start.0;
                    if is_jump {
                        start = (e, g);
                    } else {
                        slope = (g - start.1) / (e - start.0);
                    }
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
        spring.stiffness * self.piece(strain).1
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let strain = (length - spring.rest_length) / spring.rest_length;
        let ((e, g), slope, area) = self.piece(strain);
        let (end, width) = (g + slope * (strain.abs() - e), strain.abs() - e);
        let scale = spring.stiffness * spring.rest_length * spring.rest_length;
        scale * (area + 0.5 * (g + end) * width)
    }
}

//! A helix from start to end. Its axis is parallel to the line between them, at a distance of one
//! radius.

use super::toward::{self, TOWARD};
use super::{Geometry, Line, RopeShape};
use crate::body::vector::{Vec3, along, cross, unit};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::PI;

/// Shape of a rope along a helix.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Helix {
    /// Number of turns: right-handed above zero, left-handed below.
    pub turns: i32,
    /// Radius, above zero.
    pub radius: f64,
    /// Direction from the line between the ends to the axis.
    #[serde(default)]
    pub toward: Option<Components>,
}

const TURNS: OptionInfo = OptionInfo {
    name: "turns",
    summary: "number of turns: positive for right-handed, negative for left-handed",
    default: OptionInfo::NEEDED,
    range: "a whole number from -10000 to 10000 other than 0, in a scene with three axes and with at least 3 nodes per turn",
    ..OptionInfo::PLAIN
};

const RADIUS: OptionInfo = OptionInfo {
    name: "radius",
    summary: "radius of the helix",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e100",
    unit: "length",
    ..OptionInfo::PLAIN
};

impl Helix {
    pub(super) const INFO: Info = Info {
        name: "Helix",
        summary: "helix from start to end, in space",
        options: &[TURNS, RADIUS, TOWARD],
    };
}

impl RopeShape for Helix {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        TURNS.check(self.turns != 0 && self.turns.unsigned_abs() <= 10_000)?;
        RADIUS.check(self.radius > 0.0 && self.radius <= 1e100)
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        TURNS.check(axes == 3 && nodes as u64 > 3 * u64::from(self.turns.unsigned_abs()))?;
        toward::check(self.toward.as_ref(), axes)
    }

    fn line(&self, ends: [Vec3; 2]) -> Result<Line, String> {
        let (offset, side) = toward::frame(ends, self.toward.as_ref())?;
        let other = cross(side, unit(offset));
        let (start, radius, turns) = (ends[0], self.radius, f64::from(self.turns));
        Ok(Line::open(Geometry::Even(Box::new(move |share| {
            let turn = 2.0 * PI * turns * share;
            let at = along(along(start, share, offset), radius * (1.0 - libm::cos(turn)), side);
            along(at, radius * libm::sin(turn), other)
        }))))
    }
}

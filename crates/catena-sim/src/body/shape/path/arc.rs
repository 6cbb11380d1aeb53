//! An arc of a circle through start and end.
//!
//! An arc of angle θ over a chord d has the height h = (d/2) tan(θ/4) and the radius d/(2
//! sin(θ/2)).

use super::toward::{self, TOWARD};
use super::{Geometry, Line, RopeShape};
use crate::body::vector::{Vec3, along, norm};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::PI;

/// Shape of a rope along an arc, given by its height or its angle.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arc {
    /// Distance of the midpoint of the arc from the chord; negative on the other side.
    #[serde(default)]
    pub height: Option<f64>,
    /// Angle of the arc, in degrees; negative on the other side.
    #[serde(default)]
    pub angle: Option<f64>,
    /// Direction from the chord to the arc.
    #[serde(default)]
    pub toward: Option<Components>,
}

const HEIGHT: OptionInfo = OptionInfo {
    name: "height",
    summary: "distance of its middle from the line between start and end; or set `angle`",
    default: OptionInfo::LEFT_OUT,
    range: "a number other than 0, and only one of height and angle",
    unit: "length",
    ..OptionInfo::PLAIN
};

const ANGLE: OptionInfo = OptionInfo {
    name: "angle",
    summary: "angle of the arc in degrees; or set `height`",
    default: OptionInfo::LEFT_OUT,
    range: "a number of degrees from -350 to 350, except 0",
    unit: "degrees",
    ..OptionInfo::PLAIN
};

impl Arc {
    pub(super) const INFO: Info = Info {
        name: "Arc",
        summary: "circular arc from start to end",
        options: &[HEIGHT, ANGLE, TOWARD],
    };
}

impl RopeShape for Arc {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let is_fine = |height: f64| height != 0.0 && height.abs() <= 1e100;
        HEIGHT.check(self.height.is_some() != self.angle.is_some())?;
        HEIGHT.check(self.height.is_none_or(is_fine))?;
        ANGLE.check(self.angle.is_none_or(|angle| angle != 0.0 && angle.abs() <= 350.0))
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        toward::check(self.toward.as_ref(), axes)
    }

    fn line(&self, ends: [Vec3; 2]) -> Result<Line, String> {
        let (offset, side) = toward::frame(ends, self.toward.as_ref())?;
        let half = 0.5 * norm(offset);
        let angle = match (self.height, self.angle) {
            (Some(height), _) => 4.0 * libm::atan(height / half),
            (None, angle) => angle.unwrap_or(180.0) * PI / 180.0,
        };
        let start = ends[0];
        // The chord from the start to a fraction s of the arc has the length 2 R sin(s θ/2). Its
        // angle to the chord of the whole arc is (1 - s) θ/2.
        Ok(Line::open(Geometry::Even(Box::new(move |share| {
            let chord = libm::sin(0.5 * share * angle) / libm::sin(0.5 * angle);
            let turn = 0.5 * (1.0 - share) * angle;
            let ahead = along(start, chord * libm::cos(turn), offset);
            along(ahead, 2.0 * half * chord * libm::sin(turn), side)
        }))))
    }
}

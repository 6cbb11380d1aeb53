//! Straight segments from point to point.

use super::{Geometry, Line, RopeShape};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Components, Info, OptionInfo, OptionKind};
use serde::Deserialize;

/// Shape of a rope along straight segments between points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// The points, in order.
    pub points: Vec<Components>,
    /// Whether the line is a ring.
    #[serde(default)]
    pub closed: bool,
}

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "points in order: [(0, 0), (1, 0), (1, 1)]",
    default: OptionInfo::NEEDED,
    range: "at least 2 points, each with as many components as the scene has axes",
    unit: "length",
    ..OptionInfo::PLAIN
};

pub(super) const CLOSED: OptionInfo = OptionInfo {
    name: "closed",
    summary: "whether the rope is a ring, closed at its first point",
    default: "false",
    range: "true or false; a ring has at least 3 points and 3 nodes",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

impl Points {
    pub(super) const INFO: Info = Info {
        name: "Points",
        summary: "straight lines from point to point; start and end of the rope are ignored",
        options: &[POINTS, CLOSED],
    };
}

/// Returns the open or closed line through the points.
pub(super) fn through(points: Vec<Vec3>, is_closed: bool) -> Line {
    Line { geometry: Geometry::Corners(points), is_closed }
}

impl RopeShape for Points {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        POINTS.check(self.points.len() >= 2)?;
        CLOSED.check(!self.closed || self.points.len() >= 3)
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        CLOSED.check(!self.closed || nodes >= 3)?;
        self.points.iter().enumerate().try_for_each(|(index, point)| {
            let entry = Some(index);
            point.check(&POINTS, axes).map_err(|bad| BadOption { entry, ..bad })
        })
    }

    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        Ok(through(self.points.iter().map(Components::xyz).collect(), self.closed))
    }

    fn has_own_ends(&self) -> bool {
        true
    }
}

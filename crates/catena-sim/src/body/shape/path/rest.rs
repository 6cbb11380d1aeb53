//! A rope that starts at rest.
//!
//! The shape itself is only the line where the search for the rest shape starts: straight from
//! start to end, or through points between them. A statics solver then finds the rest shape with
//! all forces, and `Setup::starting_at` moves the body there.
//! Scenes do both.

use super::{Geometry, Line, RopeShape, points};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Shape of a rope that starts at rest.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// Points between start and end, in order.
    #[serde(default)]
    pub via: Vec<Components>,
}

const VIA: OptionInfo = OptionInfo {
    name: "via",
    summary: "points between start and end that the initial line of the search passes through: \
              [(0, 2), (1, 2)]",
    default: "[]",
    range: "points with as many components as the scene has axes",
    unit: "length",
    ..OptionInfo::PLAIN
};

impl Rest {
    pub(super) const INFO: Info = Info {
        name: "Rest",
        summary: "equilibrium of the whole body under all of its forces, found from a line between \
                  start and end",
        options: &[VIA],
    };
}

impl RopeShape for Rest {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.via.iter().enumerate().try_for_each(|(index, point)| {
            let entry = Some(index);
            point.check(&VIA, axes).map_err(|bad| BadOption { entry, ..bad })
        })
    }

    fn line(&self, [start, end]: [Vec3; 2]) -> Result<Line, String> {
        if self.via.is_empty() {
            return Ok(Line::open(Geometry::Straight));
        }
        let between = self.via.iter().map(Components::xyz);
        let all = std::iter::once(start).chain(between).chain([end]);
        Ok(points::through(all.collect(), false))
    }

    fn rests(&self) -> bool {
        true
    }
}

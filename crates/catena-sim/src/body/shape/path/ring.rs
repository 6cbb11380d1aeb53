//! A circle with start and end at opposite points.

use super::toward::{self, TOWARD};
use super::{Geometry, Line, RopeShape};
use crate::body::vector::{Vec3, along, norm};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::PI;

/// Shape of a rope along a circle; node 0 is at the start.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Direction of the circle at its start.
    #[serde(default)]
    pub toward: Option<Components>,
}

/// Option that errors about too few nodes refer to.
const NODES: OptionInfo = OptionInfo { range: "at least 3 nodes for a ring", ..TOWARD };

impl Ring {
    pub(super) const INFO: Info = Info {
        name: "Ring",
        summary: "closed circle, with start and end opposite each other",
        options: &[TOWARD],
    };
}

impl RopeShape for Ring {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODES.check(nodes >= 3)?;
        toward::check(self.toward.as_ref(), axes)
    }

    fn line(&self, ends: [Vec3; 2]) -> Result<Line, String> {
        let (offset, side) = toward::frame(ends, self.toward.as_ref())?;
        let (start, radius) = (ends[0], 0.5 * norm(offset));
        let map = move |share: f64| {
            let turn = 2.0 * PI * share;
            along(
                along(start, 0.5 * (1.0 - libm::cos(turn)), offset),
                radius * libm::sin(turn),
                side,
            )
        };
        Ok(Line { geometry: Geometry::Even(Box::new(map)), is_closed: true })
    }
}

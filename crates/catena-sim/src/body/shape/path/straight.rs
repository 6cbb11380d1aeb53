//! Straight from start to end.

use super::{Geometry, Line, RopeShape};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Shape of a straight rope.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Straight {}

impl Straight {
    pub(super) const INFO: Info =
        Info { name: "Straight", summary: "straight line from start to end", options: &[] };
}

impl RopeShape for Straight {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        Ok(Line::open(Geometry::Straight))
    }
}

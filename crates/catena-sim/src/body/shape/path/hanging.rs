//! The shape of a rope that hangs at rest between start and end. The balance of forces includes all
//! of its weights and springs; see [`hanging_chain`](crate::body::hanging::hanging_chain).

use super::{Geometry, Line, RopeShape};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Shape of a rope that hangs at rest.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hanging {}

impl Hanging {
    pub(super) const INFO: Info =
        Info { name: "Hanging", summary: "equilibrium shape between start and end", options: &[] };
}

impl RopeShape for Hanging {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Straight before the hanging shape is computed.
    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        Ok(Line::open(Geometry::Straight))
    }

    fn hangs(&self) -> bool {
        true
    }
}

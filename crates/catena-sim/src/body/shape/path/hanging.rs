//! The shape in which the rope hangs at rest between start and end, from the balance of forces with
//! all its weights and springs; see [`hanging_chain`](crate::body::hanging::hanging_chain).

use super::{Line, RopeShape, Way};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// The hanging rope.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hanging {}

impl Hanging {
    pub(super) const INFO: Info = Info {
        name: "Hanging",
        summary: "as it hangs at rest between start and end",
        options: &[],
    };
}

impl RopeShape for Hanging {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Straight, until it hangs.
    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        Ok(Line::open(Way::Straight))
    }

    fn hangs(&self) -> bool {
        true
    }
}

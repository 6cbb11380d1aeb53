//! Takes a node and holds it where it is then, or moves it along its curve if the scene has an
//! anchor for it. It is at rest, or on its curve, at once.

use super::{Action, NODE, Target};
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// The node that is held from then on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The free node.
    pub node: usize,
}

impl Pin {
    pub(super) const INFO: Info = Info {
        name: "Pin",
        summary: "holds a node where it is then, or moves it along its curve in `anchors`",
        options: &[NODE],
    };
}

impl Action for Pin {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node < nodes)
    }

    fn words(&self) -> String {
        format!("Pin(node: {})", self.node)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        if target.is_pinned(self.node) {
            return Err(format!("node {} is pinned already", self.node));
        }
        target.pin(self.node);
        Ok(vec![self.node])
    }
}

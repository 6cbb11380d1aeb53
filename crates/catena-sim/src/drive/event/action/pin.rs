//! Pins a node at its current position, or to its curve if the scene has an anchor for it. The node
//! takes the velocity of the pin at once.

use super::{Action, NODE, Target};
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Action that pins a node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Index of the node, which must be free.
    pub node: usize,
}
crate::identity!(Pin { node });

impl Pin {
    pub(super) const INFO: Info = Info {
        name: "Pin",
        summary: "pins a node at its current position, or moves it along its curve in `anchors`",
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
            return Err(format!("node {} is already pinned", self.node));
        }
        target.pin(self.node);
        Ok(vec![self.node])
    }
}

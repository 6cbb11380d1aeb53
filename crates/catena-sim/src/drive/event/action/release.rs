//! Unpins a node, which keeps the velocity of its anchor.

use super::{Action, NODE, Target};
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Action that unpins a node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Index of the node, which must be pinned.
    pub node: usize,
}
crate::identity!(Release { node });

impl Release {
    pub(super) const INFO: Info =
        Info { name: "Release", summary: "releases a pinned node", options: &[NODE] };
}

impl Action for Release {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node < nodes)
    }

    fn words(&self) -> String {
        format!("Release(node: {})", self.node)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        if !target.is_pinned(self.node) {
            return Err(format!("node {} is not pinned", self.node));
        }
        target.release(self.node);
        Ok(vec![self.node])
    }
}

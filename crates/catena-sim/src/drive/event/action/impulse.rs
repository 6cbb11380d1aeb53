//! A change of momentum, v' = v + J/m. Unlike the entries of `impulses`, it may have a condition.

use super::{Action, NODE, Target};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Action that changes the momentum of a node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impulse {
    /// Index of the node, which must be free.
    pub node: usize,
    /// J, mass times change of velocity.
    pub impulse: Components,
}
crate::identity!(Impulse { node, impulse });

const IMPULSE: OptionInfo = OptionInfo {
    name: "impulse",
    summary: "mass times change of velocity",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "mass·length/time",
    ..OptionInfo::PLAIN
};

impl Impulse {
    pub(super) const INFO: Info = Info {
        name: "Impulse",
        summary: "changes the momentum of a node",
        options: &[NODE, IMPULSE],
    };
}

impl Action for Impulse {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node < nodes)?;
        self.impulse.check(&IMPULSE, axes)
    }

    fn words(&self) -> String {
        format!("Impulse(node: {}, impulse: {})", self.node, self.impulse)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        if target.is_pinned(self.node) {
            return Err(format!("node {} is pinned", self.node));
        }
        target.push(self.node, self.impulse.xyz());
        Ok(vec![self.node])
    }
}

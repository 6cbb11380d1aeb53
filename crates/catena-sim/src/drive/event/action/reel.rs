//! Changes the length of a rope from the event on: pays it out or reels it in. The length changes
//! linearly with time, from its value at the event.

use super::{Action, Target};
use crate::named::{BadOption, Info, OptionInfo, OptionKind};
use serde::Deserialize;

/// Action that changes the rest length of a rope.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reel {
    /// Rest length of the rope at the end of the change, above 0.
    pub length: f64,
    /// Time that the change takes, above 0. A short time is almost a jump.
    pub over: f64,
    /// Index of a node of the rope; `None` for the only rope of the body.
    #[serde(default)]
    pub node: Option<usize>,
}
crate::identity!(Reel { length, over, node });

const LENGTH: OptionInfo = OptionInfo {
    name: "length",
    summary: "rest length of the rope after the change",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e100",
    unit: "length",
    ..OptionInfo::PLAIN
};

const OVER: OptionInfo = OptionInfo {
    name: "over",
    summary: "time that the change takes",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e100; a short time, such as 0.001, is almost a jump",
    unit: "time",
    ..OptionInfo::PLAIN
};

const NODE: OptionInfo = OptionInfo {
    name: "node",
    summary: "a node of the rope; required if the body has several ropes",
    default: OptionInfo::LEFT_OUT,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

impl Reel {
    pub(super) const INFO: Info = Info {
        name: "Reel",
        summary: "pays out or reels in a rope, to a length over a time",
        options: &[LENGTH, OVER, NODE],
    };
}

impl Action for Reel {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let is_fine = |value: f64| value > 0.0 && value <= 1e100;
        LENGTH.check(is_fine(self.length))?;
        OVER.check(is_fine(self.over))
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node.is_none_or(|node| node < nodes))
    }

    fn words(&self) -> String {
        let node = self.node.map_or(String::new(), |node| format!(", node: {node}"));
        format!("Reel(length: {}, over: {}{node})", self.length, self.over)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        target.reel(self.node, self.length, self.over)?;
        Ok(self.node.into_iter().collect())
    }

    fn reel(&self) -> Option<&Reel> {
        Some(self)
    }
}

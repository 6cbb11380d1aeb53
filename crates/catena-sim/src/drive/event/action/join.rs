//! Joins two nodes by a spring, with the force law of the other springs. The spring is a force in
//! every method, even one with rigid segments, like bending springs.

use super::{Action, Joint, Target};
use crate::body::vector::{norm, sub};
use crate::drive::event::condition::{A, B, two_nodes};
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// Action that joins two nodes by a spring.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Index of the first node.
    pub a: usize,
    /// Index of the second node.
    pub b: usize,
    /// Stiffness in force per length, above 0; `None` for the maximum stiffness of the structural
    /// springs.
    #[serde(default)]
    pub stiffness: Option<f64>,
    /// Rest length, above 0; `None` for the distance of the nodes when they are joined.
    #[serde(default)]
    pub length: Option<f64>,
}
crate::identity!(Join { a, b, stiffness, length });

const STIFFNESS: OptionInfo = OptionInfo {
    name: "stiffness",
    summary: "stiffness; if omitted, that of the stiffest structural spring",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number above 0",
    unit: "force/length",
    ..OptionInfo::PLAIN
};

const LENGTH: OptionInfo = OptionInfo {
    name: "length",
    summary: "rest length; if omitted, the distance of the nodes at that time, at least a tenth of the shortest spring",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number above 0",
    unit: "length",
    ..OptionInfo::PLAIN
};

impl Join {
    pub(super) const INFO: Info = Info {
        name: "Join",
        summary: "joins two nodes with a spring",
        options: &[A, B, STIFFNESS, LENGTH],
    };
}

impl Action for Join {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let is_fine = |value: Option<f64>| value.is_none_or(|v| v > 0.0 && v.is_finite());
        STIFFNESS.check(is_fine(self.stiffness))?;
        LENGTH.check(is_fine(self.length))
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        two_nodes(self.a, self.b, nodes)
    }

    fn words(&self) -> String {
        format!("Join(a: {}, b: {})", self.a, self.b)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        let (model, state) = (target.model(), target.state());
        let at = |node| state.position(model.nodes(), node);
        let distance = norm(sub(at(self.a), at(self.b)));
        let length = self.length.unwrap_or(distance.max(Joint::least_length(model)));
        if !length.is_finite() {
            return Err("the positions are not finite".into());
        }
        target.join(length);
        Ok(vec![self.a, self.b])
    }

    fn joint(&self) -> Option<Joint> {
        let Self { a, b, stiffness, length } = *self;
        Some(Joint { a, b, stiffness, length })
    }
}

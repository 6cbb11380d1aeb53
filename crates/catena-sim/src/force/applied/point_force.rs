//! A constant force on one node during an interval of time: F while from <= t < until.

use super::AppliedForce;
use crate::body::{Body, Model, State};
use crate::drive::track::Extent;
use crate::force::{Account, Blocks, Derivative, Force, ForceEnergy};
use crate::named::{BadOption, Components, Info, OptionInfo, OptionKind};
use serde::Deserialize;
use std::sync::Arc;

/// A force, its node and its interval of time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointForce {
    /// Index of the node.
    pub node: usize,
    /// The force F, in units of force.
    pub force: Components,
    /// Start time.
    #[serde(default)]
    pub from: f64,
    /// End time.
    #[serde(default = "never")]
    pub until: f64,
}
crate::identity!(PointForce { node, force, from, until });

fn never() -> f64 {
    f64::INFINITY
}

const NODE: OptionInfo = OptionInfo {
    name: "node",
    summary: "node on which the force acts",
    default: OptionInfo::NEEDED,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

const FORCE: OptionInfo = OptionInfo {
    name: "force",
    summary: "force vector",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "force",
    ..OptionInfo::PLAIN
};

const FROM: OptionInfo = OptionInfo {
    name: "from",
    summary: "start time of the force",
    default: "0",
    range: "a finite number",
    unit: "time",
    ..OptionInfo::PLAIN
};

const UNTIL: OptionInfo = OptionInfo {
    name: "until",
    summary: "end time of the force",
    default: "inf",
    range: "a number above `from`",
    unit: "time",
    ..OptionInfo::PLAIN
};

impl PointForce {
    pub(super) const INFO: Info = Info {
        name: "PointForce",
        summary: "constant force on one node for a period of time",
        options: &[NODE, FORCE, FROM, UNTIL],
    };
}

impl AppliedForce for PointForce {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for PointForce {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        if state.t < self.from || state.t >= self.until {
            return;
        }
        let n = body.model.nodes();
        for (f, force) in f.chunks_exact_mut(n).zip(self.force.xyz()) {
            f[self.node] += force;
        }
    }

    /// Adds nothing: the force does not depend on the position of the node.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        Some(Derivative::Nothing)
    }

    fn load(&self, _model: &Model) -> f64 {
        self.force.xyz().iter().map(|component| component * component).sum::<f64>().sqrt()
    }

    fn changes_with_time(&self) -> bool {
        self.from > 0.0 || self.until.is_finite()
    }

    fn extent(&self) -> Extent {
        match self.until.is_finite() {
            true => Extent::Bounded(self.from, self.until),
            false => Extent::Bounded(self.from, self.from),
        }
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }

    fn vector(&self) -> Option<[f64; 3]> {
        Some(self.force.xyz())
    }

    fn with_vector(&self, vector: [f64; 3]) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { force: self.force.with(vector), ..self.clone() }))
    }

    fn check(&self) -> Result<(), BadOption> {
        FROM.check(self.from.is_finite())?;
        UNTIL.check(self.until > self.from)
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node < nodes)?;
        self.force.check(&FORCE, axes)
    }
}

//! A ground that repels nodes. Three forces act on a node at depth d = height - y > 0: k d upwards,
//! -c_s v against its horizontal velocity, and -c_a v_y upwards during its descent. The ground is
//! soft: a node at rest sinks in by its weight divided by k. Source: NeHe, lesson 40.

use super::AppliedForce;
use crate::body::{Body, Model, State};
use crate::force::{Account, Blocks, Force, ForceEnergy, Potential, Store, Unstored, diagonal};
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// A horizontal ground.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyGround {
    /// y of the ground.
    pub height: f64,
    /// k, force per depth.
    #[serde(default = "repulsion")]
    pub repulsion: f64,
    /// c_s, force per horizontal speed.
    #[serde(default)]
    pub friction: f64,
    /// c_a, force per speed downwards.
    #[serde(default)]
    pub absorption: f64,
}
crate::identity!(PenaltyGround { height, repulsion, friction, absorption });

fn repulsion() -> f64 {
    100.0
}

const HEIGHT: OptionInfo = OptionInfo {
    name: "height",
    summary: "height y of the ground",
    default: OptionInfo::NEEDED,
    range: "a finite number",
    unit: "length",
    ..OptionInfo::PLAIN
};

const REPULSION: OptionInfo = OptionInfo {
    name: "repulsion",
    summary: "upward force per depth",
    default: "100",
    range: "a number above 0",
    unit: "force/length",
    ..OptionInfo::PLAIN
};

const FRICTION: OptionInfo = OptionInfo {
    name: "friction",
    summary: "force per horizontal speed",
    default: "0",
    range: "a number of at least 0",
    unit: "force·time/length",
    ..OptionInfo::PLAIN
};

const ABSORPTION: OptionInfo = OptionInfo {
    name: "absorption",
    summary: "upward force per downward speed, while a node moves down",
    default: "0",
    range: "a number of at least 0",
    unit: "force·time/length",
    ..OptionInfo::PLAIN
};

impl PenaltyGround {
    pub(super) const INFO: Info = Info {
        name: "PenaltyGround",
        summary: "soft ground: pushes nodes below it upwards and slows them down",
        options: &[HEIGHT, REPULSION, FRICTION, ABSORPTION],
    };

    /// Nodes below the ground, with their depths.
    fn nodes_below<'a>(
        &'a self,
        body: &Body<'_>,
        state: &'a State,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let n = body.model.nodes();
        let depths = state.x[n..2 * n].iter().enumerate();
        depths.map(|(i, y)| (i, self.height - y)).filter(|(_, depth)| *depth > 0.0)
    }
}

impl AppliedForce for PenaltyGround {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for PenaltyGround {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for (i, depth) in self.nodes_below(body, state) {
            for axis in (0..body.model.axes).filter(|axis| *axis != 1) {
                f[axis * n + i] -= self.friction * state.v[axis * n + i];
            }
            let falling = state.v[n + i].min(0.0);
            f[n + i] += self.repulsion * depth - self.absorption * falling;
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (n, axes) = (body.model.nodes(), body.model.axes);
        for (i, _) in self.nodes_below(body, state) {
            let mut by_x = diagonal(axes, 0.0);
            by_x[1][1] = -self.repulsion;
            let mut by_v = diagonal(axes, -self.friction);
            by_v[1][1] = if state.v[n + i] < 0.0 { -self.absorption } else { 0.0 };
            blocks.add_own(i, by_x, by_v);
        }
    }

    /// Returns 0: the ground pushes back no harder than the load on it.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Split(self, self)
    }

    fn check(&self) -> Result<(), BadOption> {
        let at_least_0 = |value: f64| value >= 0.0 && value.is_finite();
        HEIGHT.check(self.height.is_finite())?;
        REPULSION.check(self.repulsion > 0.0 && self.repulsion.is_finite())?;
        FRICTION.check(at_least_0(self.friction))?;
        ABSORPTION.check(at_least_0(self.absorption))
    }
}

/// The repulsion stores energy, like a spring.
impl Potential for PenaltyGround {
    fn store(&self) -> Store {
        Store::Elastic
    }

    /// Returns k d²/2, summed over the nodes below the ground.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        self.nodes_below(body, state).map(|(_, depth)| 0.5 * self.repulsion * depth * depth).sum()
    }
}

/// Friction and absorption.
impl Unstored for PenaltyGround {
    fn account(&self) -> Account {
        Account::Contact
    }

    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let brake = Self { repulsion: 0.0, ..self.clone() };
        brake.add_to(body, state, f);
    }
}

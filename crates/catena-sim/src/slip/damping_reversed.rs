//! Friction in springs with a reversed sign, or with a product of components instead of a dot
//! product. A known program had both faults: F_a = -c u∘u∘(v_b - v_a), which adds energy.

use super::{Slip, SlipInfo, SlipTarget};
use crate::body::vector::{Vec3, dot, sub};
use crate::body::{Body, Model, State};
use crate::force::jacobian::directional;
use crate::force::{Account, Block, Blocks, Force, ForceEnergy, SpringCoefficient, SpringForce};
use crate::named::{BadOption, OptionInfo, OptionKind};
use serde::Deserialize;
use std::sync::Arc;

/// Replaces the damping along springs by damping with the wrong sign, with a product of components,
/// or with both.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DampingReversed {
    /// Whether the sign is wrong: the force pushes separating ends further apart.
    pub reversed: bool,
    /// Whether components are multiplied one by one, instead of a projection onto the spring.
    pub by_component: bool,
}
crate::identity!(DampingReversed { reversed, by_component });

impl Default for DampingReversed {
    fn default() -> Self {
        Self { reversed: true, by_component: true }
    }
}

const REVERSED: OptionInfo = OptionInfo {
    name: "reversed",
    summary: "whether the sign is wrong: ends that separate are pushed apart",
    default: "true",
    range: "true or false; `reversed` and `by_component` must not both be false",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

const BY_COMPONENT: OptionInfo = OptionInfo {
    name: "by_component",
    summary: "whether components are multiplied one by one instead of as a dot product",
    default: "true",
    range: "true or false; `reversed` and `by_component` must not both be false",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

impl DampingReversed {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DampingReversed",
        title: "inner damping reversed",
        summary: "friction in springs with the wrong sign and components multiplied, which adds \
                  energy",
        symptom: "my rope explodes when I add internal damping; more damping makes it worse",
        correct: "The force on end a is +kd ((vb - va) · u) u with the unit vector u from a to b, \
                  and end b gets the opposite.",
        options: &[REVERSED, BY_COMPONENT],
    };
}

impl Slip for DampingReversed {
    /// Returns the description of the faults that the options select.
    fn info(&self) -> SlipInfo {
        let (title, summary, symptom) = match (self.reversed, self.by_component) {
            (true, false) => (
                Self::INFO.title,
                "friction in springs with the wrong sign, which adds energy",
                Self::INFO.symptom,
            ),
            (false, _) => (
                "inner damping by components",
                "friction in springs with components multiplied instead of a dot product",
                "my rope loses energy where nothing stretches",
            ),
            (true, true) => return Self::INFO,
        };
        SlipInfo { title, summary, symptom, ..Self::INFO }
    }

    fn check(&self) -> Result<(), BadOption> {
        REVERSED.check(self.reversed || self.by_component)
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let mut has_damping = false;
        for force in target.forces.iter_mut() {
            let Some(SpringForce::Damping(coefficient)) = force.spring_force() else { continue };
            let (coefficient, slip) = (coefficient.clone(), self.clone());
            *force = Arc::new(WrongDamping { coefficient, slip });
            has_damping = true;
        }
        if has_damping {
            return Ok(());
        }
        Err("there is no damping inside springs: set `damping` of the rope, cloth, \
             net, mesh or graph, such as rope.damping: 0.1"
            .into())
    }
}

/// Friction along springs with the slip.
#[derive(Debug)]
struct WrongDamping {
    coefficient: SpringCoefficient,
    slip: DampingReversed,
}
crate::identity!(WrongDamping { coefficient, slip });

impl WrongDamping {
    fn sign(&self) -> f64 {
        if self.slip.reversed { -1.0 } else { 1.0 }
    }

    /// Force on the first end of a spring in direction u with friction c.
    fn force(&self, c: f64, u: Vec3, relative: Vec3) -> Vec3 {
        let c = self.sign() * c;
        if self.slip.by_component {
            return [0, 1, 2].map(|axis: usize| c * u[axis] * relative[axis] * u[axis]);
        }
        let speed = dot(relative, u);
        u.map(|component| c * speed * component)
    }

    /// Derivative of the force on the first end with respect to the relative velocity.
    fn block(&self, axes: usize, c: f64, u: Vec3) -> Block {
        let c = self.sign() * c;
        if !self.slip.by_component {
            return directional(axes, &u, c, 0.0);
        }
        let mut block = [[0.0; 3]; 3];
        for axis in 0..axes {
            block[axis][axis] = c * u[axis] * u[axis];
        }
        block
    }
}

impl Force for WrongDamping {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let model = body.model;
        let n = model.nodes();
        for (j, spring) in model.springs.iter().enumerate() {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 || body.springs.is_broken(j) {
                continue;
            }
            let u = d.map(|component| component / length);
            let relative = sub(state.velocity(n, spring.b), state.velocity(n, spring.a));
            let force = self.force(self.coefficient.of(model, j), u, relative);
            for (axis, force) in force.into_iter().enumerate().take(model.axes) {
                f[axis * n + spring.a] += force;
                f[axis * n + spring.b] -= force;
            }
        }
    }

    /// Adds the exact derivative with respect to velocity. Reversed friction would make the matrix
    /// of an implicit method indefinite, so the derivative is omitted if the matrix must be
    /// positive definite.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        if self.slip.reversed && blocks.is_definite() {
            return;
        }
        let model = body.model;
        for (j, spring) in model.springs.iter().enumerate() {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 || body.springs.is_broken(j) {
                continue;
            }
            let u = d.map(|component| component / length);
            let by_v = self.block(model.axes, self.coefficient.of(model, j), u);
            blocks.add_pair(spring.a, spring.b, [[0.0; 3]; 3], by_v);
        }
    }

    /// Returns 0: friction only responds to motion.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    /// Books the work on the account of damping, where a gain reveals the slip.
    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }
}

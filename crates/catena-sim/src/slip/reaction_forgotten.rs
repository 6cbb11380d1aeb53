//! Springs without a reaction: each spring pulls its first node, and the opposite force on the
//! second node is missing. Every spring then accelerates the body as a whole.

use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use crate::body::{Body, Model, State};
use crate::force::{Account, Blocks, Force, ForceEnergy, Part};
use serde::Deserialize;
use std::sync::Arc;

/// Omits the force of each spring on its second node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionForgotten {}
crate::identity!(ReactionForgotten {});

impl ReactionForgotten {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "ReactionForgotten",
        title: "reaction forgotten",
        summary: "a.force += f without b.force -= f: a spring pulls only its first node",
        symptom: "my rope falls straight down as if its pin did not hold it",
        correct: "A spring pulls both of its ends with opposite forces: a.force += f; b.force -= f.",
        options: &[],
    };
}

impl Slip for ReactionForgotten {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.needs_explicit_steps(slip)?;
        target.replace_linear_springs(slip, |part| Arc::new(OneSided { part }))
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Springs)
    }
}

/// Linear springs that pull only their first node.
#[derive(Debug)]
struct OneSided {
    part: Part,
}
crate::identity!(OneSided { part });

impl Force for OneSided {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let model = body.model;
        let n = model.nodes();
        for j in self.part.springs(model).filter(|j| !body.springs.is_broken(*j)) {
            let spring = &model.springs[j];
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let tension = spring.stiffness * (length - spring.rest_length);
            for (axis, component) in d.iter().enumerate().take(model.axes) {
                f[axis * n + spring.a] += component / length * tension;
            }
        }
    }

    /// Adds nothing: the slip supports only explicit methods.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    /// Returns 0: springs only respond to other forces.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    /// Books the work as external, because a spring without a reaction has no potential.
    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

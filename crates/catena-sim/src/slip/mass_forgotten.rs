//! Forces that are not divided by the mass: a = F instead of F/m.

use super::other_weight::OtherWeight;
use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use serde::Deserialize;
use std::sync::Arc;

/// Uses the sum of the forces on a node as its acceleration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MassForgotten {}
crate::identity!(MassForgotten {});

impl MassForgotten {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "MassForgotten",
        title: "forces not divided by the mass",
        summary: "a = forces, without / mass, so that a rope of mass m falls with m g",
        symptom: "a heavy rope falls too fast and swings as stiffly as a light one",
        correct: "The acceleration of a node is the sum of its forces over its mass.",
        options: &[],
    };
}

impl Slip for MassForgotten {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    /// Gives all nodes a mass of 1 and the weight of their original masses, which results in the
    /// same motion as the fault.
    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let mass = target.model.mass.clone();
        if mass.iter().all(|it| *it == 1.0) {
            return Err("with masses of 1, a force is an acceleration: \
                        set another mass, such as rope.mass: 2"
                .into());
        }
        if target.method.holds_lengths() && mass.iter().any(|it| *it != mass[0]) {
            return Err(format!(
                "MassForgotten is a slip of forces, but {} also divides corrections by masses, \
                 which differ here: set the same mass for all nodes",
                target.method.info().name
            ));
        }
        target.keep_friction();
        for force in target.forces.iter_mut().filter(|force| OtherWeight::may_replace(&***force)) {
            *force = Arc::new(OtherWeight::new(Arc::clone(force), target.model, mass.clone()));
        }
        target.model.mass.fill(1.0);
        Ok(())
    }

    /// Returns `true`: only the masses of the nodes are different.
    fn keeps_limit(&self) -> bool {
        true
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Masses)
    }
}

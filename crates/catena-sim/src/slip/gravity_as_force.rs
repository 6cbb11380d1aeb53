//! Gravity as a force that does not depend on mass: F = g instead of F = m g.

use super::other_weight::OtherWeight;
use super::{Slip, SlipInfo, SlipTarget};
use serde::Deserialize;
use std::sync::Arc;

/// Adds g to the forces, so that a node of mass m falls with g/m.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GravityAsForce {}
crate::identity!(GravityAsForce {});

impl GravityAsForce {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "GravityAsForce",
        title: "gravity as a force",
        summary: "forces += gravity, so that heavy nodes fall slowly and light ones fast",
        symptom: "changing the mass changes how fast my rope falls; a heavy rope floats",
        correct: "The weight of a node is its mass times gravity: forces += mass * gravity.",
        options: &[],
    };
}

impl Slip for GravityAsForce {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        if target.model.mass.iter().all(|mass| *mass == 1.0) {
            return Err("with masses of 1, gravity as a force changes nothing: \
                        set another mass, such as rope.mass: 2"
                .into());
        }
        for force in target.forces.iter_mut().filter(|force| OtherWeight::may_replace(&***force)) {
            let ones = vec![1.0; target.model.nodes()];
            *force = Arc::new(OtherWeight::new(Arc::clone(force), target.model, ones));
        }
        Ok(())
    }

    /// Returns `true`: a constant force does not change any frequency.
    fn keeps_limit(&self) -> bool {
        true
    }
}

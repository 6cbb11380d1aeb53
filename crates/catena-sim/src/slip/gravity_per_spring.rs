//! Gravity in the loop over springs: each spring adds the weight of both of its nodes, so a node
//! with two springs weighs twice as much as the free end.

use super::other_weight::OtherWeight;
use super::per_spring::{ALSO_PER_MASS, spring_counts};
use super::{Slip, SlipInfo, SlipTarget};
use serde::Deserialize;
use std::sync::Arc;

/// Adds the weight of a node once per spring at the node.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GravityPerSpring {
    /// Whether the weight also acts once in the loop over masses.
    pub also_per_mass: bool,
}
crate::identity!(GravityPerSpring { also_per_mass });

impl GravityPerSpring {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "GravityPerSpring",
        title: "gravity in the spring loop",
        summary: "forces += mass * gravity for both ends of each spring, so inner nodes weigh twice",
        symptom: "my rope falls too fast, and its free end lags behind",
        correct: "Gravity acts once per mass: add it in the loop over masses.",
        options: &[ALSO_PER_MASS],
    };
}

impl Slip for GravityPerSpring {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let counts = spring_counts(target, Self::INFO.name, self.also_per_mass)?;
        let weights = counts.iter().zip(&target.model.mass).map(|(count, mass)| count * mass);
        let weights: Vec<f64> = weights.collect();
        for force in target.forces.iter_mut().filter(|force| OtherWeight::may_replace(&***force)) {
            *force = Arc::new(OtherWeight::new(Arc::clone(force), target.model, weights.clone()));
        }
        Ok(())
    }

    /// Returns `true`: a constant force does not change any frequency.
    fn keeps_limit(&self) -> bool {
        true
    }
}

//! Stiffness times strain as a force, instead of stiffness times elongation. A spring of rest
//! length l then has the stiffness k/l.

use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use serde::Deserialize;

/// Divides the elongation of each spring by its rest length.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrainAsForce {}
crate::identity!(StrainAsForce {});

impl StrainAsForce {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "StrainAsForce",
        title: "strain as a force",
        summary: "k (length - rest) / rest as a force, so k has another unit and another effect",
        symptom: "my rope is far too soft and sags to the floor; the same k is stiff elsewhere",
        correct: "The tension is k (length - rest) with k in force per length; k times strain needs \
                  k = E A, a force.",
        options: &[],
    };
}

impl Slip for StrainAsForce {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        target.needs_spring_forces(Self::INFO.name)?;
        let first = target.model.springs.len() - target.joints;
        if target.model.springs[..first].iter().all(|spring| spring.rest_length == 1.0) {
            return Err("with springs of rest length 1, strain and elongation are equal: \
                        set another number of nodes or another length"
                .into());
        }
        target.keep_friction();
        for spring in &mut target.model.springs[..first] {
            spring.stiffness /= spring.rest_length;
        }
        Ok(())
    }

    /// Returns `true`: the springs only have a different stiffness.
    fn keeps_limit(&self) -> bool {
        true
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Springs)
    }
}

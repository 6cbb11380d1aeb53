//! Drag with the wrong sign: F = +c (v - w) instead of -c (v - w), which adds energy.

use super::scaled_drag::ScaledDrag;
use super::{Slip, SlipInfo, SlipTarget};
use serde::Deserialize;

/// Reverses the drag of the medium.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DragReversed {}
crate::identity!(DragReversed {});

impl DragReversed {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DragReversed",
        title: "drag reversed",
        summary: "forces += drag * velocity, which accelerates every mass and adds energy",
        symptom: "my rope swings higher and higher, the more drag the faster",
        correct: "Drag is against the motion: the force on a mass is -drag * velocity.",
        options: &[],
    };
}

impl Slip for DragReversed {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let factors = vec![-1.0; target.model.nodes()];
        if ScaledDrag::replace_all(target, &factors, -1.0) {
            return Ok(());
        }
        Err("there is no drag: set `drag`, such as drag: 0.01".into())
    }
}

//! Drag in the loop over springs: each spring adds the drag of both of its nodes, so a node with
//! two springs is damped twice as strongly as the free end.

use super::per_spring::{ALSO_PER_MASS, spring_counts};
use super::scaled_drag::ScaledDrag;
use super::{Slip, SlipInfo, SlipTarget};
use serde::Deserialize;

/// Adds the drag of a node once per spring at the node.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DragPerSpring {
    /// Whether the drag also acts once in the loop over masses.
    pub also_per_mass: bool,
}
crate::identity!(DragPerSpring { also_per_mass });

impl DragPerSpring {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DragPerSpring",
        title: "drag in the spring loop",
        summary: "forces -= drag * velocity for both ends of each spring, so inner nodes are damped twice",
        symptom: "my rope comes to rest too soon, about twice as fast as it should",
        correct: "Drag acts once per mass: add it in the loop over masses.",
        options: &[ALSO_PER_MASS],
    };
}

impl Slip for DragPerSpring {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let counts = spring_counts(target, Self::INFO.name, self.also_per_mass)?;
        // The reported resistance belongs to a node with one force.
        if ScaledDrag::replace_all(target, &counts, 1.0) {
            return Ok(());
        }
        Err("there is no drag: set `drag`, such as drag: 0.01".into())
    }
}

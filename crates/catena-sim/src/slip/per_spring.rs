//! Number of springs per node, for slips that add a node's force in the loop over springs.

use super::SlipTarget;
use crate::named::{OptionInfo, OptionKind};

/// Option of slips that add a node's force once per spring.
pub(super) const ALSO_PER_MASS: OptionInfo = OptionInfo {
    name: "also_per_mass",
    summary: "whether the force also acts once in the loop over masses, so an inner node gets it three times",
    default: "false",
    range: "true or false",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

/// Returns the number of structural and shear springs at each node, plus 1 with `also_per_mass`.
/// Springs that events create do not count.
///
/// # Errors
/// The result is 1 for each free node, so the slip `slip` changes nothing.
pub(super) fn spring_counts(
    target: &SlipTarget<'_>,
    slip: &str,
    also_per_mass: bool,
) -> Result<Vec<f64>, String> {
    let model = &*target.model;
    let mut counts = vec![f64::from(u8::from(also_per_mass)); model.nodes()];
    let own = model.springs.len() - target.joints;
    for spring in &model.springs[..model.held.min(own)] {
        counts[spring.a] += 1.0;
        counts[spring.b] += 1.0;
    }
    let is_changed = |(count, is_pinned): (&f64, &bool)| *count != 1.0 && !is_pinned;
    if counts.iter().zip(&model.pinned).any(is_changed) {
        return Ok(counts);
    }
    Err(format!(
        "{slip} needs a free node with more than one spring, but here each has only one: add nodes"
    ))
}

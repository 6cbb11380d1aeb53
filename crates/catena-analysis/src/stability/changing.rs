//! Time-dependent drag: a stability limit must hold at its minimum and at its maximum.

use catena_sim::{Force, Setup};
use std::borrow::Cow;
use std::sync::Arc;

/// Setups with constant drag, at the minimum and at the maximum of a time-dependent one, each with
/// that drag. Otherwise the setup itself and `None`.
pub(super) fn steady(setup: &Setup) -> Vec<(Cow<'_, Setup>, Option<f64>)> {
    let changing = setup.forces.iter().position(|force| !force.extremes().is_empty());
    let Some(index) = changing else { return vec![(Cow::Borrowed(setup), None)] };
    let kept = |force: Arc<dyn Force>| {
        let drag = force.resistance();
        let mut forces = setup.forces.clone();
        forces[index] = force;
        (Cow::Owned(Setup { forces, ..setup.clone() }), Some(drag))
    };
    setup.forces[index].extremes().into_iter().map(kept).collect()
}

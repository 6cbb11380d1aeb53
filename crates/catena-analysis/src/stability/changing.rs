//! Drag that changes with time: a limit has to hold where it is weakest, and where it is strongest.

use catena_sim::{Force, Setup};
use std::borrow::Cow;
use std::sync::Arc;

/// Setups that keep the least and the greatest drag of one whose drag changes, with these drags;
/// otherwise the setup itself.
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

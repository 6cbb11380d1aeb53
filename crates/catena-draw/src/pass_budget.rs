//! Budgets of the runs that a scene simulates before its first frame.

use catena_scene::limits::{PASS_WORK, pass_work, whole_pass_work};
use catena_scene::{Body, Scene};
use catena_sim::{Budget, Setup};
use std::sync::Arc;

/// Maximum work of a pass beyond its estimate, in nanoseconds, for example for the steps of an
/// adaptive method. A run that exceeds it rarely finishes within any budget.
const MAX_OPEN: u64 = 1_000_000_000;

/// Maximum number of node pairs of one body that may touch in a step of a pass.
const MAX_PAIRS: u64 = 4_000_000;

pub(crate) fn bodies(scene: &Scene) -> impl Iterator<Item = &Body> {
    scene.panels.iter().flat_map(|panel| &panel.bodies)
}

/// Budget of each body for this number of frames. `None` if they take too much work.
pub(crate) fn budgets(scene: &Scene, frames: u64) -> Option<Vec<Budget>> {
    let left = PASS_WORK.checked_sub(u64::try_from(whole_pass_work(scene, frames)).ok()?)?;
    // Bodies whose work is unpredictable share what remains, for example if a method chooses its
    // steps.
    let open = bodies(scene).filter(|body| body.setup.is_open()).count().max(1) as u64;
    let budget = |body: &Body| Budget {
        work: u64::try_from(pass_work(body, frames))
            .unwrap_or(u64::MAX)
            .saturating_add(left.min(MAX_OPEN) / open),
        pairs: MAX_PAIRS,
    };
    Some(bodies(scene).map(budget).collect())
}

/// Setup with the budget of a pass. The budget of the run depends on options, on which pictures
/// must not depend.
pub(crate) fn with_budget(setup: &Setup, budget: Budget) -> Arc<Setup> {
    Arc::new(Setup { budget, ..setup.clone() })
}

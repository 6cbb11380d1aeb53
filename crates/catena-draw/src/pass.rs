//! Work limits of simulation passes before the first picture, which find its view and colour
//! ranges.
//!
//! Work is counted, not timed, and depends only on the scene. Every machine, range of frames and
//! command-line limit gets the same result.

use super::camera::BodyWatch;
use catena_scene::limits::{PASS_WORK, pass_work, whole_pass_work};
use catena_scene::{Body, Panel, Scene};
use catena_sim::{Budget, Setup};
use std::sync::Arc;

/// Maximum work of a pass beyond its estimate, such as steps that a method chooses. A run that
/// exceeds it rarely ends within any budget.
const MOST_OPEN: u64 = 1_000_000_000;

/// Maximum number of node pairs of one body that may touch in a step of a pass.
const MOST_PAIRS: u64 = 4_000_000;

fn bodies(scene: &Scene) -> impl Iterator<Item = &Body> {
    scene.panels.iter().flat_map(|panel| &panel.bodies)
}

pub(super) use catena_scene::limits::{affordable_frames, shows_frames};

/// Whether the view should contain all frames, but finding the positions of bodies in them takes
/// too much work.
pub fn gives_up_view(scene: &Scene) -> bool {
    shows_frames(scene) && budgets(scene, scene.frames).is_none()
}

/// Panels and watches for runs that serve both the view and the pictures.
pub struct SharedPass {
    /// Panels of the scene. Their runs have the budgets of the pass.
    pub panels: Vec<Panel>,
    /// One watch per body, in the order of the scene.
    pub watches: Vec<BodyWatch>,
}

impl SharedPass {
    /// Prepares a scene. Returns `None` if its view needs no pass, if a pass takes too much work,
    /// if the scene has smaller budgets than a pass, or if the runs of its frames count other work.
    pub fn of(scene: &Scene) -> Option<Self> {
        // A run that records forces goes step by step, at another price.
        if !shows_frames(scene) || bodies(scene).any(Body::shows_forces) {
            return None;
        }
        let mut budgets = budgets(scene, scene.frames)?.into_iter();
        let (mut panels, mut watches) = (scene.panels.clone(), Vec::new());
        for body in panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
            let (own, pass) = (body.setup.budget, budgets.next()?);
            if own.work < pass.work || own.pairs < pass.pairs {
                return None;
            }
            body.setup = with_budget(&body.setup, pass);
            watches.push(BodyWatch::new(&body.setup));
        }
        Some(Self { panels, watches })
    }
}

/// Budget of each body for this number of frames. `None` if they take too much work.
pub(super) fn budgets(scene: &Scene, frames: u64) -> Option<Vec<Budget>> {
    let left = PASS_WORK.checked_sub(u64::try_from(whole_pass_work(scene, frames)).ok()?)?;
    // Bodies whose work is unpredictable share what remains, for example if a method chooses its
    // steps.
    let open = bodies(scene).filter(|body| body.setup.is_open()).count().max(1) as u64;
    let budget = |body: &Body| Budget {
        work: u64::try_from(pass_work(body, frames))
            .unwrap_or(u64::MAX)
            .saturating_add(left.min(MOST_OPEN) / open),
        pairs: MOST_PAIRS,
    };
    Some(bodies(scene).map(budget).collect())
}

/// Setup with the budget of a pass. The budget of the run depends on options, and pictures must
/// not.
pub(super) fn with_budget(setup: &Setup, budget: Budget) -> Arc<Setup> {
    Arc::new(Setup { budget, ..setup.clone() })
}

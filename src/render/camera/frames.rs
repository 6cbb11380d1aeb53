//! Where the nodes of a scene are in its frames: a pass over the simulation before the first
//! picture.
//!
//! It takes all frames that the scene asks for, whichever of them are drawn, so that every range
//! gets the same view. Its work is counted, not timed: every machine comes to the same end.

use super::bounds::Bounds;
use crate::scene::{Body, Scene};
use crate::sim::{Budget, Outcome, Setup, Simulation, State};
use std::sync::Arc;

/// The most work of a pass over all bodies, in nanoseconds of one core.
const MOST_WORK: u64 = 650_000_000;

/// The most pairs of nodes of one body that may touch each other in a step of a pass.
const MOST_PAIRS: u64 = 1_000_000;

/// How many times its length, or its size at the start, a body that diverges may be large in
/// frames that count.
const SOUND: f64 = 1.5;

/// The box of each node of each body over all frames; `None` if that takes too much work.
pub(super) fn node_boxes(scene: &Scene) -> Option<Vec<Vec<Bounds>>> {
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let work = |body: &&Body| body.setup.frame_cost().saturating_mul(scene.frames.into());
    let all = bodies.iter().map(work).fold(0, u128::saturating_add);
    let left = MOST_WORK.checked_sub(u64::try_from(all).ok()?)?;
    // What only a run shows, such as steps that a method chooses, shares what is left.
    let open = bodies.iter().filter(|body| body.setup.is_open()).count().max(1) as u64;
    let budget = |body: &&Body| Budget {
        work: u64::try_from(work(body)).unwrap_or(u64::MAX).saturating_add(left / open),
        pairs: MOST_PAIRS,
    };
    let run = |body: &&Body| of_body(body, budget(body), scene.frames);
    bodies.iter().map(run).collect()
}

/// The boxes of one body.
fn of_body(body: &Body, budget: Budget, frames: u64) -> Option<Vec<Bounds>> {
    // The budget of the run depends on options, and the view must not.
    let setup = Arc::new(Setup { budget, ..(*body.setup).clone() });
    let n = setup.model.nodes();
    let (mut all, mut sound) = (vec![Bounds::EMPTY; n], vec![Bounds::EMPTY; n]);
    let largest = SOUND * extent(&setup.initial, n).longest().max(setup.model.rest_length());
    let mut simulation = Simulation::new(setup);
    for frame in 0..frames {
        if frame > 0 {
            simulation.advance_frame();
        }
        if simulation.refusal().is_some() {
            return None;
        }
        // What follows a divergence is not shown.
        if simulation.outcome() != Outcome::Fine {
            return Some(sound);
        }
        let state = simulation.state();
        let is_sound = extent(state, n).longest() <= largest;
        for i in 0..n {
            let at = state.position(n, i);
            all[i].include(at, at);
            if is_sound {
                sound[i].include(at, at);
            }
        }
    }
    Some(all)
}

/// The box of a body.
fn extent(state: &State, n: usize) -> Bounds {
    let mut all = Bounds::EMPTY;
    for i in 0..n {
        let at = state.position(n, i);
        all.include(at, at);
    }
    all
}

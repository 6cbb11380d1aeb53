//! Positions of a scene's nodes in all of its frames, found by a simulation before the first
//! picture.
//!
//! The pass covers all frames of the scene even if only some are drawn, so that every range gets
//! the same view. `pass` limits its work.

use super::bounds::Bounds;
use crate::pass;
use catena_scene::{Body, Scene};
use catena_sim::{Budget, Outcome, Simulation, State};
use rayon::prelude::*;

/// Maximum size of a diverging body in frames that count, relative to its length or its initial
/// size.
const SOUND: f64 = 1.5;

/// Positions of a body's nodes.
pub(super) struct NodeBoxes {
    /// Box of each node over all frames that count.
    pub(super) boxes: Vec<Bounds>,
    /// Whether the body diverges.
    pub(super) diverges: bool,
}

/// Boxes of the nodes of each body over all frames. `None` if the pass takes too much work.
pub(super) fn node_boxes(scene: &Scene) -> Option<Vec<NodeBoxes>> {
    let budgets = pass::budgets(scene, scene.frames)?;
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let run = |(body, budget): (&Body, Budget)| of_body(body, budget, scene.frames);
    bodies.into_par_iter().zip(budgets).map(run).collect()
}

/// Boxes of the nodes of one body.
fn of_body(body: &Body, budget: Budget, frames: u64) -> Option<NodeBoxes> {
    let setup = pass::with_budget(&body.setup, budget);
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
        // Frames after a divergence are not shown.
        if simulation.outcome() != Outcome::Fine {
            return Some(NodeBoxes { boxes: sound, diverges: true });
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
    Some(NodeBoxes { boxes: all, diverges: false })
}

/// Box of the whole body.
fn extent(state: &State, n: usize) -> Bounds {
    let mut all = Bounds::EMPTY;
    for i in 0..n {
        let at = state.position(n, i);
        all.include(at, at);
    }
    all
}

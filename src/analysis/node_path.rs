//! The path of a node through a run, and which node tells most.

use crate::sim::{Outcome, Setup, Simulation};
use std::sync::Arc;

/// A node in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeMoment {
    /// Simulated time.
    pub t: f64,
    /// Its position.
    pub x: [f64; 3],
    /// Its velocity.
    pub v: [f64; 3],
}

/// Why a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// The path has all frames.
    Whole,
    /// The next frame diverged.
    Diverged,
    /// The next frame would have exceeded the budget of the run.
    Refused,
}

impl PathEnd {
    /// Why a run ends now; `None` if it goes on.
    pub fn end(run: &Simulation) -> Option<Self> {
        match run.outcome() {
            _ if run.refusal().is_some() => Some(Self::Refused),
            Outcome::Fine => None,
            Outcome::Diverged { .. } => Some(Self::Diverged),
        }
    }
}

/// The path of a node through so many frames, the initial state included, and why it ends.
pub fn node_path(setup: &Arc<Setup>, node: usize, frames: u64) -> (Vec<NodeMoment>, PathEnd) {
    let n = setup.model.nodes();
    let mut run = Simulation::new(Arc::clone(setup));
    let mut path = Vec::new();
    for frame in 0..frames {
        if frame > 0 {
            run.advance_frame();
        }
        if let Some(end) = PathEnd::end(&run) {
            return (path, end);
        }
        let state = run.state();
        let (x, v) = (state.position(n, node), state.velocity(n, node));
        path.push(NodeMoment { t: state.t, x, v });
    }
    (path, PathEnd::Whole)
}

/// The free node farthest from every pin along the springs; the last node if nothing is pinned.
pub fn farthest_node(setup: &Setup) -> usize {
    let model = &setup.model;
    let n = model.nodes();
    let mut neighbours = vec![Vec::new(); n];
    for spring in model.structural() {
        neighbours[spring.a].push(spring.b);
        neighbours[spring.b].push(spring.a);
    }
    let mut order: Vec<usize> = (0..n).filter(|&i| model.pinned[i]).collect();
    let mut is_seen = model.pinned.clone();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        for &other in &neighbours[node] {
            if !is_seen[other] {
                is_seen[other] = true;
                order.push(other);
            }
        }
        next += 1;
    }
    order.last().copied().unwrap_or(n - 1)
}

//! Paths of nodes through a run, and the choice of nodes to follow.

use super::modes::fourier;
use catena_sim::{Outcome, Setup, Simulation};
use std::sync::Arc;

/// Position and velocity of a node in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeMoment {
    /// Simulated time.
    pub t: f64,
    /// Position of the node.
    pub x: [f64; 3],
    /// Velocity of the node.
    pub v: [f64; 3],
}

/// Reason why a path ends.
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
    /// Reason why the run has ended; `None` if it can continue.
    pub fn end(run: &Simulation) -> Option<Self> {
        match run.outcome() {
            _ if run.refusal().is_some() => Some(Self::Refused),
            Outcome::Fine => None,
            Outcome::Diverged { .. } => Some(Self::Diverged),
        }
    }
}

/// Runs a body and returns the paths of `nodes` through at most `frames` frames, including the
/// initial state, with the reason for their end.
pub fn node_paths(
    setup: &Arc<Setup>,
    nodes: &[usize],
    frames: u64,
) -> (Vec<Vec<NodeMoment>>, PathEnd) {
    let n = setup.model.nodes();
    let mut run = Simulation::new(Arc::clone(setup));
    let mut paths = vec![Vec::new(); nodes.len()];
    for frame in 0..frames {
        if frame > 0 {
            run.advance_frame();
        }
        if let Some(end) = PathEnd::end(&run) {
            return (paths, end);
        }
        let state = run.state();
        for (path, node) in paths.iter_mut().zip(nodes) {
            let (x, v) = (state.position(n, *node), state.velocity(n, *node));
            path.push(NodeMoment { t: state.t, x, v });
        }
    }
    (paths, PathEnd::Whole)
}

/// Spectrum of a node's height: angular frequency in radians per unit of time, and amplitude.
/// Computed from the last 2^k moments, for the largest possible k. Empty for fewer than four
/// moments.
pub fn swing(moments: &[NodeMoment], frame_time: f64) -> Vec<[f64; 2]> {
    if moments.len() < 4 {
        return Vec::new();
    }
    let count = 1_usize << moments.len().ilog2();
    let heights: Vec<f64> =
        moments[moments.len() - count..].iter().map(|moment| moment.x[1]).collect();
    let bin = 2.0 * std::f64::consts::PI / (count as f64 * frame_time);
    // Under the window, an oscillation of amplitude 1 has a magnitude of a quarter of the sample
    // count.
    let magnitudes = fourier::magnitudes(&heights).into_iter().enumerate();
    magnitudes.map(|(k, size)| [k as f64 * bin, 4.0 * size / count as f64]).collect()
}

/// Nodes whose motion is most informative: the free node farthest from all pins, and the one
/// halfway to it.
pub fn telling_nodes(setup: &Setup) -> Vec<usize> {
    let order = by_distance(setup);
    let free = &order[order.iter().take_while(|&&node| setup.model.pinned[node]).count()..];
    let mut nodes: Vec<usize> =
        [free.last(), free.get(free.len() / 2)].into_iter().flatten().copied().collect();
    if nodes.is_empty() {
        nodes.push(setup.model.nodes() - 1);
    }
    nodes.dedup();
    nodes
}

/// Nodes reachable along springs in breadth-first order from the pins. Empty if nothing is pinned.
fn by_distance(setup: &Setup) -> Vec<usize> {
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
    order
}

//! Earlier positions of a body, for ghosts and trails.

use catena_scene::{Body, Style};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Positions in the frames before the current one, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// All nodes, for ghosts.
    frames: VecDeque<Vec<f64>>,
    /// Nodes with a trail, in the order of [`Body::trails`].
    trails: VecDeque<Vec<[f64; 3]>>,
}

/// Past of a body as shown in a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownPast {
    /// Positions of ghosts, flat by axis, the latest first.
    pub ghosts: Vec<Vec<f64>>,
    /// Earlier positions of the nodes with a trail, in the order of [`Body::trails`]. The latest
    /// position is first.
    pub trails: Vec<Vec<[f64; 3]>>,
}

impl Past {
    /// Adds the positions of the frame that ends.
    pub fn push(&mut self, body: &Body, x: &[f64]) {
        let most = body.style.ghost_frames() as usize;
        if most > 0 {
            self.frames.truncate(most - 1);
            self.frames.push_front(x.to_vec());
        }
        let n = body.setup.model.nodes();
        let place =
            |node: &usize| [0, 1, 2].map(|axis| x.get(axis * n + node).copied().unwrap_or(0.0));
        let most = body.style.trail_frames as usize;
        if most > 0 && !body.trails.is_empty() {
            self.trails.truncate(most - 1);
            self.trails.push_front(body.trails.iter().map(place).collect());
        }
    }

    /// Past for the frame after the last one that was added.
    pub fn shown(&self, body: &Body) -> ShownPast {
        let Style { ghosts, ghost_gap, .. } = body.style;
        let ghost = |k: u32| self.frames.get((k * ghost_gap) as usize - 1).cloned();
        let trail = |index: usize| self.trails.iter().map(|places| places[index]).collect();
        ShownPast {
            ghosts: (1..=ghosts).filter_map(ghost).collect(),
            trails: (0..body.trails.len()).map(trail).collect(),
        }
    }
}

//! Earlier positions of a body, for ghosts and trails.

use crate::scene::{Body, Style};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Positions in the frames before the current one, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Past {
    frames: VecDeque<Vec<f64>>,
}

/// What a frame shows of the past of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownPast {
    /// Positions of ghosts, flat by axis, the latest first.
    pub ghosts: Vec<Vec<f64>>,
    /// Where the nodes with a trail were, in the order of [`Body::trails`]: one place after the
    /// other, the latest first.
    pub trails: Vec<Vec<[f64; 3]>>,
}

/// How many frames a body remembers.
fn remembered(body: &Body) -> usize {
    let Style { ghosts, ghost_gap, trail_frames, .. } = body.style;
    let trail = if body.trails.is_empty() { 0 } else { trail_frames };
    (ghosts * ghost_gap).max(trail) as usize
}

impl Past {
    /// Takes the positions of the frame that goes by.
    pub fn push(&mut self, body: &Body, x: &[f64]) {
        let most = remembered(body);
        if most == 0 {
            return;
        }
        self.frames.truncate(most - 1);
        self.frames.push_front(x.to_vec());
    }

    /// What the frame after the last one that went by shows.
    pub fn shown(&self, body: &Body) -> ShownPast {
        let Style { ghosts, ghost_gap, trail_frames, .. } = body.style;
        let ghost = |k: u32| self.frames.get((k * ghost_gap) as usize - 1).cloned();
        let n = body.setup.model.nodes();
        let place = |x: &Vec<f64>, node: usize| {
            [0, 1, 2].map(|axis| x.get(axis * n + node).copied().unwrap_or(0.0))
        };
        let trail = |&node: &usize| {
            self.frames.iter().take(trail_frames as usize).map(|x| place(x, node)).collect()
        };
        ShownPast {
            ghosts: (1..=ghosts).filter_map(ghost).collect(),
            trails: body.trails.iter().map(trail).collect(),
        }
    }
}

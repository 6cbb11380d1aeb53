//! Holds pinned nodes in place, or moves them along curves.

use super::curve::Curve;
use crate::body::{Model, State};
use std::sync::Arc;

/// A pinned node that moves.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// The node, which must be pinned, or become so by an event.
    pub node: usize,
    /// Its position at every time.
    pub curve: Arc<dyn Curve>,
}

/// All pinned nodes, and where they are held.
#[derive(Clone, Debug)]
pub struct Anchors {
    nodes: usize,
    axes: usize,
    /// Indices into the flat vectors, and the positions that belong there.
    held: Vec<(usize, f64)>,
    moving: Vec<Anchor>,
}

impl Anchors {
    /// Holds every pinned node where `state` has it, except those in `moving`. Anchors of nodes
    /// that are not pinned do nothing.
    pub fn new(model: &Model, state: &State, moving: &[Anchor]) -> Self {
        let nodes = model.nodes();
        let is_held =
            |node: usize| model.pinned[node] && !moving.iter().any(|anchor| anchor.node == node);
        let held = (0..state.x.len())
            .filter(|index| is_held(index % nodes))
            .map(|index| (index, state.x[index]))
            .collect();
        let moving = moving.iter().filter(|anchor| model.pinned[anchor.node]).cloned().collect();
        Self { nodes, axes: model.axes, held, moving }
    }

    /// Puts pinned nodes where they belong at the state's time, with their velocity.
    pub fn apply(&self, state: &mut State) {
        for &(index, position) in &self.held {
            state.x[index] = position;
            state.v[index] = 0.0;
        }
        for anchor in &self.moving {
            let (position, velocity) = anchor.curve.at(state.t);
            for axis in 0..self.axes {
                state.x[axis * self.nodes + anchor.node] = position[axis];
                state.v[axis * self.nodes + anchor.node] = velocity[axis];
            }
        }
    }
}

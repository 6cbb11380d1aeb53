//! Holds pinned nodes in their place, or moves them along curves.

use super::curve::Curve;
use crate::body::{Model, State};
use std::sync::Arc;

/// A pinned node that moves.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// The node; it must be pinned.
    pub node: usize,
    /// Where it is at what time.
    pub curve: Arc<dyn Curve>,
}

/// The nodes that do not move by themselves, and where they are held.
#[derive(Clone, Debug)]
pub struct Anchors {
    nodes: usize,
    axes: usize,
    /// Index into the flat vectors, and the value that belongs there.
    held: Vec<(usize, f64)>,
    moving: Vec<Anchor>,
}

impl Anchors {
    /// Holds every pinned node where the state has it, but for those that move.
    pub fn new(model: &Model, state: &State, moving: &[Anchor]) -> Self {
        let nodes = model.nodes();
        let is_held =
            |node: usize| model.pinned[node] && !moving.iter().any(|anchor| anchor.node == node);
        let held = (0..state.x.len())
            .filter(|index| is_held(index % nodes))
            .map(|index| (index, state.x[index]))
            .collect();
        Self { nodes, axes: model.axes, held, moving: moving.to_vec() }
    }

    /// Puts the pinned nodes where they are at the state's time, with their velocity, whatever a method made of them.
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

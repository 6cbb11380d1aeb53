//! Pinned nodes, held in place or moved along curves.

use super::curve::Curve;
use crate::body::{Model, State};
use std::sync::Arc;

/// A moving pinned node.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// Index of the node. The anchor has an effect while the node is pinned, from the start or by
    /// an event.
    pub node: usize,
    /// Position as a function of time.
    pub curve: Arc<dyn Curve>,
}
crate::identity!(Anchor { node, curve });

/// All pinned nodes and their positions.
#[derive(Clone, Debug)]
pub struct Anchors {
    nodes: usize,
    axes: usize,
    /// Indices into the flat vectors, and the fixed values there.
    held: Vec<(usize, f64)>,
    moving: Vec<Anchor>,
}

impl Anchors {
    /// Holds every pinned node at its position in `state`, except those in `moving`. Anchors of
    /// nodes that are not pinned have no effect.
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

    /// Holds each pin without a curve at its position in `state` from this call on.
    pub(crate) fn hold_at(&mut self, state: &State) {
        self.held.iter_mut().for_each(|(index, position)| *position = state.x[*index]);
    }

    /// Sets the positions and velocities of pinned nodes for the state's time.
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

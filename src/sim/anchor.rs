//! Holds pinned nodes in their place.

use super::{Model, State};

/// The nodes that do not move by themselves, and where they are held.
#[derive(Clone, Debug)]
pub struct Anchors {
    /// Index into the flat vectors, and the value that belongs there.
    held: Vec<(usize, f64)>,
}

impl Anchors {
    /// Holds every pinned node where the state has it.
    pub fn new(model: &Model, state: &State) -> Self {
        let held = (0..state.x.len())
            .filter(|index| model.pinned[index % model.nodes()])
            .map(|index| (index, state.x[index]))
            .collect();
        Self { held }
    }

    /// Puts the pinned nodes back, whatever a method made of them.
    pub fn apply(&self, state: &mut State) {
        for &(index, position) in &self.held {
            state.x[index] = position;
            state.v[index] = 0.0;
        }
    }
}

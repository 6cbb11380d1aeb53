//! Existence of springs per frame: some break, and events cut or create some.

use catena_sim::Simulation;
use std::collections::BTreeMap;

/// Existence of a body's springs over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Presence {
    /// Whether each spring is missing in the first frame.
    missing: Vec<bool>,
    /// Whether each spring is missing in the current state.
    now: Vec<bool>,
    /// Frames, counted from the first exported one, at which springs appear or disappear.
    turns: BTreeMap<usize, Vec<usize>>,
}

/// Extent of an element's existence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stay {
    /// The element exists in all frames.
    Always,
    /// The element exists in some frames.
    Sometimes,
    /// The element exists in no frame.
    Never,
}

impl Presence {
    /// Reads the springs of a simulation: first structural ones, then those that events create.
    pub(super) fn look(&mut self, simulation: &Simulation, structural: usize, count: usize) {
        let memory = simulation.springs();
        let model = &simulation.setup().model;
        let made = model.springs.len() - (count - structural);
        let number = |j: usize| if j < structural { j } else { made + j - structural };
        self.now.clear();
        self.now.extend((0..count).map(|j| memory.is_broken(number(j))));
    }

    /// Records the last state read as that of a frame.
    pub(super) fn keep(&mut self, frame: usize) {
        if frame == 0 {
            self.missing.clone_from(&self.now);
            return;
        }
        for (spring, is_missing) in self.now.iter().enumerate() {
            let turns = self.turns.get(&spring).map_or(0, Vec::len);
            if *is_missing != (self.missing[spring] ^ (turns % 2 == 1)) {
                self.turns.entry(spring).or_default().push(frame);
            }
        }
    }

    /// Whether a spring exists at a frame.
    pub(super) fn is_there(&self, spring: usize, frame: usize) -> bool {
        let is_past = |turn: &&usize| **turn <= frame;
        let turns = self.turns.get(&spring).map_or(0, |turns| turns.iter().filter(is_past).count());
        let is_missing = self.missing.get(spring).copied().unwrap_or(false);
        is_missing == (turns % 2 == 1)
    }

    /// Whether all of some springs exist at a frame.
    pub(super) fn are_there(&self, springs: &[usize], frame: usize) -> bool {
        springs.iter().all(|spring| self.is_there(*spring, frame))
    }

    /// Extent of the common existence of some springs, without checking each frame.
    pub(super) fn stay(&self, springs: &[usize]) -> Stay {
        let is_missing = |spring: &usize| self.missing.get(*spring).copied().unwrap_or(false);
        let turns = |spring: &usize| self.turns.contains_key(spring);
        if springs.iter().any(|spring| is_missing(spring) && !turns(spring)) {
            Stay::Never
        } else if springs.iter().any(turns) {
            Stay::Sometimes
        } else {
            Stay::Always
        }
    }
}

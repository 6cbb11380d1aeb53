//! Which springs there are at each frame: some break, and events cut and make some.

use catena_sim::Simulation;
use std::collections::BTreeMap;

/// The springs of a body over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Presence {
    /// Whether each spring is missing in the first frame.
    missing: Vec<bool>,
    /// Whether each is missing now.
    now: Vec<bool>,
    /// The frames, counted from the first, at which springs come or go.
    turns: BTreeMap<usize, Vec<usize>>,
}

/// Whether a spring is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stay {
    /// In all frames.
    Always,
    /// In some.
    Sometimes,
    /// In none.
    Never,
}

impl Presence {
    /// Looks at the springs of a simulation: structural ones, and then those that events make.
    pub(super) fn look(&mut self, simulation: &Simulation, structural: usize, count: usize) {
        let memory = simulation.springs();
        let model = &simulation.setup().model;
        let made = model.springs.len() - (count - structural);
        let number = |j: usize| if j < structural { j } else { made + j - structural };
        self.now.clear();
        self.now.extend((0..count).map(|j| memory.is_broken(number(j))));
    }

    /// Keeps what was last looked at as that of a frame.
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

    /// Whether a spring is there at a frame.
    pub(super) fn is_there(&self, spring: usize, frame: usize) -> bool {
        let is_past = |turn: &&usize| **turn <= frame;
        let turns = self.turns.get(&spring).map_or(0, |turns| turns.iter().filter(is_past).count());
        let is_missing = self.missing.get(spring).copied().unwrap_or(false);
        is_missing == (turns % 2 == 1)
    }

    /// Whether some springs are all there.
    pub(super) fn are_there(&self, springs: &[usize], frame: usize) -> bool {
        springs.iter().all(|spring| self.is_there(*spring, frame))
    }

    /// How long some springs are there together, as far as that is known without looking at each
    /// frame.
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

//! Impulses of contacts that go on, from step to step: what lies still needs the same impulses
//! again, so the search for them begins there and ends with no error at all.
//!
//! They are a part of the state of a run: checkpoints have them.

use super::solve::{Contact, Impulse};
use super::step::{DrawnSolver, PLACE, apart};

/// Numbers of a contact in a checkpoint.
const NUMBERS: usize = 14;

/// Impulses of the last step, in the order of the pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Impulses {
    all: Vec<Known>,
}

/// Impulses of one contact.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    pair: (usize, usize),
    weights: [f64; 4],
    /// On positions and on velocities.
    way: Impulse,
    speed: Impulse,
}

impl Impulses {
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Remembers the contacts of a step.
    pub(super) fn keep(&mut self, contacts: &[Contact]) {
        self.all.clear();
        self.all.extend(contacts.iter().map(|contact| Known {
            pair: contact.pair,
            weights: contact.weights,
            way: contact.way,
            speed: Impulse { push: contact.push, drag: contact.drag },
        }));
    }

    /// Impulses on positions and on velocities in the last step, at this place of a pair.
    pub(super) fn of(&self, contact: &Contact) -> Option<(Impulse, Impulse)> {
        let first = self.all.partition_point(|known| known.pair < contact.pair);
        let same = self.all[first..].iter().take_while(|known| known.pair == contact.pair);
        let places = same.map(|known| (apart(&known.weights, &contact.weights), known));
        let (far, known) = places.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (far < PLACE).then_some((known.way, known.speed))
    }

    /// Appends all numbers.
    pub(super) fn save(&self, memory: &mut Vec<f64>) {
        for Known { pair, weights, way, speed } in &self.all {
            memory.extend([pair.0 as f64, pair.1 as f64]);
            memory.extend(weights);
            for impulse in [way, speed] {
                memory.push(impulse.push);
                memory.extend(impulse.drag);
            }
        }
    }

    /// Takes over what [`Impulses::save`] gave.
    fn restore(&mut self, memory: &[f64]) {
        let known = |numbers: &[f64; NUMBERS]| {
            let [a, b, w0, w1, w2, w3, ways @ .., s, sx, sy, sz] = *numbers;
            let [w, wx, wy, wz] = ways;
            Known {
                pair: (a as usize, b as usize),
                weights: [w0, w1, w2, w3],
                way: Impulse { push: w, drag: [wx, wy, wz] },
                speed: Impulse { push: s, drag: [sx, sy, sz] },
            }
        };
        self.all.clear();
        self.all.extend(memory.as_chunks().0.iter().map(known));
    }
}

impl DrawnSolver {
    /// Hears that a step went by in which nothing touched.
    pub(crate) fn part(&mut self) {
        self.impulses.clear();
    }

    /// Appends the impulses of the last step, and how many numbers that is.
    pub(crate) fn save(&self, memory: &mut Vec<f64>) {
        let first = memory.len();
        self.impulses.save(memory);
        memory.push((memory.len() - first) as f64);
    }

    /// Takes over what [`DrawnSolver::save`] gave, from the end of a memory. Returns the rest.
    pub(crate) fn restore<'a>(&mut self, memory: &'a [f64]) -> &'a [f64] {
        self.impulses.clear();
        let Some((&count, rest)) = memory.split_last() else { return memory };
        let count = count.max(0.0) as usize;
        // A checkpoint made by hand may hold anything.
        if count > rest.len() || !count.is_multiple_of(NUMBERS) {
            return memory;
        }
        let (rest, impulses) = rest.split_at(rest.len() - count);
        self.impulses.restore(impulses);
        rest
    }
}

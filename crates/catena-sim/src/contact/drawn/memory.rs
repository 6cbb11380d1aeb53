//! Impulses of lasting contacts, stored from step to step. A body at rest needs the same impulses
//! in each step. The stored impulses warm-start the solver, and are then already exact.
//!
//! Stored impulses are part of the state of a run and of checkpoints.

use super::solve::{Contact, Impulse};

/// Difference of weights below which two contacts count as being at the same place.
pub(super) const PLACE: f64 = 0.25;

/// Number of values per contact in a checkpoint.
const NUMBERS: usize = 14;

/// Impulses of the last step, sorted by pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Impulses {
    all: Vec<KnownContact>,
}

/// Impulses of one contact.
#[derive(Clone, Copy, Debug, Default)]
struct KnownContact {
    pair: (usize, usize),
    weights: [f64; 4],
    /// Impulse on positions.
    position_impulse: Impulse,
    /// Impulse on velocities.
    speed: Impulse,
}

impl Impulses {
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Replaces the stored impulses by the impulses of the given contacts.
    pub(super) fn keep(&mut self, contacts: &[Contact]) {
        self.all.clear();
        self.all.extend(contacts.iter().map(|contact| KnownContact {
            pair: contact.pair,
            weights: contact.places,
            position_impulse: contact.position_impulse,
            speed: Impulse { push: contact.push, drag: contact.drag },
        }));
    }

    /// Returns the impulses on positions and on velocities at the same place of a pair in the last
    /// step.
    pub(super) fn of(&self, contact: &Contact) -> Option<(Impulse, Impulse)> {
        let first = self.all.partition_point(|known| known.pair < contact.pair);
        let same = self.all[first..].iter().take_while(|known| known.pair == contact.pair);
        let places = same.map(|known| (apart(&known.weights, &contact.places), known));
        let (far, known) = places.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (far < PLACE).then_some((known.position_impulse, known.speed))
    }

    /// Appends all values to `memory`, and then their number.
    pub(super) fn save(&self, memory: &mut Vec<f64>) {
        let first = memory.len();
        for KnownContact { pair, weights, position_impulse, speed } in &self.all {
            memory.extend([pair.0 as f64, pair.1 as f64]);
            memory.extend(weights);
            for impulse in [position_impulse, speed] {
                memory.push(impulse.push);
                memory.extend(impulse.drag);
            }
        }
        memory.push((memory.len() - first) as f64);
    }

    /// Restores the values that [`Impulses::save`] appended to `memory`. Returns the values before
    /// them.
    pub(super) fn restore<'a>(&mut self, memory: &'a [f64]) -> &'a [f64] {
        self.clear();
        let Some((&count, rest)) = memory.split_last() else { return memory };
        let count = count.max(0.0) as usize;
        // A checkpoint edited by hand may contain any count.
        if count > rest.len() || !count.is_multiple_of(NUMBERS) {
            return memory;
        }
        let (rest, impulses) = rest.split_at(rest.len() - count);
        let known = |numbers: &[f64; NUMBERS]| {
            let [a, b, w0, w1, w2, w3, position @ .., s, sx, sy, sz] = *numbers;
            let [w, wx, wy, wz] = position;
            KnownContact {
                pair: (a as usize, b as usize),
                weights: [w0, w1, w2, w3],
                position_impulse: Impulse { push: w, drag: [wx, wy, wz] },
                speed: Impulse { push: s, drag: [sx, sy, sz] },
            }
        };
        self.all.extend(impulses.as_chunks().0.iter().map(known));
        rest
    }
}

/// Returns the maximum difference between the weights of two contacts of one pair.
pub(super) fn apart(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

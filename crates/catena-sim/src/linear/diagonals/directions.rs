//! Directions of springs. A direction is a run of successive springs in the model, sorted by their
//! first nodes. All of them have the same index distance between their two nodes. A rope has one
//! direction, its bending springs another, and a cloth has six.

use super::table::LANES;
use crate::body::{Model, SpringMemory};

use crate::force::{Part, SpringCoefficient, SpringLaw, System};

/// Marker for no spring.
const NONE: u32 = u32::MAX;

/// Springs of a model by direction.
pub(super) struct Directions {
    /// Index distances that occur, in ascending order.
    pub(super) offsets: Vec<usize>,
    pub(super) all: Vec<Direction>,
    /// Whether springs have broken.
    is_torn: bool,
    /// Number of changes of rest lengths that the lists include.
    length_changes: u64,
}

/// Springs with one index distance between their nodes. Data of a spring are stored at the index of
/// its first node.
pub(super) struct Direction {
    /// Index distance from the first node to the second.
    pub(super) offset: usize,
    /// Index of `offset` in [`Directions::offsets`].
    pub(super) slot: usize,
    pub(super) part: Part,
    pub(super) stiffness: Vec<f64>,
    pub(super) rest: Vec<f64>,
    /// 1 for an unbroken spring, otherwise 0. Stored as `f64` for the lane width of the other
    /// lists.
    pub(super) acts: Vec<f64>,
    /// Index of each spring in the model; [`NONE`] where no spring starts.
    springs: Vec<u32>,
}

impl Directions {
    /// Finds the directions of a model. Returns `None` if its springs are not in such an order.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let n = model.nodes();
        let (mut all, mut last): (Vec<Direction>, usize) = (Vec::new(), 0);
        if model.springs.len() >= NONE as usize {
            return None;
        }
        for (j, spring) in model.springs.iter().enumerate() {
            let offset = spring.b.checked_sub(spring.a).filter(|offset| *offset > 0)?;
            let part = if j < model.held { Part::Held } else { Part::Bending };
            let continues = |direction: &Direction| {
                (direction.offset, direction.part) == (offset, part) && spring.a > last
            };
            if !all.last().is_some_and(continues) {
                // Slots without a spring cost as much as those with one.
                if (all.len() + 1) * n > 2 * model.springs.len() + 64 {
                    return None;
                }
                all.push(Direction::new(n, offset, part));
            }
            let direction = all.last_mut()?;
            direction.stiffness[spring.a] = spring.stiffness;
            direction.rest[spring.a] = spring.rest_length;
            direction.acts[spring.a] = 1.0;
            direction.springs[spring.a] = j as u32;
            last = spring.a;
        }
        let mut offsets: Vec<_> = all.iter().map(|direction| direction.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        for direction in &mut all {
            direction.slot = offsets.binary_search(&direction.offset).ok()?;
        }
        let (is_torn, length_changes) = (false, 0);
        (!all.is_empty()).then_some(Self { offsets, all, is_torn, length_changes })
    }

    /// Returns the number of node pairs that springs join.
    pub(super) fn pairs(&self) -> usize {
        let joined =
            |slot, i: usize| self.all.iter().any(|one| one.slot == slot && one.springs[i] != NONE);
        let nodes = self.all.first().map_or(0, |direction| direction.springs.len());
        (0..self.offsets.len()).map(|slot| (0..nodes).filter(|i| joined(slot, *i)).count()).sum()
    }

    /// Updates the flags of broken springs, and the rest lengths that have changed.
    pub(super) fn update(&mut self, system: &System<'_>) {
        let memory = system.springs;
        let is_torn = !memory.is_whole();
        if is_torn || self.is_torn {
            for direction in &mut self.all {
                for (acts, j) in direction.acts.iter_mut().zip(&direction.springs) {
                    let is_there = *j != NONE && !memory.is_broken(*j as usize);
                    *acts = if is_there { 1.0 } else { 0.0 };
                }
            }
        }
        self.is_torn = is_torn;
        if self.length_changes != system.length_changes() {
            self.length_changes = system.length_changes();
            for direction in &mut self.all {
                direction.renew_lengths(system.model);
            }
        }
    }
}

impl Direction {
    /// Copies the rest lengths and stiffness of the model.
    fn renew_lengths(&mut self, model: &Model) {
        for (place, j) in self.springs.iter().enumerate().filter(|(_, j)| **j != NONE) {
            let spring = &model.springs[*j as usize];
            self.stiffness[place] = spring.stiffness;
            self.rest[place] = spring.rest_length;
        }
    }

    fn new(nodes: usize, offset: usize, part: Part) -> Self {
        let zeros = vec![0.0; nodes.next_multiple_of(LANES)];
        Self {
            offset,
            slot: 0,
            part,
            stiffness: zeros.clone(),
            rest: zeros.clone(),
            acts: zeros,
            springs: vec![NONE; nodes],
        }
    }

    /// Iterates over the first nodes and the indices of the springs.
    fn springs(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.springs.iter().enumerate().filter(|(_, j)| **j != NONE);
        all.map(|(place, j)| (place, *j as usize))
    }

    /// Computes the slope and tension of each spring under a force law, from its length.
    pub(super) fn strain(
        &self,
        law: &dyn SpringLaw,
        model: &Model,
        memory: &SpringMemory,
        length: &[f64],
        slope: &mut [f64],
        tension: &mut [f64],
    ) {
        for (place, j) in self.springs() {
            let (spring, plastic) = (&model.springs[j], memory.plastic(j));
            slope[place] = law.slope(spring, length[place], plastic);
            tension[place] = law.tension(spring, length[place], plastic);
        }
    }

    /// Computes the coefficient of each spring.
    pub(super) fn coefficients(
        &self,
        coefficient: &SpringCoefficient,
        model: &Model,
        all: &mut [f64],
    ) {
        for (place, j) in self.springs() {
            all[place] = coefficient.of(model, j);
        }
    }
}

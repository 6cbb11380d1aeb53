//! Springs that follow each other in the model with one distance between their two nodes, in the
//! order of their first nodes: a direction. A rope has one, its bending springs are another, and a
//! cloth has six.

use super::table::LANES;
use crate::body::{Model, SpringMemory};
use crate::force::{Part, SpringCoefficient, SpringLaw};

/// Stands for no spring.
const NONE: u32 = u32::MAX;

/// A model's springs by direction.
pub(super) struct Directions {
    /// The distances that occur, in order.
    pub(super) offsets: Vec<usize>,
    pub(super) all: Vec<Direction>,
    /// Whether springs have broken.
    is_torn: bool,
}

/// Springs with one distance between their nodes. What is known of a spring stands at the place of
/// its first node.
pub(super) struct Direction {
    /// From the first node to the second.
    pub(super) offset: usize,
    /// The place of this distance among those that occur.
    pub(super) slot: usize,
    pub(super) part: Part,
    pub(super) stiffness: Vec<f64>,
    pub(super) rest: Vec<f64>,
    /// 1 where there is a spring that has not broken, else 0: numbers, so that they are as wide as
    /// the others.
    pub(super) acts: Vec<f64>,
    /// Which spring of the model; [`NONE`] where there is none.
    springs: Vec<u32>,
}

impl Directions {
    /// The directions of a model; `None` where its springs stand in no such order.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let n = model.nodes();
        let (mut all, mut last): (Vec<Direction>, usize) = (Vec::new(), 0);
        if model.springs.len() >= NONE as usize {
            return None;
        }
        for (j, spring) in model.springs.iter().enumerate() {
            let offset = spring.b.checked_sub(spring.a).filter(|offset| *offset > 0)?;
            let part = if j < model.held { Part::Held } else { Part::Bending };
            let goes_on = |direction: &Direction| {
                (direction.offset, direction.part) == (offset, part) && spring.a > last
            };
            if !all.last().is_some_and(goes_on) {
                // Places without a spring take as long as those with one.
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
        (!all.is_empty()).then_some(Self { offsets, all, is_torn: false })
    }

    /// The number of pairs of nodes that springs join.
    pub(super) fn pairs(&self) -> usize {
        let joined =
            |slot, i: usize| self.all.iter().any(|one| one.slot == slot && one.springs[i] != NONE);
        let nodes = self.all.first().map_or(0, |direction| direction.springs.len());
        (0..self.offsets.len()).map(|slot| (0..nodes).filter(|i| joined(slot, *i)).count()).sum()
    }

    /// Takes over which springs have broken.
    pub(super) fn look_at(&mut self, memory: &SpringMemory) {
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
    }
}

impl Direction {
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

    /// Places and numbers of the springs.
    fn springs(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.springs.iter().enumerate().filter(|(_, j)| **j != NONE);
        all.map(|(place, j)| (place, *j as usize))
    }

    /// Slope and tension of each spring under a law, by its length.
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

    /// The coefficient of each spring.
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

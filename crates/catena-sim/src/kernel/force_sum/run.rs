//! Runs: springs whose nodes have a constant offset in the order of nodes.
//!
//! Along a rope, spring i joins nodes i and i + 1. Across a cloth, the springs of one direction
//! join nodes that are one row apart. A run has one place for each consecutive lower node. A place
//! without a spring, such as the end of a row, is a hole without a pull. The order of a spring's
//! nodes has no effect: the pulls at both ends are opposite to the last bit.

use super::TILE;
use crate::body::{Model, SpringMemory};
use std::ops::Range;

/// Constant of a hole; smaller than every rest length and every coefficient of friction.
pub(super) const HOLE: f64 = -1.0;

/// Maximum number of consecutive holes. A larger gap starts another run.
const WIDEST_GAP: usize = 4;

/// Minimum number of springs in a run. Fewer springs are faster one by one.
const MIN: usize = 6;

/// One number per place of a run.
#[derive(Debug)]
pub(super) enum Values {
    /// One value for all places, repeated to the length of a tile so that it can be read as a
    /// slice.
    Same(Vec<f64>),
    Each(Vec<f64>),
}

impl Values {
    pub(super) fn new(mut values: Vec<f64>) -> Self {
        if values.windows(2).any(|pair| pair[0].to_bits() != pair[1].to_bits()) {
            values.shrink_to_fit();
            return Self::Each(values);
        }
        values.truncate(1);
        Self::Same(vec![values.first().copied().unwrap_or(HOLE); TILE])
    }

    /// Returns the values of some places, at most one tile.
    #[inline(always)]
    pub(super) fn of(&self, places: &Range<usize>) -> &[f64] {
        match self {
            Self::Same(values) => &values[..places.len()],
            Self::Each(values) => &values[places.clone()],
        }
    }
}

/// Consecutive springs with node offset `offset`, without their constants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// The lower node of the first place.
    pub(super) first: usize,
    /// Offset of the other node of each place; above 0.
    pub(super) offset: usize,
    /// Index of the spring at each place; `None` for a hole.
    pub(super) springs: Vec<Option<usize>>,
}

/// Springs in the order in which their forces are summed.
#[derive(Debug)]
pub(super) enum Springs {
    Run(Run),
    /// Springs in irregular order.
    Loose(Vec<usize>),
}

impl Run {
    fn of(model: &Model, spring: usize) -> Self {
        let (a, b) = (model.springs[spring].a, model.springs[spring].b);
        Self { first: a.min(b), offset: a.abs_diff(b), springs: vec![Some(spring)] }
    }

    /// Adds a spring if it fits the run. Returns whether the spring was added.
    fn takes(&mut self, model: &Model, spring: usize) -> bool {
        let (a, b) = (model.springs[spring].a, model.springs[spring].b);
        let Some(gap) = a.min(b).checked_sub(self.first + self.springs.len()) else { return false };
        if a.abs_diff(b) != self.offset || gap > WIDEST_GAP {
            return false;
        }
        self.springs.extend(std::iter::repeat_n(None, gap));
        self.springs.push(Some(spring));
        true
    }
}

/// Divides unbroken springs into runs and lists of irregular springs. The order of the sum at each
/// node is preserved.
pub(super) fn divide(model: &Model, memory: &SpringMemory, springs: Range<usize>) -> Vec<Springs> {
    let mut runs: Vec<Run> = Vec::new();
    for spring in springs.filter(|spring| !memory.is_broken(*spring)) {
        if !runs.last_mut().is_some_and(|run| run.takes(model, spring)) {
            runs.push(Run::of(model, spring));
        }
    }
    let mut divided = Vec::new();
    for run in runs {
        if run.springs.iter().flatten().count() >= MIN {
            divided.push(Springs::Run(run));
            continue;
        }
        let loose = run.springs.into_iter().flatten();
        match divided.last_mut() {
            Some(Springs::Loose(springs)) => springs.extend(loose),
            _ => divided.push(Springs::Loose(loose.collect())),
        }
    }
    divided
}

//! The chain as a stream of slots, with the location where each slot's node is read and written.

use super::{BurstStates, ProjectedChain, Round};
use crate::kernel::held_spring;
use std::ops::Range;

/// Position of a node, and its position one step before.
pub(super) type Node<const D: usize> = [[f64; D]; 2];

/// Maximum number of slots in a block.
pub(super) const BLOCK: usize = 64;

/// The nodes of consecutive slots in memory, so that the processor can read ahead.
#[derive(Clone, Copy)]
pub(super) struct Fetched<'a, const D: usize, const REVERSED: bool> {
    /// Positions by axis, now and one step before, with one slot more than the block.
    numbers: [[&'a [f64]; D]; 2],
}

/// Returning nodes, buffered until their block is done. A block longer than the lag overwrites its
/// own input; the buffer preserves this input for a repetition in careful mode.
pub(super) struct Returned<const D: usize> {
    x: [[f64; BLOCK]; D],
    last: [[f64; BLOCK]; D],
    /// Positions at the start of the last step.
    start: [[f64; BLOCK]; D],
}

impl<const D: usize, const REVERSED: bool> Fetched<'_, D, REVERSED> {
    /// Limits the buffer to the first `slots` slots. A known length avoids bounds checks.
    #[inline(always)]
    pub(super) fn first(self, slots: usize) -> Self {
        Self { numbers: self.numbers.map(|by_axis| by_axis.map(|numbers| &numbers[..slots + 1])) }
    }

    /// The node at a place in the block.
    #[inline(always)]
    pub(super) fn node(&self, place: usize) -> Node<D> {
        self.numbers.map(|by_axis| {
            by_axis.map(|numbers| numbers[if REVERSED { numbers.len() - 1 - place } else { place }])
        })
    }
}

impl<const D: usize> Returned<D> {
    pub(super) const EMPTY: Self =
        Self { x: [[0.0; BLOCK]; D], last: [[0.0; BLOCK]; D], start: [[0.0; BLOCK]; D] };

    /// Stores the node of a place in the block, and its position at the start of the step.
    #[inline(always)]
    pub(super) fn put(&mut self, place: usize, [x, last]: Node<D>, start: [f64; D]) {
        for axis in 0..D {
            self.x[axis][place] = x[axis];
            self.last[axis][place] = last[axis];
            self.start[axis][place] = start[axis];
        }
    }
}

/// The stream of one chain. In the first round nodes come from the start, later from the output of
/// the previous round.
pub(super) struct Stream<'a, const D: usize> {
    motion: BurstStates<'a>,
    nodes: usize,
    is_reversed: bool,
    dt: f64,
}

impl<'a, const D: usize> Stream<'a, D> {
    pub(super) fn new(chain: &ProjectedChain<'_>, motion: BurstStates<'a>) -> Self {
        let (nodes, is_reversed) = (chain.model.nodes(), chain.is_reversed);
        Self { motion, nodes, is_reversed, dt: chain.dt }
    }

    /// A slot's node; zeros if it has none.
    #[inline(always)]
    pub(super) fn fetch(&self, slot: usize, is_first: bool) -> Node<D> {
        let mut node = [[0.0; D]; 2];
        if slot < self.nodes {
            let index = held_spring::node_at(self.nodes, self.is_reversed, slot);
            for (which, numbers) in node.iter_mut().enumerate() {
                let from = self.source(which, is_first);
                for (axis, number) in numbers.iter_mut().enumerate() {
                    *number = from[axis * self.nodes + index];
                }
            }
        }
        node
    }

    /// Writes a returning node. `start` is its position at the start of its last step and defines
    /// its velocity.
    #[inline(always)]
    pub(super) fn put(&mut self, slot: usize, [x, last]: Node<D>, start: Option<[f64; D]>) {
        if slot >= self.nodes {
            return;
        }
        let node = held_spring::node_at(self.nodes, self.is_reversed, slot);
        let [all_x, all_last] = &mut self.motion.end;
        for axis in 0..D {
            let place = axis * self.nodes + node;
            (all_x[place], all_last[place]) = (x[axis], last[axis]);
            if let Some(start) = start {
                self.motion.v[place] = (x[axis] - start[axis]) / self.dt;
            }
        }
    }

    /// Returns the nodes of a block and the node after it. All of them must exist.
    #[inline(always)]
    pub(super) fn fetch_block<const REVERSED: bool>(
        &self,
        slots: &Range<usize>,
        is_first: bool,
    ) -> Fetched<'_, D, REVERSED> {
        let range = |axis| self.range(axis, slots.start..slots.end + 1);
        let numbers = [0, 1].map(|which| {
            let all = self.source(which, is_first);
            std::array::from_fn(|axis| &all[range(axis)])
        });
        Fetched { numbers }
    }

    /// Writes the returning nodes of a block.
    #[inline(always)]
    pub(super) fn put_all(&mut self, slots: &Range<usize>, of: Round, given: &Returned<D>) {
        for axis in 0..D {
            let range = self.range(axis, slots.clone());
            let [x, last] = &mut self.motion.end;
            copy(self.is_reversed, &given.x[axis], &mut x[range.clone()]);
            copy(self.is_reversed, &given.last[axis], &mut last[range.clone()]);
            if of.is_last {
                let mut v = given.x[axis];
                for (v, start) in v.iter_mut().zip(&given.start[axis]).take(slots.len()) {
                    *v = (*v - start) / self.dt;
                }
                copy(self.is_reversed, &v, &mut self.motion.v[range]);
            }
        }
    }

    /// Source of the positions, or of the positions one step before.
    #[inline(always)]
    fn source(&self, which: usize, is_first: bool) -> &[f64] {
        if is_first { self.motion.start[which] } else { &*self.motion.end[which] }
    }

    /// Index range of the nodes at consecutive slots, along an axis.
    #[inline(always)]
    fn range(&self, axis: usize, slots: Range<usize>) -> Range<usize> {
        let first = axis * self.nodes;
        if self.is_reversed {
            first + self.nodes - slots.end..first + self.nodes - slots.start
        } else {
            first + slots.start..first + slots.end
        }
    }
}

/// Copies between slot order and node order, up to the shorter length.
#[inline(always)]
fn copy(is_reversed: bool, from: &[f64], to: &mut [f64]) {
    let count = from.len().min(to.len());
    let (from, to) = (&from[..count], &mut to[..count]);
    if is_reversed {
        to.iter_mut().zip(from.iter().rev()).for_each(|(to, from)| *to = *from);
    } else {
        to.copy_from_slice(from);
    }
}

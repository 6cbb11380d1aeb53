//! Chains solved in segments, all of them at a time, to the bits of a solution from end to end.
//!
//! Elimination goes from node to node, and each waits for the one before. But what a node gets from
//! far away fades, until it is less than rounding. So each segment begins some nodes early, from
//! nothing, and goes on until some nodes late. Where the numbers at its true beginning are, bit by
//! bit, those at the end of the segment before, it has the bits of an elimination from the first
//! node; otherwise the chain is solved from end to end after all, and the next segments begin
//! earlier.

use super::elimination::{Backward, Eliminate, Forward, Places};
use super::table::{LANES, Table};
use crate::instructions::Instructions;

/// The most nodes by which segments begin early.
pub(super) const MOST_EARLY: usize = 64;

/// The fewest.
const LEAST_EARLY: usize = 8;

/// Chains shorter than this are solved from end to end.
const SHORTEST: usize = 24;

/// After a failure with the earliest beginnings, so many matrices are solved from end to end.
const PAUSE: u32 = 256;

/// The solver of a chain.
pub(super) struct Segments<const A: usize> {
    nodes: usize,
    /// Nodes of a segment.
    length: usize,
    early: usize,
    /// Matrices until segments are tried again.
    pause: u32,
    blocks: Places,
    factors: Places,
    y: Places,
}

impl<const A: usize> Segments<A> {
    pub(super) fn new(nodes: usize) -> Self {
        let (blocks, factors) = (2 * A * A, 2 * A * A + A);
        Self {
            nodes,
            length: nodes.div_ceil(LANES),
            early: LEAST_EARLY,
            pause: 0,
            blocks: Places::new(blocks),
            factors: Places::new(factors),
            y: Places::new(A),
        }
    }

    /// Eliminates. `false` if the chain must be solved from end to end.
    pub(super) fn prepare(&mut self, set: Instructions, own: &Table, between: &Table) -> bool {
        if self.nodes < SHORTEST || self.pause > 0 {
            self.pause = self.pause.saturating_sub(1);
            return false;
        }
        let (first, end) = (self.early, self.end());
        let places = end + self.early;
        let Self { blocks, factors, y, .. } = self;
        [&mut *blocks, factors, y].into_iter().for_each(|numbers| numbers.resize(places));
        let rows = [own.square::<A>(0), between.square::<A>(0)];
        for (k, row) in rows.as_flattened().as_flattened().iter().enumerate() {
            for place in 0..places {
                let lanes = blocks.lanes_mut(place, k);
                row.stride(place, self.early, self.length, lanes);
            }
        }
        let is_regular = set.run_with(Eliminate::<A> { blocks, factors });
        let uppers = A * A + A..2 * A * A + A;
        if !is_regular || !factors.agree(end - 1, first - 1, uppers.clone()) {
            self.fail();
            return false;
        }
        // Nothing follows the last node; the quotient can be a zero with a sign.
        for (place, lane) in self.places_of(self.nodes - 1) {
            uppers.clone().for_each(|k| self.factors.lanes_mut(place, k)[lane] = 0.0);
        }
        true
    }

    /// Solves for y after [`Segments::prepare`]. `false` if the chain must be solved from end to
    /// end.
    pub(super) fn solve(&mut self, set: Instructions, rhs: &Table, y: &mut [f64]) -> bool {
        let rows = rhs.rows::<A>();
        for place in 0..self.length + 2 * self.early {
            for (k, row) in rows.iter().enumerate() {
                row.stride(place, self.early, self.length, self.y.lanes_mut(place, k));
            }
        }
        let (first, end) = (self.early, self.end());
        let Self { blocks, factors, y: numbers, .. } = self;
        set.run_with(Forward::<A> { blocks, factors, y: numbers });
        if !numbers.agree(end - 1, first - 1, 0..A) {
            self.fail();
            return false;
        }
        set.run_with(Backward::<A> { factors, y: numbers });
        if !numbers.agree(end, first, 0..A) {
            self.fail();
            return false;
        }
        for (k, y) in y.chunks_exact_mut(self.nodes).enumerate() {
            for place in 0..self.length {
                let lanes = self.y.lanes(self.early + place, k);
                for (y, value) in y.iter_mut().skip(place).step_by(self.length).zip(lanes) {
                    *y = *value;
                }
            }
        }
        true
    }

    /// The place after the last node of a segment.
    fn end(&self) -> usize {
        self.early + self.length
    }

    /// Where a node stands: in its segment, and perhaps beyond the ends of those beside it.
    fn places_of(&self, node: usize) -> impl Iterator<Item = (usize, usize)> + use<A> {
        let (early, length) = (self.early, self.length);
        (0..LANES).filter_map(move |lane| {
            let place = (node + early).checked_sub(lane * length)?;
            (place < length + 2 * early).then_some((place, lane))
        })
    }

    /// Lets segments begin earlier.
    fn fail(&mut self) {
        if 2 * self.early <= MOST_EARLY && self.early <= self.length {
            self.early *= 2;
        } else {
            self.pause = PAUSE;
        }
    }
}

//! Chains solved in parallel segments, bit-identical to a solution from end to end.
//!
//! Elimination is sequential along the nodes. However, the influence of distant nodes decays below
//! rounding. Each segment therefore starts some nodes early, from zero. A segment is exact if the
//! values just before its true start are bit-identical to the values at the end of the previous
//! segment. Otherwise all segments restart from the results of the previous ones. Each pass makes
//! at least one more segment exact.

use super::elimination::{Backward, Eliminate, Forward, Places};
use super::table::{LANES, Table};
use crate::instructions::Instructions;

/// Number of nodes by which elimination starts before a segment, and back substitution after it.
const EARLY: usize = 12;

/// Number of nodes that are read beyond the ends of a chain.
pub(super) const MARGIN: usize = EARLY + LANES;

/// Minimum number of nodes. Shorter chains are solved faster from end to end, even if no segment is
/// repeated.
const SHORTEST: usize = 64;

/// Solver for a chain.
pub(super) struct Segments<const A: usize> {
    nodes: usize,
    /// Number of nodes per segment.
    length: usize,
    blocks: Places,
    factors: Places,
    right: Places,
    y: Places,
    x: Places,
}

impl<const A: usize> Segments<A> {
    /// Creates a solver for a chain of `nodes` nodes. Returns `None` if it is too short.
    pub(super) fn new(nodes: usize) -> Option<Self> {
        let length = nodes.div_ceil(LANES);
        let places = |count| Places::new(count, length + 2 * EARLY);
        (nodes >= SHORTEST).then(|| Self {
            nodes,
            length,
            blocks: places(2 * A * A),
            factors: places(2 * A * A + A),
            right: places(A),
            y: places(A),
            x: places(A),
        })
    }

    /// Factors the matrix. Returns `false` if a pivot is 0 or not finite, which an elimination from
    /// end to end might avoid.
    pub(super) fn prepare(&mut self, set: Instructions, own: &Table, between: &Table) -> bool {
        let Self { nodes, length, blocks, factors, .. } = self;
        let rows = [own.square::<A>(0), between.square::<A>(0)];
        for place in 0..*length + 2 * EARLY {
            for (k, row) in rows.as_flattened().as_flattened().iter().enumerate() {
                row.stride(place, EARLY, *length, blocks.lanes_mut(place, k));
            }
        }
        let uppers = A * A + A..2 * A * A + A;
        for pass in 0..LANES {
            let first = if pass == 0 { 0 } else { EARLY };
            if !set.run_with(Eliminate::<A> { blocks, factors, first }) {
                return false;
            }
            if factors.hand_on(EARLY + *length - 1, EARLY - 1, uppers.clone()) {
                break;
            }
        }
        // The last node has no successor, so its U must be +0. The quotient may be -0.
        for lane in 0..LANES {
            let place = (*nodes - 1 + EARLY).checked_sub(lane * *length);
            if let Some(place) = place.filter(|place| *place < *length + 2 * EARLY) {
                uppers.clone().for_each(|k| factors.lanes_mut(place, k)[lane] = 0.0);
            }
        }
        true
    }

    /// Solves for y after [`Segments::prepare`].
    pub(super) fn solve(&mut self, set: Instructions, rhs: &Table, solution: &mut [f64]) {
        let Self { nodes, length, blocks, factors, right, y, x } = self;
        let rows = rhs.rows::<A>();
        let (end, places) = (EARLY + *length, *length + 2 * EARLY);
        for place in 0..places {
            for (k, row) in rows.iter().enumerate() {
                row.stride(place, EARLY, *length, right.lanes_mut(place, k));
            }
        }
        for pass in 0..LANES {
            let first = if pass == 0 { 0 } else { EARLY };
            set.run_with(Forward::<A> { blocks, factors, right, y, first });
            if y.hand_on(end - 1, EARLY - 1, 0..A) {
                break;
            }
        }
        for pass in 0..LANES {
            let end = if pass == 0 { places } else { end };
            set.run_with(Backward::<A> { factors, y, x, end });
            if x.hand_back(EARLY, EARLY + *length, 0..A) {
                break;
            }
        }
        for (k, solution) in solution.chunks_exact_mut(*nodes).enumerate() {
            for place in 0..*length {
                let targets = solution.iter_mut().skip(place).step_by(*length);
                for (target, value) in targets.zip(x.lanes(EARLY + place, k)) {
                    *target = *value;
                }
            }
        }
    }
}

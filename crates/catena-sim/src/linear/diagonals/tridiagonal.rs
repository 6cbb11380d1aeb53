//! Block-tridiagonal systems of chains, filled by the caller.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::segments::{MARGIN, Segments};
use super::table::{Table, TableShape};
use crate::instructions::Instructions;

/// Minimum number of nodes. An elimination from end to end without tables takes less time for
/// shorter chains: segments start early, and stiff chains repeat them.
const SHORTEST: usize = 320;

/// Maximum number of nodes, so that the data fit into the nearer caches.
const LONGEST: usize = 8192;

/// A block-tridiagonal system. The block between two nodes is the same in both orders of the nodes.
pub(crate) struct Tridiagonal<const A: usize> {
    own: Table,
    between: Table,
    right: Table,
    segments: Segments<A>,
    solution: Vec<f64>,
}

impl<const A: usize> Tridiagonal<A> {
    /// Creates a system for `nodes` nodes. Returns `None` if a solution from end to end is faster.
    pub(crate) fn new(nodes: usize) -> Option<Self> {
        if !(SHORTEST..=LONGEST).contains(&nodes) {
            return None;
        }
        let segments = Segments::new(nodes)?;
        let shape = TableShape::new(nodes, MARGIN);
        let mut own = Table::new(A * A, shape, 0.0);
        // This includes the margins, so that there is no division by 0.
        (0..A).for_each(|p| own.fill(p * A + p, 1.0));
        let (between, right) = (Table::new(A * A, shape, 0.0), Table::new(A, shape, 0.0));
        Some(Self { own, between, right, segments, solution: vec![0.0; A * nodes] })
    }

    /// Sets diagonal blocks and right-hand sides of the nodes from `start` on.
    #[inline(always)]
    pub(crate) fn put_own(&mut self, start: usize, own: [[&[f64]; A]; A], right: [&[f64]; A]) {
        put(&mut self.own.square_mut(0), start, &own);
        put(&mut [self.right.rows_mut()], start, &[right]);
    }

    /// Sets the blocks between each node from `start` on and its successor.
    #[inline(always)]
    pub(crate) fn put_between(&mut self, start: usize, between: [[&[f64]; A]; A]) {
        put(&mut self.between.square_mut(0), start, &between);
    }

    /// Solves the system; the solution is flat by axis. Returns `None` if a pivot is 0 or not
    /// finite, which a solution from end to end might avoid.
    pub(crate) fn solve(&mut self, set: Instructions) -> Option<&[f64]> {
        let Self { own, between, right, segments, solution } = self;
        if !segments.prepare(set, own, between) {
            return None;
        }
        segments.solve(set, right, solution);
        Some(solution)
    }
}

/// Copies values into rows, from index `start` on.
#[inline(always)]
fn put<const A: usize, const G: usize>(
    rows: &mut [[&mut [f64]; A]; G],
    start: usize,
    numbers: &[[&[f64]; A]; G],
) {
    for (row, numbers) in rows.as_flattened_mut().iter_mut().zip(numbers.as_flattened()) {
        row[start..start + numbers.len()].copy_from_slice(numbers);
    }
}

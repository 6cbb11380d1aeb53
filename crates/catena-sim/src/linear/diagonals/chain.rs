//! Solver for chains: in segments if possible, otherwise from end to end.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::segments::Segments;
use super::table::{Table, TableShape};
use crate::instructions::Instructions;
use crate::linear::Matrix;
use crate::linear::banded::Banded;

pub(super) struct Chain<const A: usize> {
    nodes: usize,
    segments: Option<Segments<A>>,
    banded: Banded<A>,
    /// Whether the matrix was factored in segments.
    is_in_segments: bool,
    rhs: Table,
    pub(super) operations: u64,
}

impl<const A: usize> Chain<A> {
    pub(super) fn new(nodes: usize, shape: TableShape) -> Self {
        Self {
            nodes,
            segments: Segments::new(nodes),
            banded: Banded::new(nodes, 1),
            is_in_segments: false,
            rhs: Table::new(A, shape, 0.0),
            operations: 0,
        }
    }

    /// Factors the matrix. Returns `false` if it cannot be solved.
    pub(super) fn prepare(&mut self, set: Instructions, own: &Table, between: &Table) -> bool {
        let segments = self.segments.as_mut();
        self.is_in_segments = segments.is_some_and(|one| one.prepare(set, own, between));
        if self.is_in_segments {
            self.operations += self.pass();
            return true;
        }
        let before = self.banded.operations();
        fill(&mut self.banded, 0, 0, own, self.nodes);
        fill(&mut self.banded, 1, 0, between, self.nodes);
        let is_regular = self.banded.prepare();
        self.operations += self.banded.operations() - before;
        is_regular
    }

    /// Solves for y; both sides are flat by axis.
    pub(super) fn solve(&mut self, set: Instructions, rhs: &[f64], y: &mut [f64]) -> bool {
        self.operations += self.pass();
        match &mut self.segments {
            Some(segments) if self.is_in_segments => {
                self.rhs.load::<A>(rhs);
                segments.solve(set, &self.rhs, y);
                true
            }
            _ => self.banded.solve(rhs, y, u64::MAX),
        }
    }

    /// Returns the number of operations on blocks to factor the matrix, which equals the number for
    /// a solution.
    fn pass(&self) -> u64 {
        3 * self.nodes as u64 - 2
    }
}

/// Copies the blocks at an index distance from a square of a table into a banded matrix.
pub(super) fn fill<const A: usize>(
    banded: &mut Banded<A>,
    distance: usize,
    square: usize,
    blocks: &Table,
    nodes: usize,
) {
    let rows = blocks.square::<A>(square);
    banded.fill(distance, &|i| rows.map(|row| row.map(|row| row.at(i))), nodes);
}

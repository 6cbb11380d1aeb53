//! Block-banded matrices, solved directly: A = L U with L lower and U unit upper triangular, both
//! within the band.
//!
//! For i and j from k + 1 to k + reach, the elimination of node k computes U_kj = D_k⁻¹ A_kj and
//! then A_ij -= A_ik U_kj. Pivots are chosen within a block only. There is therefore no fill-in
//! outside the band, and the cost is proportional to the number of nodes. This is safe for positive
//! definite matrices; others may have a singular D_k. With a reach of 1 this is the block Thomas
//! algorithm. Source: Golub and Van Loan, "Matrix Computations", 4.3 and 4.5.

use super::Matrix;
use super::block::subtract_product;
use super::block::{Factored, Square, add, add_multiple, diagonal, gather, product, scatter};
use crate::force::Block;

/// A matrix in which node i depends on nodes i - reach to i + reach.
pub(super) struct Banded<const A: usize> {
    nodes: usize,
    reach: usize,
    /// Blocks in row order, 2 reach + 1 per row. Blocks beyond the ends stay 0.
    blocks: Vec<Square<A>>,
    /// Factored blocks D_k.
    pivots: Vec<Factored<A>>,
    y: Vec<[f64; A]>,
    operations: u64,
}

impl<const A: usize> Banded<A> {
    pub(super) fn new(nodes: usize, reach: usize) -> Self {
        let blocks = vec![[[0.0; A]; A]; nodes * (2 * reach + 1)];
        let y = vec![[0.0; A]; nodes];
        Self { nodes, reach, blocks, pivots: Vec::with_capacity(nodes), y, operations: 0 }
    }

    /// Returns the index of A_ij. i and j must be at most `reach` apart.
    fn at(&self, i: usize, j: usize) -> usize {
        i * (2 * self.reach + 1) + self.reach + j - i
    }

    /// Sets all blocks between nodes i and i + `distance` to `block(i)`, in both orders.
    pub(super) fn fill(
        &mut self,
        distance: usize,
        block: &dyn Fn(usize) -> Square<A>,
        nodes: usize,
    ) {
        for i in 0..nodes.saturating_sub(distance) {
            let (above, below) = (self.at(i, i + distance), self.at(i + distance, i));
            let block = block(i);
            (self.blocks[above], self.blocks[below]) = (block, block);
        }
    }

    /// Returns the indices of the nodes after k that node k depends on.
    fn after(&self, k: usize) -> std::ops::Range<usize> {
        k + 1..self.nodes.min(k + self.reach + 1)
    }
}

impl<const A: usize> Matrix for Banded<A> {
    fn reset(&mut self, own: &dyn Fn(usize) -> f64) {
        for (i, row) in self.blocks.chunks_exact_mut(2 * self.reach + 1).enumerate() {
            row.fill([[0.0; A]; A]);
            row[self.reach] = diagonal(own(i));
        }
    }

    fn add(&mut self, i: usize, j: usize, block: &Block) -> bool {
        if i.abs_diff(j) > self.reach {
            return false;
        }
        let at = self.at(i, j);
        add(&mut self.blocks[at], block);
        true
    }

    /// Returns `false`, because nodes have no unknowns other than their coordinates.
    fn add_at(&mut self, _at: [(usize, usize); 2], _value: f64) -> bool {
        false
    }

    fn prepare(&mut self) -> bool {
        self.pivots.clear();
        for k in 0..self.nodes {
            let Some(pivot) = Factored::new(&self.blocks[self.at(k, k)]) else { return false };
            self.operations += 1;
            for j in self.after(k) {
                let kj = self.at(k, j);
                let upper = pivot.solve_block(&self.blocks[kj]);
                self.blocks[kj] = upper;
                self.operations += 1;
                for i in self.after(k) {
                    let (ij, lower) = (self.at(i, j), self.blocks[self.at(i, k)]);
                    subtract_product(&mut self.blocks[ij], &lower, &upper);
                    self.operations += 1;
                }
            }
            self.pivots.push(pivot);
        }
        true
    }

    fn is_direct(&self) -> bool {
        true
    }

    fn solve(&mut self, rhs: &[f64], y: &mut [f64], _most: u64) -> bool {
        gather(rhs, &mut self.y);
        for k in 0..self.nodes {
            let mut value = self.y[k];
            for j in k.saturating_sub(self.reach)..k {
                let part = product(&self.blocks[self.at(k, j)], &self.y[j]);
                add_multiple(&mut value, -1.0, &part);
                self.operations += 1;
            }
            self.y[k] = self.pivots[k].solve(&value);
            self.operations += 1;
        }
        for k in (0..self.nodes).rev() {
            for j in self.after(k) {
                let part = product(&self.blocks[self.at(k, j)], &self.y[j]);
                add_multiple(&mut self.y[k], -1.0, &part);
                self.operations += 1;
            }
        }
        scatter(&self.y, y);
        true
    }

    fn operations(&self) -> u64 {
        self.operations
    }
}

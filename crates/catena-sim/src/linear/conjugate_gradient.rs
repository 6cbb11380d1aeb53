//! Sparse block matrices, solved by conjugate gradients. The matrices must be symmetric and
//! positive definite.
//!
//! The preconditioner is the inverse of each diagonal block (block Jacobi). The iteration starts at
//! y = 0 and ends when |r - A y| <= tolerance |r|. A direction p with pᵀ A p <= 0 shows that the
//! matrix is not definite, and also ends the iteration. All sums are in node order. Source:
//! Hestenes and Stiefel 1952; Saad, "Iterative Methods for Sparse Linear Systems", 9.2.

use super::block::{Factored, Square, add, add_multiple, diagonal, gather, product, scatter};
use super::{Limits, Matrix};
use crate::body::vector::dot;
use crate::force::Block;

/// A matrix with blocks between some pairs of nodes, in row order and sorted by column.
pub(super) struct Sparse<const A: usize> {
    limits: Limits,
    /// Start index of each row in `columns`, and the end of the last one.
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<Square<A>>,
    diagonal: Vec<Factored<A>>,
    y: Vec<[f64; A]>,
    residual: Vec<[f64; A]>,
    direction: Vec<[f64; A]>,
    image: Vec<[f64; A]>,
    operations: u64,
}

impl<const A: usize> Sparse<A> {
    /// Creates a zero matrix with entries for these pairs, in both orders, and for the diagonal.
    pub(super) fn new(
        nodes: usize,
        pairs: impl Iterator<Item = (usize, usize)>,
        limits: Limits,
    ) -> Self {
        let both = pairs.flat_map(|(i, j)| [(i, j), (j, i)]);
        let mut places: Vec<_> = both.chain((0..nodes).map(|i| (i, i))).collect();
        places.sort_unstable();
        places.dedup();
        let starts =
            (0..=nodes).map(|row| places.partition_point(|(i, _)| *i < row)).collect::<Vec<_>>();
        let zeros = vec![[0.0; A]; nodes];
        Self {
            limits,
            starts,
            blocks: vec![[[0.0; A]; A]; places.len()],
            columns: places.into_iter().map(|(_, j)| j).collect(),
            diagonal: Vec::with_capacity(nodes),
            y: zeros.clone(),
            residual: zeros.clone(),
            direction: zeros.clone(),
            image: zeros,
            operations: 0,
        }
    }

    fn place(&self, i: usize, j: usize) -> Option<usize> {
        let row = self.starts[i]..self.starts[i + 1];
        self.columns[row].binary_search(&j).ok().map(|offset| self.starts[i] + offset)
    }

    /// Computes image = A direction.
    fn multiply(&mut self) {
        for (row, image) in self.starts.windows(2).zip(&mut self.image) {
            let mut sum = [0.0; A];
            for place in row[0]..row[1] {
                let part = product(&self.blocks[place], &self.direction[self.columns[place]]);
                add_multiple(&mut sum, 1.0, &part);
            }
            *image = sum;
        }
        self.operations += self.columns.len() as u64;
    }

    /// Returns the inner product of the residual and the preconditioned residual.
    fn preconditioned_square(&self) -> f64 {
        let rows = self.residual.iter().zip(&self.diagonal);
        rows.map(|(residual, diagonal)| dot(*residual, diagonal.solve(residual))).sum()
    }

    /// Computes direction = preconditioned residual + share · direction.
    fn update_direction(&mut self, share: f64) {
        let rows = self.residual.iter().zip(&self.diagonal);
        for (direction, (residual, diagonal)) in self.direction.iter_mut().zip(rows) {
            let mut next = diagonal.solve(residual);
            add_multiple(&mut next, share, direction);
            *direction = next;
        }
        self.operations += 2 * self.diagonal.len() as u64;
    }

    /// Adds `step` times the direction to y, and subtracts `step` times its image from the
    /// residual.
    fn advance(&mut self, step: f64) {
        for (y, direction) in self.y.iter_mut().zip(&self.direction) {
            add_multiple(y, step, direction);
        }
        for (residual, image) in self.residual.iter_mut().zip(&self.image) {
            add_multiple(residual, -step, image);
        }
    }

    /// Iterates from `residual` to `y`, for at most `maximum` operations in total. Returns whether
    /// y has the required accuracy.
    fn iterate(&mut self, maximum: u64) -> bool {
        let enough = square(&self.residual) * self.limits.tolerance * self.limits.tolerance;
        let mut weight = self.preconditioned_square();
        let mut share = 0.0;
        for _ in 0..self.limits.iterations {
            if square(&self.residual) <= enough {
                return true;
            }
            self.update_direction(share);
            self.multiply();
            if self.operations > maximum {
                return false;
            }
            let pairs = self.direction.iter().zip(&self.image);
            let curvature: f64 = pairs.map(|(direction, image)| dot(*direction, *image)).sum();
            let is_definite = curvature > 0.0 && weight > 0.0;
            if !is_definite || !curvature.is_finite() {
                return false;
            }
            self.advance(weight / curvature);
            let next = self.preconditioned_square();
            share = next / weight;
            weight = next;
        }
        square(&self.residual) <= enough
    }
}

/// Returns the squared length of a vector.
fn square<const A: usize>(vector: &[[f64; A]]) -> f64 {
    vector.iter().map(|value| dot(*value, *value)).sum()
}

impl<const A: usize> Matrix for Sparse<A> {
    fn reset(&mut self, own: &dyn Fn(usize) -> f64) {
        self.blocks.fill([[0.0; A]; A]);
        for i in 0..self.y.len() {
            if let Some(place) = self.place(i, i) {
                self.blocks[place] = diagonal(own(i));
                for part in 3..A {
                    self.blocks[place][part][part] = 0.0;
                }
            }
        }
    }

    fn add(&mut self, i: usize, j: usize, block: &Block) -> bool {
        let Some(place) = self.place(i, j) else { return false };
        add(&mut self.blocks[place], block);
        true
    }

    fn add_at(&mut self, [(i, p), (j, q)]: [(usize, usize); 2], value: f64) -> bool {
        let place = self.place(i, j).filter(|_| p < A && q < A);
        let Some(place) = place else { return false };
        self.blocks[place][p][q] += value;
        true
    }

    fn prepare(&mut self) -> bool {
        self.diagonal.clear();
        for i in 0..self.y.len() {
            let own = self.place(i, i).and_then(|place| Factored::new(&self.blocks[place]));
            let Some(own) = own else { return false };
            self.diagonal.push(own);
        }
        true
    }

    fn is_direct(&self) -> bool {
        false
    }

    fn solve(&mut self, rhs: &[f64], y: &mut [f64], maximum: u64) -> bool {
        gather(rhs, &mut self.residual);
        self.y.fill([0.0; A]);
        self.direction.fill([0.0; A]);
        let is_exact = self.iterate(self.operations.saturating_add(maximum));
        if !square(&self.residual).is_finite() {
            self.y.fill([f64::NAN; A]);
        }
        scatter(&self.y, y);
        is_exact
    }

    fn operations(&self) -> u64 {
        self.operations
    }
}

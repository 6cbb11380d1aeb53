//! Small square blocks: products, and elimination with pivoting.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::body::vector::dot;
use crate::force::Block;

pub(crate) use super::block_lanes::subtract_product;

/// A block of A by A numbers, in row order.
pub(crate) type Square<const A: usize> = [[f64; A]; A];

/// Returns `value` times the identity block.
pub(super) fn diagonal<const A: usize>(value: f64) -> Square<A> {
    std::array::from_fn(|p| std::array::from_fn(|q| if p == q { value } else { 0.0 }))
}

/// Adds the first A rows and columns of a block.
pub(super) fn add<const A: usize>(target: &mut Square<A>, block: &Block) {
    for (target, row) in target.iter_mut().zip(block) {
        for (target, value) in target.iter_mut().zip(row) {
            *target += value;
        }
    }
}

/// Returns a x.
#[inline(always)]
pub(crate) fn product<const A: usize>(a: &Square<A>, x: &[f64; A]) -> [f64; A] {
    a.map(|row| dot(row, *x))
}

/// Computes y += factor x.
#[inline(always)]
pub(crate) fn add_multiple<const A: usize>(y: &mut [f64; A], factor: f64, x: &[f64; A]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// A block factored with partial pivoting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factored<const A: usize> {
    /// L below the diagonal; U on and above it.
    lu: Square<A>,
    /// Index of the original row at each position.
    order: [u8; A],
}

impl<const A: usize> Factored<A> {
    /// Factors a block. Returns `None` if a pivot is 0 or not finite.
    pub(super) fn new(block: &Square<A>) -> Option<Self> {
        let (mut lu, mut order) = (*block, std::array::from_fn(|p| p as u8));
        for k in 0..A {
            let mut best = k;
            for row in k + 1..A {
                if lu[row][k].abs() > lu[best][k].abs() {
                    best = row;
                }
            }
            lu.swap(k, best);
            order.swap(k, best);
            let pivot = lu[k];
            if pivot[k] == 0.0 || !pivot[k].is_finite() {
                return None;
            }
            for row in &mut lu[k + 1..] {
                let share = row[k] / pivot[k];
                row[k] = share;
                for column in k + 1..A {
                    row[column] -= share * pivot[column];
                }
            }
        }
        Some(Self { lu, order })
    }

    /// Returns block⁻¹ b for a vector b.
    pub(super) fn solve(&self, b: &[f64; A]) -> [f64; A] {
        let mut x = self.order.map(|row| b[usize::from(row)]);
        for k in 0..A {
            for column in 0..k {
                x[k] -= self.lu[k][column] * x[column];
            }
        }
        for k in (0..A).rev() {
            for column in k + 1..A {
                x[k] -= self.lu[k][column] * x[column];
            }
            x[k] /= self.lu[k][k];
        }
        x
    }

    /// Returns block⁻¹ b for a block b.
    pub(super) fn solve_block(&self, b: &Square<A>) -> Square<A> {
        let mut result = *b;
        for column in 0..A {
            let solved = self.solve(&b.map(|row| row[column]));
            for (row, value) in result.iter_mut().zip(solved) {
                row[column] = value;
            }
        }
        result
    }
}

/// Copies a vector from a layout flat by axis to one entry per node.
pub(super) fn gather<const A: usize>(flat: &[f64], nodes: &mut [[f64; A]]) {
    let n = nodes.len();
    for (i, node) in nodes.iter_mut().enumerate() {
        *node = std::array::from_fn(|axis| flat[axis * n + i]);
    }
}

/// Copies a vector from one entry per node to a layout flat by axis.
pub(super) fn scatter<const A: usize>(nodes: &[[f64; A]], flat: &mut [f64]) {
    for (axis, flat) in flat.chunks_exact_mut(nodes.len()).enumerate() {
        for (value, node) in flat.iter_mut().zip(nodes) {
            *value = node[axis];
        }
    }
}

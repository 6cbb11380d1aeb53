//! Banded matrices of numbers, solved directly: A = L U with L unit lower and U upper triangular,
//! both within the band.
//!
//! Rows are not exchanged, so there is no fill-in outside the band, and the cost is proportional to
//! the number of nodes. This is safe for positive definite matrices; others may have a pivot of 0.
//! Rods use this form. Bending couples a node to two nodes on either side, and the angles of
//! sections are additional unknowns. The order of nodes may differ from the order in the body, for
//! example in a ring. Source: Golub and Van Loan, "Matrix Computations", 4.3.

use super::Matrix;
use super::block::Square;
use crate::force::Block;
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;

/// Maximum number of entries per row.
const WIDEST: usize = 64;

/// A matrix in which each unknown depends on at most `W` unknowns before it and after it.
pub(super) struct Band<const W: usize> {
    /// Number of unknowns per node; the coordinates come first.
    size: usize,
    /// Position of each node in the order of the matrix.
    places: Vec<usize>,
    /// Entries in row order, 2 `W` + 1 per row, with `W` rows of zeros at the end.
    rows: Vec<f64>,
    /// Reciprocal pivots.
    inverse: Vec<f64>,
    /// Columns of L below the diagonal.
    lower: Vec<[f64; W]>,
    y: Vec<f64>,
    operations: u64,
}

impl<const W: usize> Band<W> {
    /// Number of entries per row.
    const STRIDE: usize = 2 * W + 1;

    /// Creates a matrix of zeros for nodes at the positions `places`.
    pub(super) fn new(size: usize, places: Vec<usize>) -> Self {
        let unknowns = size * places.len();
        Self {
            size,
            places,
            rows: vec![0.0; (unknowns + W) * Self::STRIDE],
            inverse: vec![0.0; unknowns],
            lower: vec![[0.0; W]; unknowns],
            y: vec![0.0; unknowns + W],
            operations: 0,
        }
    }

    /// Index of the entry in a row and a column, if the band contains it.
    fn at(&self, row: usize, column: usize) -> Option<usize> {
        let is_inside = row.abs_diff(column) <= W;
        is_inside.then(|| row * Self::STRIDE + W + column - row)
    }

    /// Sets the blocks in a node's rows: for the two nodes before it, for the node itself, and for
    /// the two nodes after it. Nodes must be in the order of the body.
    #[inline(always)]
    pub(super) fn set_rows<const A: usize>(&mut self, node: usize, blocks: &[Square<A>; 5]) {
        for p in 0..A {
            let mut line = [0.0; WIDEST];
            for (k, block) in blocks.iter().enumerate() {
                line[W + k * A - 2 * A - p..][..A].copy_from_slice(&block[p]);
            }
            let start = (node * A + p) * Self::STRIDE;
            self.rows[start..][..Self::STRIDE].copy_from_slice(&line[..Self::STRIDE]);
        }
    }

    fn unknown(&self, node: usize, part: usize) -> usize {
        self.places[node] * self.size + part
    }
}

impl<const W: usize> Matrix for Band<W> {
    fn reset(&mut self, own: &dyn Fn(usize) -> f64) {
        let filled = self.inverse.len() * Self::STRIDE;
        self.rows[..filled].fill(0.0);
        for node in 0..self.places.len() {
            let first = self.unknown(node, 0);
            for part in 0..self.size.min(3) {
                self.rows[(first + part) * Self::STRIDE + W] = own(node);
            }
        }
    }

    fn add(&mut self, i: usize, j: usize, block: &Block) -> bool {
        let (i, j) = (self.unknown(i, 0), self.unknown(j, 0));
        let axes = self.size.min(3);
        if i.abs_diff(j) + axes > W + 1 {
            return false;
        }
        for (p, row) in block.iter().enumerate().take(axes) {
            let start = (i + p) * Self::STRIDE + W + j - (i + p);
            let to = &mut self.rows[start..start + axes];
            to.iter_mut().zip(row).for_each(|(to, value)| *to += value);
        }
        true
    }

    fn add_at(&mut self, [(i, p), (j, q)]: [(usize, usize); 2], value: f64) -> bool {
        if p >= self.size || q >= self.size {
            return false;
        }
        let Some(at) = self.at(self.unknown(i, p), self.unknown(j, q)) else { return false };
        self.rows[at] += value;
        true
    }

    fn prepare(&mut self) -> bool {
        self.operations += (self.inverse.len() * W.div_ceil(4)) as u64;
        let Self { rows, inverse, lower, .. } = self;
        Instructions::best().run(Elimination::<W> { rows, inverse, lower })
    }

    fn is_direct(&self) -> bool {
        true
    }

    fn solve(&mut self, rhs: &[f64], y: &mut [f64], _most: u64) -> bool {
        let n = self.places.len();
        for (part, rhs) in rhs.chunks_exact(n).enumerate() {
            for (place, value) in self.places.iter().zip(rhs) {
                self.y[place * self.size + part] = *value;
            }
        }
        let Self { rows, inverse, lower, y: own, .. } = self;
        Instructions::best().run(Substitution::<W> { rows, inverse, lower, y: own });
        for (part, y) in y.chunks_exact_mut(n).enumerate() {
            for (place, value) in self.places.iter().zip(y) {
                *value = self.y[place * self.size + part];
            }
        }
        self.operations += self.inverse.len() as u64;
        true
    }

    fn operations(&self) -> u64 {
        self.operations
    }
}

/// Factors a matrix in place.
struct Elimination<'a, const W: usize> {
    rows: &'a mut [f64],
    inverse: &'a mut [f64],
    lower: &'a mut [[f64; W]],
}

impl<const W: usize> NullaryFnOnce for Elimination<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Self { rows, inverse, lower } = self;
        let stride = 2 * W + 1;
        for k in 0..inverse.len() {
            let start = k * stride;
            let (done, rest) = rows[start..start + (W + 1) * stride].split_at_mut(stride);
            let pivot = done[W];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            let over = 1.0 / pivot;
            inverse[k] = over;
            let mut upper = [0.0; W];
            upper.copy_from_slice(&done[W + 1..]);
            let column = &mut lower[k];
            for i in 1..=W {
                let row = &mut rest[(i - 1) * stride + W - i..][..W + 1];
                let share = row[0] * over;
                column[i - 1] = share;
                for j in 0..W {
                    row[j + 1] -= share * upper[j];
                }
            }
        }
        true
    }
}

/// Solves for y in place with a factored matrix.
struct Substitution<'a, const W: usize> {
    rows: &'a [f64],
    inverse: &'a [f64],
    lower: &'a [[f64; W]],
    y: &'a mut [f64],
}

impl<const W: usize> NullaryFnOnce for Substitution<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rows, inverse, lower, y } = self;
        let (stride, count) = (2 * W + 1, inverse.len());
        y[count..].fill(0.0);
        // Numbers that change in each step stay in registers, because reading a vector one place
        // after a store would wait for the store.
        let mut next = [0.0; W];
        next.copy_from_slice(&y[..W]);
        for k in 0..count {
            let value = next[0];
            y[k] = value;
            for i in 0..W {
                let further = if i + 1 < W { next[i + 1] } else { y[k + W] };
                next[i] = further - lower[k][i] * value;
            }
        }
        let mut after = [0.0; W];
        for k in (0..count).rev() {
            let upper = &rows[k * stride + W + 1..(k + 1) * stride];
            // The nearest unknown comes last, because it is computed last.
            let mut sums = [0.0; 4];
            for i in (4..W).rev() {
                sums[i % 4] += upper[i] * after[i];
            }
            let far = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            let mut near = upper[3] * after[3] + upper[2] * after[2];
            near += upper[1] * after[1];
            y[k] = (y[k] - far - near - upper[0] * after[0]) * inverse[k];
            after.copy_within(..W - 1, 1);
            after[0] = y[k];
        }
    }
}

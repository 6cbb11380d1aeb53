//! Couplings over many nodes in a linear system: A - β W D⁻¹ Wᵀ.
//!
//! A quantity may have a node that is near all nodes that it couples. The quantity then becomes an
//! unknown z of this node: A y + β W z = r and β Wᵀ y + β D z = 0. The matrix remains symmetric,
//! and banded along a rope. The larger matrix is positive definite if D and the whole matrix are.
//!
//! Other couplings have few columns in W. The solution of (A - β W D⁻¹ Wᵀ) y = r follows from
//! solutions with A alone. With Z = A⁻¹W it is
//! y = A⁻¹r + β Z s, where (D - β WᵀZ) s = Wᵀ A⁻¹ r. The cost is one more solution per column.
//! Source: Golub and Van Loan, "Matrix Computations", 2.1 (Sherman, Morrison, Woodbury).
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::Matrix;
use crate::body::Model;
use crate::force::Shared;

/// The couplings of a matrix, with the solutions that they need.
#[derive(Debug, Default)]
pub(super) struct SharedTerms {
    terms: Vec<Shared>,
    /// W: a vector per column, flat by axis, with 0 for pinned nodes.
    columns: Vec<Vec<f64>>,
    /// Z = A⁻¹W.
    solved: Vec<Vec<f64>>,
    /// D - β WᵀZ, in row order, after elimination.
    small: Vec<Vec<f64>>,
    /// Index of the original row at each position.
    order: Vec<usize>,
    beta: f64,
}

impl SharedTerms {
    /// Removes all couplings.
    pub(super) fn clear(&mut self) {
        self.terms.clear();
    }

    /// Whether the quantities of any coupling have nodes.
    pub(super) fn has_homes(&self) -> bool {
        self.terms.iter().any(|term| !term.homes.is_empty())
    }

    /// Adds quantities that have nodes to a matrix, as unknowns of these nodes. Adds pairs without
    /// an entry in the matrix to `more`.
    pub(super) fn embed(
        &self,
        matrix: &mut dyn Matrix,
        more: &mut Vec<(usize, usize)>,
        model: &Model,
        beta: f64,
        is_wide: bool,
    ) {
        let mut is_home = vec![false; if is_wide { model.nodes() } else { 0 }];
        let homes = self.terms.iter().flat_map(|term| &term.homes);
        homes.for_each(|home| is_home.get_mut(*home).into_iter().for_each(|is| *is = true));
        for node in (0..is_home.len()).filter(|node| !is_home[*node]) {
            matrix.add_at([(node, 3); 2], 1.0);
        }
        let mut put = |i: (usize, usize), j: (usize, usize), value: f64| {
            let is_there = matrix.add_at([i, j], value) && (i == j || matrix.add_at([j, i], value));
            if !is_there {
                more.push((i.0, j.0));
            }
        };
        for term in self.terms.iter().filter(|term| !term.homes.is_empty()) {
            let (homes, count) = (&term.homes, term.homes.len());
            for (i, (home, own)) in homes.iter().zip(&term.diagonal).enumerate() {
                put((*home, 3), (*home, 3), beta * own);
                if i + 1 < count {
                    put((*home, 3), (homes[i + 1], 3), beta * term.off_diagonal[i]);
                }
            }
            if term.corner != 0.0 && count > 2 {
                put((homes[0], 3), (homes[count - 1], 3), beta * term.corner);
            }
            for coupling in term.couplings.iter().filter(|coupling| !model.pinned[coupling.node]) {
                for (axis, by_x) in coupling.by_x.iter().enumerate().take(model.axes) {
                    let home = homes[coupling.quantity];
                    put((home, 3), (coupling.node, axis), beta * by_x);
                }
            }
        }
    }

    pub(super) fn push(&mut self, term: Shared) {
        self.terms.push(term);
    }

    pub(super) fn terms(&self) -> &[Shared] {
        &self.terms
    }

    /// Prepares for [`SharedTerms::correct`]. `solve` solves with the matrix alone. Returns `false`
    /// if the whole matrix is singular.
    pub(super) fn prepare(
        &mut self,
        model: &Model,
        beta: f64,
        mut solve: impl FnMut(&[f64], &mut [f64]) -> bool,
    ) -> bool {
        let Self { terms, columns, solved, small, order, .. } = self;
        columns.clear();
        solved.clear();
        small.clear();
        order.clear();
        self.beta = beta;
        let (n, axes) = (model.nodes(), model.axes);
        let terms = || terms.iter().filter(|term| term.homes.is_empty());
        for term in terms() {
            for quantity in 0..term.diagonal.len() {
                let mut unit = vec![0.0; term.diagonal.len()];
                unit[quantity] = 1.0;
                let mut column = vec![0.0; axes * n];
                term.scatter(n, axes, &unit, 1.0, |node| !model.pinned[node], &mut column);
                let mut solution = vec![0.0; axes * n];
                solve(&column, &mut solution);
                columns.push(column);
                solved.push(solution);
            }
        }
        let mut first = 0;
        for term in terms() {
            let count = term.diagonal.len();
            for i in 0..count {
                let mut row = vec![0.0; columns.len()];
                row[first + i] = term.diagonal[i];
                if i + 1 < count {
                    row[first + i + 1] = term.off_diagonal[i];
                }
                if i > 0 {
                    row[first + i - 1] = term.off_diagonal[i - 1];
                }
                if count > 2 && i == 0 {
                    row[first + count - 1] = term.corner;
                }
                if count > 2 && i + 1 == count {
                    row[first] = term.corner;
                }
                for (value, solution) in row.iter_mut().zip(&*solved) {
                    *value -= beta * inner(&columns[first + i], solution);
                }
                small.push(row);
            }
            first += count;
        }
        order.extend(0..small.len());
        factor(small, order)
    }

    /// Turns a solution with the matrix alone into one with the couplings.
    pub(super) fn correct(&self, y: &mut [f64]) {
        if self.columns.is_empty() {
            return;
        }
        let right: Vec<f64> = self.columns.iter().map(|column| inner(column, y)).collect();
        let mut s: Vec<f64> = self.order.iter().map(|&row| right[row]).collect();
        let count = s.len();
        for k in 0..count {
            for column in 0..k {
                s[k] -= self.small[k][column] * s[column];
            }
        }
        for k in (0..count).rev() {
            for column in k + 1..count {
                s[k] -= self.small[k][column] * s[column];
            }
            s[k] /= self.small[k][k];
        }
        for (solution, share) in self.solved.iter().zip(&s) {
            y.iter_mut().zip(solution).for_each(|(y, z)| *y += self.beta * share * z);
        }
    }
}

/// Returns the inner product of two vectors.
fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Factors a small matrix with partial pivoting. Returns `false` if a pivot is 0 or not finite.
fn factor(rows: &mut [Vec<f64>], order: &mut [usize]) -> bool {
    for k in 0..rows.len() {
        let mut best = k;
        for row in k + 1..rows.len() {
            if rows[row][k].abs() > rows[best][k].abs() {
                best = row;
            }
        }
        rows.swap(k, best);
        order.swap(k, best);
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivot = &done[k];
        if pivot[k] == 0.0 || !pivot[k].is_finite() {
            return false;
        }
        for row in rest {
            let share = row[k] / pivot[k];
            row[k] = share;
            for column in k + 1..row.len() {
                row[column] -= share * pivot[column];
            }
        }
    }
    true
}

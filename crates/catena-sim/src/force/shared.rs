//! Couplings of many nodes through a few quantities that depend on all of these nodes, such as the
//! twist of a rod.
//!
//! Couplings add W D⁻¹ Wᵀ to ∂f/∂x. Each column of W belongs to one quantity, and D is symmetric
//! and tridiagonal. A twisted rod of stiffness S has one quantity: W is the gradient of its twist,
//! and D = -1/S. A list of blocks would need one block per pair of nodes.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Block, Entry};
use crate::body::Model;
use crate::body::vector::{Vec3, dot, scaled};

/// Derivative of a quantity with respect to the position of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// Index of the quantity.
    pub quantity: usize,
    /// Index of the node.
    pub node: usize,
    /// Entry of W; unused axes are 0.
    pub by_x: Vec3,
}

/// The term W D⁻¹ Wᵀ of ∂f/∂x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// Diagonal of D, one entry per quantity.
    pub diagonal: Vec<f64>,
    /// Off-diagonal entries of D, one fewer than the quantities.
    pub off_diagonal: Vec<f64>,
    /// Entry of D in the first row and last column, and in the last row and first column; 0 except
    /// for rings.
    pub corner: f64,
    /// Entries of W, in the order of quantities.
    pub couplings: Vec<Coupling>,
    /// One distinct node per quantity, near all nodes that the quantity couples; empty if no such
    /// nodes exist.
    pub homes: Vec<usize>,
}

impl Shared {
    /// Solves D z = y in place. The corner entries are a correction of rank 1 (Golub and Van Loan,
    /// 2.1).
    pub fn solve(&self, y: &mut [f64]) {
        let n = y.len();
        if self.corner == 0.0 || n < 3 {
            return self.solve_open(y);
        }
        // D = T + (corner/γ) w wᵀ with w = (γ, 0 … 0, corner), T with its two ends reduced.
        let gamma = -self.diagonal[0];
        let mut open = Self { corner: 0.0, couplings: Vec::new(), ..self.clone() };
        open.diagonal[0] -= gamma;
        open.diagonal[n - 1] -= self.corner * self.corner / gamma;
        let mut w = vec![0.0; n];
        (w[0], w[n - 1]) = (gamma, self.corner);
        open.solve_open(&mut w);
        open.solve_open(y);
        let last = self.corner / gamma;
        let share = (y[0] + last * y[n - 1]) / (1.0 + w[0] + last * w[n - 1]);
        y.iter_mut().zip(&w).for_each(|(y, w)| *y -= share * w);
    }

    /// Solves D z = y in place, without the corner.
    fn solve_open(&self, y: &mut [f64]) {
        let n = y.len();
        let mut pivots = Vec::with_capacity(n);
        for i in 0..n {
            let mut pivot = self.diagonal[i];
            if i > 0 {
                let share = self.off_diagonal[i - 1] / pivots[i - 1];
                pivot -= share * self.off_diagonal[i - 1];
                y[i] -= share * y[i - 1];
            }
            pivots.push(pivot);
        }
        for i in (0..n).rev() {
            if i + 1 < n {
                y[i] -= self.off_diagonal[i] * y[i + 1];
            }
            y[i] /= pivots[i];
        }
    }

    /// Computes Wᵀ x for a vector that is flat by axis.
    pub fn gather(&self, n: usize, axes: usize, x: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.diagonal.len()];
        for Coupling { quantity, node, by_x } in &self.couplings {
            for (axis, by_x) in by_x.iter().enumerate().take(axes) {
                sums[*quantity] += by_x * x[axis * n + node];
            }
        }
        sums
    }

    /// Adds `factor` W z to a vector that is flat by axis, at nodes for which `counts` is `true`.
    pub fn scatter(
        &self,
        n: usize,
        axes: usize,
        z: &[f64],
        factor: f64,
        counts: impl Fn(usize) -> bool,
        out: &mut [f64],
    ) {
        for Coupling { quantity, node, by_x } in &self.couplings {
            if !counts(*node) {
                continue;
            }
            for (axis, by_x) in by_x.iter().enumerate().take(axes) {
                out[axis * n + node] += factor * by_x * z[*quantity];
            }
        }
    }

    /// Computes `factor` W D⁻¹ Wᵀ x and adds it to `out` at nodes that are not pinned.
    pub fn apply(&self, model: &Model, x: &[f64], factor: f64, out: &mut [f64]) {
        let (n, axes) = (model.nodes(), model.axes);
        let mut z = self.gather(n, axes, x);
        self.solve(&mut z);
        self.scatter(n, axes, &z, factor, |node| !model.pinned[node], out);
    }

    /// Returns a copy without the entries of nodes for which `keeps` is `false`. Multiplies all
    /// other entries by `scale` of their node.
    pub fn restricted(&self, keeps: impl Fn(usize) -> bool, scale: impl Fn(usize) -> f64) -> Self {
        let kept = self.couplings.iter().filter(|coupling| keeps(coupling.node));
        let couplings = kept
            .map(|coupling| Coupling {
                by_x: scaled(coupling.by_x, scale(coupling.node)),
                ..*coupling
            })
            .collect();
        Self { couplings, ..self.clone() }
    }

    /// Passes the term as one block per pair of nodes. The work grows with the square of the number
    /// of nodes.
    pub fn expand(&self, take: &mut dyn FnMut(&Entry)) {
        for first in &self.couplings {
            let mut column = vec![0.0; self.diagonal.len()];
            column[first.quantity] = 1.0;
            self.solve(&mut column);
            for second in &self.couplings {
                let share = column[second.quantity];
                let by_x: Block =
                    second.by_x.map(|row| first.by_x.map(|value| row * share * value));
                take(&Entry { i: second.node, j: first.node, by_x, by_v: [[0.0; 3]; 3] });
            }
        }
    }

    /// Returns an upper bound for the absolute sum of each row, for each node and axis: the pairs
    /// (node, sums).
    pub fn row_bounds(&self) -> Vec<(usize, Vec3)> {
        let size = self.diagonal.len();
        let totals: Vec<f64> = (0..size)
            .map(|quantity| {
                let own = self.couplings.iter().filter(|coupling| coupling.quantity == quantity);
                own.map(|coupling| dot(coupling.by_x.map(f64::abs), [1.0; 3])).sum()
            })
            .collect();
        let rows: Vec<f64> = (0..size)
            .map(|quantity| {
                let mut column = vec![0.0; size];
                column[quantity] = 1.0;
                self.solve(&mut column);
                column.iter().zip(&totals).map(|(share, total)| share.abs() * total).sum()
            })
            .collect();
        let bound = |coupling: &Coupling| {
            (coupling.node, scaled(coupling.by_x.map(f64::abs), rows[coupling.quantity]))
        };
        self.couplings.iter().map(bound).collect()
    }
}

//! Symmetric matrices over the free coordinates of a body, factored as L D Lᵀ.
//!
//! Each row is stored from its first entry to the diagonal. The work is linear in the nodes of a
//! rope, and a ring, a tree or a net needs little more. D has as many negative entries as the
//! matrix has negative eigenvalues (Sylvester's law of inertia). Source: George and Liu, "Computer
//! Solution of Large Sparse Positive Definite Systems".
//!
//! Quantities of many nodes give a matrix K = A - W C⁻¹ Wᵀ, which is stored as the larger matrix of
//! A, W and C. The number of negative eigenvalues of the larger matrix, minus the number for C, is
//! the number for K.

use super::layout::Layout;
use catena_sim::{Block, force::Shared};
use std::sync::Arc;

/// Pivot below which a matrix counts as singular, as a share of its maximum diagonal entry.
const SINGULAR: f64 = 1e-14;

/// Minimum length of vectors whose inner product uses several sums.
const LONG: usize = 128;
/// Number of sums in the inner product of long vectors.
const LANES: usize = 8;

/// The symmetric part of a matrix, in a layout.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    layout: Arc<Layout>,
    values: Vec<f64>,
    /// Maximum diagonal entry, by magnitude, that pivots are compared with. `None` uses the
    /// matrix's own maximum.
    reference: Option<f64>,
    /// Number of negative eigenvalues of C.
    of_quantities: usize,
}

impl Envelope {
    /// Creates a matrix of zeros.
    pub(super) fn zeros(layout: Arc<Layout>) -> Self {
        Self { values: vec![0.0; layout.size], layout, reference: None, of_quantities: 0 }
    }

    /// The layout.
    pub(super) fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Makes the current diagonal the reference of pivots; later additions do not change it.
    pub(super) fn fix_reference(&mut self) {
        self.reference = Some(self.scale());
    }

    /// Maximum diagonal entry that pivots are compared with.
    pub(super) fn reference(&self) -> f64 {
        self.reference.unwrap_or_else(|| self.scale())
    }

    /// Adds the rows of a coupling from unknown `first` on, scaled to the size of the other rows.
    /// Returns `false` if the layout does not contain one of its entries.
    pub(super) fn add_shared(&mut self, shared: &Shared, first: usize, scale: f64) -> bool {
        let factor: Vec<f64> =
            shared.diagonal.iter().map(|own| (scale / own.abs()).sqrt()).collect();
        let row = |quantity: usize| self.layout.quantity(first + quantity);
        let mut entries = Vec::new();
        let count = shared.diagonal.len();
        for (quantity, own) in shared.diagonal.iter().enumerate() {
            let square = factor[quantity] * factor[quantity];
            entries.push((row(quantity), row(quantity), square * own));
        }
        for (quantity, entry) in shared.off_diagonal.iter().enumerate() {
            let share = factor[quantity] * factor[quantity + 1];
            entries.push((row(quantity), row(quantity + 1), share * entry));
        }
        if shared.corner != 0.0 {
            let share = factor[0] * factor[count - 1];
            entries.push((row(0), row(count - 1), share * shared.corner));
        }
        for coupling in &shared.couplings {
            for (axis, by_x) in coupling.by_x.iter().enumerate().take(self.layout.axes()) {
                let node = self.layout.row(coupling.node, axis);
                entries.push((row(coupling.quantity), node, factor[coupling.quantity] * by_x));
            }
        }
        let mut fits = true;
        for (a, b, value) in entries {
            let (Some(a), Some(b)) = (a, b) else { continue };
            match self.layout.place(a.max(b), a.min(b)) {
                Some(place) => self.values[place] += value,
                None => fits &= value == 0.0,
            }
        }
        self.of_quantities += negative(shared);
        fits
    }

    /// Adds a multiple of a block to the rows of node i and the columns of node j. Returns `false`
    /// if the layout does not couple the nodes.
    pub(super) fn add(&mut self, [i, j]: [usize; 2], block: &Block, factor: f64) -> bool {
        for (p, line) in block.iter().enumerate().take(self.layout.axes()) {
            for (q, value) in line.iter().enumerate().take(self.layout.axes()) {
                let rows = (self.layout.row(i, p), self.layout.row(j, q));
                let (Some(row), Some(column)) = rows else { return true };
                // Both triangles are added, each with half the weight.
                let share = if row == column { factor } else { 0.5 * factor };
                match self.layout.place(row.max(column), row.min(column)) {
                    Some(place) => self.values[place] += share * value,
                    None => return false,
                }
            }
        }
        true
    }

    /// Stiffness of a node in a direction while all other nodes are fixed; 0 for a pinned node.
    pub(super) fn along(&self, node: usize, direction: [f64; 3]) -> f64 {
        let rows =
            (0..self.layout.axes()).filter_map(|axis| Some((axis, self.layout.row(node, axis)?)));
        let mut sum = 0.0;
        for (p, row) in rows.clone() {
            for (q, column) in rows.clone() {
                let place = self.layout.place(row.max(column), row.min(column));
                sum += place.map_or(0.0, |place| direction[p] * direction[q] * self.values[place]);
            }
        }
        sum
    }

    /// Entry of the diagonal.
    pub(super) fn diagonal(&self, row: usize) -> f64 {
        self.values[self.layout.begin[row] + row - self.layout.first[row]]
    }

    /// Adds a number to an entry of the diagonal.
    pub(super) fn add_diagonal(&mut self, row: usize, value: f64) {
        self.values[self.layout.begin[row] + row - self.layout.first[row]] += value;
    }

    /// Maximum diagonal entry, by magnitude.
    pub(super) fn scale(&self) -> f64 {
        (0..self.layout.rows()).map(|row| self.diagonal(row).abs()).fold(0.0, f64::max)
    }

    /// Multiplies the matrix by a vector of rows.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for row in 0..x.len() {
            let (first, begin) = (self.layout.first[row], self.layout.begin[row]);
            for column in first..row {
                let value = self.values[begin + column - first];
                product[row] += value * x[column];
                product[column] += value * x[row];
            }
            product[row] += self.diagonal(row) * x[row];
        }
        product
    }

    /// Factors the matrix. Pivots that vanish up to rounding count as singular.
    pub(super) fn factor(mut self) -> Factor {
        let scale = self.reference();
        let layout = Arc::clone(&self.layout);
        let mut pivots = vec![0.0; layout.rows()];
        let (mut negative, mut is_singular) = (0, false);
        for row in 0..layout.rows() {
            let (first, begin) = (layout.first[row], layout.begin[row]);
            let (above, rest) = self.values.split_at_mut(begin);
            // Entries of L D, which become entries of L once the row is complete.
            let line = &mut rest[..=row - first];
            for column in first..row {
                let (other, place) = (layout.first[column], layout.begin[column]);
                let from = first.max(other);
                let upper = &above[place + from - other..place + column - other];
                let lower = &line[from - first..column - first];
                line[column - first] -= inner(lower, upper);
            }
            let mut pivot = line[row - first];
            for (entry, before) in line.iter_mut().zip(&pivots[first..row]) {
                let reduced = *entry / before;
                pivot -= *entry * reduced;
                *entry = reduced;
            }
            is_singular |= pivot.is_nan() || pivot.abs() <= SINGULAR * scale;
            negative += usize::from(pivot < 0.0);
            // A pivot of 0 would make all later numbers infinite.
            pivots[row] = if pivot == 0.0 { SINGULAR * scale } else { pivot };
        }
        let negative = negative.saturating_sub(self.of_quantities);
        Factor { layout, lower: self.values, pivots, negative, is_singular }
    }
}

/// A factored matrix.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    layout: Arc<Layout>,
    lower: Vec<f64>,
    pivots: Vec<f64>,
    /// Number of negative eigenvalues.
    pub(super) negative: usize,
    /// Whether an eigenvalue is 0 up to rounding.
    pub(super) is_singular: bool,
}

impl Factor {
    /// Whether every eigenvalue is above 0.
    pub(super) fn is_definite(&self) -> bool {
        self.negative == 0 && !self.is_singular
    }

    /// Solves for a vector of rows.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut y = right.to_vec();
        for row in 0..y.len() {
            let (line, first) = self.line(row);
            y[row] -= inner(line, &y[first..row]);
        }
        y.iter_mut().zip(&self.pivots).for_each(|(y, pivot)| *y /= pivot);
        for row in (0..y.len()).rev() {
            let ((line, first), value) = (self.line(row), y[row]);
            y[first..row].iter_mut().zip(line).for_each(|(y, entry)| *y -= entry * value);
        }
        y
    }

    /// Entries in a row of L, left of the diagonal, and the column of the first entry.
    fn line(&self, row: usize) -> (&[f64], usize) {
        let (first, begin) = (self.layout.first[row], self.layout.begin[row]);
        (&self.lower[begin..begin + row - first], first)
    }
}

/// Inner product. For long vectors it keeps several independent sums, which a processor adds in
/// parallel.
fn inner(a: &[f64], b: &[f64]) -> f64 {
    if a.len() < LONG {
        return a.iter().zip(b).map(|(a, b)| a * b).sum();
    }
    let mut sums = [0.0; LANES];
    let (a_parts, b_parts) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_parts.remainder().iter().zip(b_parts.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_parts.zip(b_parts) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// Number of negative eigenvalues of a coupling's matrix C, from its pivots.
fn negative(shared: &Shared) -> usize {
    let count = shared.diagonal.len();
    let mut diagonal = shared.diagonal.clone();
    // Entries of the last row, which are all nonzero for a ring.
    let mut last = shared.corner;
    let mut negative = 0;
    for i in 0..count {
        let pivot = diagonal[i];
        negative += usize::from(pivot < 0.0);
        if i + 1 == count {
            break;
        }
        let is_next_to_last = i + 2 == count;
        let entry = shared.off_diagonal[i] + if is_next_to_last { last } else { 0.0 };
        diagonal[i + 1] -= entry * entry / pivot;
        if !is_next_to_last && last != 0.0 {
            diagonal[count - 1] -= last * last / pivot;
            last *= -entry / pivot;
        }
    }
    negative
}

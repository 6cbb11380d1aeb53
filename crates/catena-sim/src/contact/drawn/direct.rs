//! Direct solution of contacts that keep their states: a step of Newton's method for the impulses.
//!
//! Sweeps need a number of passes that grows with the square of the number of contacts in a chain,
//! because each sweep carries a change from a contact to its neighbours. If each contact stays
//! open, stuck or sliding in its direction, the impulses are the solution of a linear system.
//! Source: Alart and Curnier 1991, "A mixed formulation for frictional contact problems prone to
//! Newton like solution methods". Contacts along a rope touch few others, so the system has few
//! numbers left and right of its diagonal, and its elimination is about as fast as a sweep.

use super::rows::{Reduced, Row};
use crate::body::vector::{Vec3, dot, inner};

/// Maximum mean number of products per row of a system. Systems with more are left to sweeps.
const ROW_PRODUCTS: usize = 2048;

/// Work of a row besides its elimination, in products.
const FIXED: usize = 60;

/// Pivots below this fraction of their diagonal number belong to contacts that are redundant.
const PIVOT: f64 = 1e-8;

/// Memory of systems, reused from solution to solution.
#[derive(Default)]
pub(super) struct Direct {
    rows: Vec<Row>,
    /// Contacts in the order of elimination, each with the index of its first row.
    order: Vec<(usize, usize)>,
    /// Nodes that can move, each with a row and the number of the node in the row.
    touched: Vec<(usize, usize, usize)>,
    /// Index of the first column of each row that is not 0.
    first: Vec<usize>,
    /// Index in `lower` and `upper` of the first number of each row.
    start: Vec<usize>,
    /// Numbers left of the diagonal, by rows, divided by the pivots of their columns.
    lower: Vec<f64>,
    /// Numbers above the diagonal, by columns.
    upper: Vec<f64>,
    diagonal: Vec<f64>,
    /// Inverse pivots; 0 for a redundant row.
    inverse: Vec<f64>,
    solution: Vec<f64>,
}

impl Direct {
    /// Collects the system of the next [`Direct::step`]. Returns its number of products, or `None`
    /// if a direct solution is slower than sweeps.
    pub(super) fn prepare<C: Reduced>(&mut self, contacts: &[C], values: &[Vec3]) -> Option<u64> {
        self.collect(contacts, values);
        self.arrange()
    }

    /// Solves the prepared system: changes the impulses of all contacts as if each kept its state,
    /// and keeps them within their limits.
    pub(super) fn step<C: Reduced>(&mut self, contacts: &mut [C], values: &mut [Vec3]) {
        self.fill();
        self.eliminate();
        self.solve();
        for (k, &(contact, row)) in self.order.iter().enumerate() {
            let end = self.order.get(k + 1).map_or(self.rows.len(), |next| next.1);
            contacts[contact].change(&self.solution[row..end], values);
        }
    }

    /// Collects the rows of all contacts, in the order of the first node of each contact that can
    /// move.
    fn collect<C: Reduced>(&mut self, contacts: &[C], values: &[Vec3]) {
        let is_planar = values.iter().all(|value| value[2] == 0.0);
        self.order.clear();
        self.order.extend(contacts.iter().enumerate().map(|(k, contact)| (k, contact.place())));
        self.order.sort_by_key(|&(k, place)| (place, k));
        self.rows.clear();
        for (contact, row) in &mut self.order {
            *row = self.rows.len();
            contacts[*contact].rows(values, is_planar, &mut self.rows);
        }
    }

    /// Finds the first column of each row. Returns the number of products of the elimination,
    /// `None` if there are too many.
    fn arrange(&mut self) -> Option<u64> {
        let Self { rows, touched, first, start, .. } = self;
        touched.clear();
        for (index, row) in rows.iter().enumerate() {
            let moves = |k: &usize| row.effect[*k] != [0.0; 3];
            touched.extend((0..4).filter(moves).map(|k| (row.nodes[k], index, k)));
        }
        touched.sort_unstable();
        first.clear();
        first.extend(0..rows.len());
        for group in touched.chunk_by(|a, b| a.0 == b.0) {
            for &(_, row, _) in group {
                first[row] = first[row].min(group[0].1);
            }
        }
        start.clear();
        let (mut count, mut products) = (0, 0);
        for (row, first) in first.iter().enumerate() {
            start.push(count);
            count += row - first;
            let width = row - first;
            products += width * (width + 8) + FIXED;
        }
        (products <= ROW_PRODUCTS * rows.len()).then_some(products as u64)
    }

    /// Computes the numbers of the system: the change of the motion of each row per unit of impulse
    /// of each row.
    fn fill(&mut self) {
        let Self { rows, touched, first, start, lower, upper, diagonal, .. } = self;
        let count = rows.len();
        let size = start.last().map_or(0, |start| start + count - 1 - first[count - 1]);
        for table in [&mut *lower, &mut *upper] {
            table.clear();
            table.resize(size, 0.0);
        }
        diagonal.clear();
        diagonal.resize(count, 0.0);
        for group in touched.chunk_by(|a, b| a.0 == b.0) {
            for &(_, i, k) in group {
                for &(_, j, l) in group {
                    let number = dot(rows[i].motion[k], rows[j].effect[l]);
                    match i.cmp(&j) {
                        std::cmp::Ordering::Greater => lower[start[i] + j - first[i]] += number,
                        std::cmp::Ordering::Less => upper[start[j] + i - first[j]] += number,
                        std::cmp::Ordering::Equal => diagonal[i] += number,
                    }
                }
            }
        }
    }

    /// Eliminates all rows in order, without exchanges: `lower` and `upper` become factors of the
    /// system (Doolittle's method).
    fn eliminate(&mut self) {
        let Self { first, start, lower, upper, diagonal, inverse, .. } = self;
        inverse.clear();
        for i in 0..first.len() {
            let (lower_before, lower_here) = lower.split_at_mut(start[i]);
            let (upper_before, upper_here) = upper.split_at_mut(start[i]);
            for j in first[i]..i {
                let common = first[i].max(first[j]);
                let (here, there) = (common - first[i], start[j] + common - first[j]);
                let (end, there_end) = (j - first[i], start[j] + j - first[j]);
                let left = inner(&lower_here[here..end], &upper_before[there..there_end]);
                let above = inner(&lower_before[there..there_end], &upper_here[here..end]);
                lower_here[end] = (lower_here[end] - left) * inverse[j];
                upper_here[end] -= above;
            }
            let width = i - first[i];
            let pivot = diagonal[i] - inner(&lower_here[..width], &upper_here[..width]);
            let is_redundant = pivot.abs() <= PIVOT * diagonal[i].abs();
            inverse.push(if is_redundant { 0.0 } else { 1.0 / pivot });
        }
    }

    /// Solves the eliminated system for the missing motions.
    fn solve(&mut self) {
        let Self { rows, first, start, lower, upper, inverse, solution, .. } = self;
        solution.clear();
        for (i, row) in rows.iter().enumerate() {
            let width = i - first[i];
            let known = inner(&lower[start[i]..start[i] + width], &solution[first[i]..]);
            solution.push(row.missing - known);
        }
        for i in (0..rows.len()).rev() {
            solution[i] *= inverse[i];
            let (value, width) = (solution[i], i - first[i]);
            for (number, above) in solution[first[i]..i].iter_mut().zip(&upper[start[i]..][..width])
            {
                *number -= above * value;
            }
        }
    }
}

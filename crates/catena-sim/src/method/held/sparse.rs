//! Sparse linear systems with a constant pattern. Order and fill are computed once, and each
//! solution follows a precomputed list of entries.
//!
//! Rows are eliminated by minimum degree, in rounds of independent rows (Liu 1985). For a ring this
//! is cyclic reduction; a tree is eliminated from its leaves. The pattern is symmetric, but the
//! values need not be. There is no pivoting, which is safe if the matrix is nearly positive
//! definite. A pivot that is almost 0 is reported.

use super::rods::MIN_PIVOT;
use std::collections::BTreeSet;

/// Maximum number of updates of entries per solution. Also the maximum number of rows that the
/// search for an order visits. Larger systems are refused.
const MAX_UPDATES: usize = 1 << 22;

/// A matrix with a constant pattern, and its elimination.
#[derive(Debug)]
pub(super) struct Sparse {
    /// Rows in the order of elimination.
    order: Vec<u32>,
    /// Index in `later` of the first later row of each pivot, in order, followed by the length of
    /// `later`.
    starts: Vec<u32>,
    /// For each pivot, the coupled rows that are eliminated after it.
    later: Vec<u32>,
    /// Index of the entry that each update of a pivot changes; a pivot with m later rows has m²
    /// updates.
    targets: Vec<u32>,
    /// The diagonal by row. For each pivot, the entries of its row in later columns and the entries
    /// of its column in later rows follow.
    values: Vec<f64>,
    /// Minimum magnitude of each pivot.
    floors: Vec<f64>,
}

impl Sparse {
    /// Creates a matrix with entries at these pairs of rows, in both orders, and on the diagonal.
    /// `None` if its elimination costs too much.
    pub(super) fn new(rows: usize, pairs: &[[usize; 2]]) -> Option<Self> {
        let mut near = vec![Vec::new(); rows];
        for &[a, b] in pairs {
            near[a].push(b as u32);
            near[b].push(a as u32);
        }
        for list in &mut near {
            list.sort_unstable();
            list.dedup();
        }
        let (order, later) = eliminated(near)?;
        let mut place = vec![0; rows];
        order.iter().enumerate().for_each(|(k, &row)| place[row as usize] = k);
        let mut starts = vec![0];
        for row in &order {
            starts.push(starts[starts.len() - 1] + later[*row as usize].len() as u32);
        }
        let count = starts[rows] as usize;
        let mut matrix = Self {
            order,
            starts,
            later: Vec::with_capacity(count),
            targets: Vec::new(),
            values: vec![0.0; rows + 2 * count],
            floors: vec![0.0; rows],
        };
        for &row in &matrix.order {
            matrix.later.extend(&later[row as usize]);
        }
        for k in 0..rows {
            let range = matrix.range(k);
            for a in range.clone() {
                for b in range.clone() {
                    let [row, column] = [a, b].map(|at| matrix.later[at] as usize);
                    let target = matrix.at(row, column, &place)?;
                    matrix.targets.push(target);
                }
            }
        }
        Some(matrix)
    }

    fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    /// Index of an entry in the values; `None` if the pattern does not contain it.
    fn at(&self, row: usize, column: usize, place: &[usize]) -> Option<u32> {
        if row == column {
            return Some(row as u32);
        }
        let (rows, count) = (self.order.len(), self.later.len());
        let (first, other) = if place[row] < place[column] { (row, column) } else { (column, row) };
        let range = self.range(place[first]);
        let offset = self.later[range.clone()].binary_search(&(other as u32)).ok()?;
        let half = if first == row { rows } else { rows + count };
        u32::try_from(half + range.start + offset).ok()
    }

    /// Indices of entries in the values, for [`Sparse::add`]; `None` if an entry is not in the
    /// pattern.
    pub(super) fn places(&self, entries: &[[usize; 2]]) -> Option<Vec<u32>> {
        let mut place = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(k, &row)| place[row as usize] = k);
        entries.iter().map(|&[row, column]| self.at(row, column, &place)).collect()
    }

    /// Sets all entries to 0.
    pub(super) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to an entry.
    #[inline(always)]
    pub(super) fn add(&mut self, place: u32, value: f64) {
        self.values[place as usize] += value;
    }

    /// Number of updates in a solution.
    pub(super) fn updates(&self) -> usize {
        self.targets.len()
    }

    /// Performs forward elimination on the matrix and the right side. Returns whether every pivot
    /// is large enough.
    pub(super) fn eliminate(&mut self, right: &mut [f64]) -> bool {
        let (rows, count) = (self.order.len(), self.later.len());
        let Self { order, starts, later, targets, values, floors } = self;
        for (floor, diagonal) in floors.iter_mut().zip(&*values) {
            *floor = MIN_PIVOT * diagonal;
        }
        let (mut is_sound, mut target) = (true, targets.iter());
        let (diagonal_and_rows, columns) = (rows + count, rows);
        for (k, &row) in order.iter().enumerate() {
            let (row, from, to) = (row as usize, starts[k] as usize, starts[k + 1] as usize);
            let pivot = values[row];
            is_sound &= pivot > floors[row];
            let inverse = 1.0 / pivot;
            let given = right[row] * inverse;
            right[row] = given;
            for share in &mut values[columns + from..columns + to] {
                *share *= inverse;
            }
            for at in from..to {
                let lower = values[diagonal_and_rows + at];
                right[later[at] as usize] -= lower * given;
                for share in columns + from..columns + to {
                    let Some(&changed) = target.next() else { return false };
                    values[changed as usize] -= lower * values[share];
                }
            }
        }
        is_sound
    }

    /// Performs back substitution in place, after [`Sparse::eliminate`].
    pub(super) fn substitute(&self, right: &mut [f64]) {
        let rows = self.order.len();
        for (k, &row) in self.order.iter().enumerate().rev() {
            let mut value = right[row as usize];
            for at in self.range(k) {
                value -= self.values[rows + at] * right[self.later[at] as usize];
            }
            right[row as usize] = value;
        }
    }
}

/// Returns the order of elimination, and for each row the later rows that it is coupled with.
/// `None` if elimination costs too much. `near` lists the neighbours of each row, in order.
fn eliminated(mut near: Vec<Vec<u32>>) -> Option<(Vec<u32>, Vec<Vec<u32>>)> {
    let rows = near.len();
    let mut later = vec![Vec::new(); rows];
    let mut order = Vec::with_capacity(rows);
    // Remaining rows, by their number of neighbours.
    let degrees = near.iter().map(Vec::len).zip(0..);
    let mut left: BTreeSet<(usize, u32)> = degrees.collect();
    let (mut updates, mut visits) = (0, 0);
    let mut round = vec![0_u32; rows];
    let mut number = 0;
    while let Some(&(minimum, _)) = left.first() {
        number += 1;
        let of_round: Vec<_> = left.range((minimum, 0)..=(minimum, u32::MAX)).copied().collect();
        visits += of_round.len();
        for taken in of_round {
            let row = taken.1 as usize;
            if round[row] == number {
                continue;
            }
            left.remove(&taken);
            let others = std::mem::take(&mut near[row]);
            updates += others.len() * others.len();
            if updates.max(visits) > MAX_UPDATES {
                return None;
            }
            for &other in &others {
                let list = &mut near[other as usize];
                left.remove(&(list.len(), other));
                list.retain(|&it| it as usize != row);
                list.extend(others.iter().filter(|it| **it != other));
                list.sort_unstable();
                list.dedup();
                left.insert((list.len(), other));
                round[other as usize] = number;
            }
            later[row] = others;
            order.push(row as u32);
        }
    }
    Some((order, later))
}

//! Rows of equal length with one value per node, which vectors can read at an offset.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::lane::{Vector, WideSimd};
use std::array::from_fn;

/// Maximum number of lanes of a vector.
pub(super) const LANES: usize = 8;

/// Rows with a margin on both sides, so that reads at an offset need no bounds checks.
pub(super) struct Table {
    margin: usize,
    width: usize,
    /// Distance between the starts of successive rows, including both margins.
    stride: usize,
    /// Index of the first row, aligned to a cache line.
    start: usize,
    numbers: Vec<f64>,
}

impl Table {
    /// Creates rows of a shape, filled with one value including the margins.
    pub(super) fn new(rows: usize, shape: TableShape, value: f64) -> Self {
        let TableShape { margin, width } = shape;
        let stride = width + 2 * margin;
        let numbers = vec![value; rows * stride + LANES];
        let start = numbers.as_ptr().align_offset(LANES * size_of::<f64>()).min(LANES);
        Self { margin, width, stride, start, numbers }
    }

    #[inline(always)]
    fn row(&self, k: usize) -> Row<'_> {
        let start = self.start + k * self.stride;
        Row { margin: self.margin, numbers: &self.numbers[start..start + self.stride] }
    }

    /// Returns the first rows.
    #[inline(always)]
    pub(super) fn rows<const R: usize>(&self) -> [Row<'_>; R] {
        let [rows] = self.groups::<R, 1>(0);
        rows
    }

    /// Returns the k-th square of rows.
    #[inline(always)]
    pub(super) fn square<const A: usize>(&self, k: usize) -> [[Row<'_>; A]; A] {
        self.groups::<A, A>(k * A * A)
    }

    /// Returns groups of rows, starting at row `first`.
    #[inline(always)]
    pub(super) fn groups<const A: usize, const G: usize>(&self, first: usize) -> [[Row<'_>; A]; G] {
        let mut groups = [[Row { margin: 0, numbers: &[] }; A]; G];
        for (k, row) in groups.as_flattened_mut().iter_mut().enumerate() {
            *row = self.row(first + k);
        }
        groups
    }

    /// Returns the first rows without their margins, mutably.
    #[inline(always)]
    pub(super) fn rows_mut<const R: usize>(&mut self) -> [&mut [f64]; R] {
        let [rows] = self.groups_mut::<R, 1>(0);
        rows
    }

    /// Returns the k-th square of rows without their margins, mutably.
    #[inline(always)]
    pub(super) fn square_mut<const A: usize>(&mut self, k: usize) -> [[&mut [f64]; A]; A] {
        self.groups_mut::<A, A>(k * A * A)
    }

    /// Returns groups of rows without their margins, mutably, starting at row `first`.
    #[inline(always)]
    pub(super) fn groups_mut<const A: usize, const G: usize>(
        &mut self,
        first: usize,
    ) -> [[&mut [f64]; A]; G] {
        let mut groups: [[&mut [f64]; A]; G] = from_fn(|_| from_fn(|_| Default::default()));
        let inner = self.margin..self.margin + self.width;
        let rows = self.numbers[self.start + first * self.stride..].chunks_exact_mut(self.stride);
        for (target, row) in groups.as_flattened_mut().iter_mut().zip(rows) {
            *target = &mut row[inner.clone()];
        }
        groups
    }

    /// Sets all values to 0.
    pub(super) fn clear(&mut self) {
        self.numbers.fill(0.0);
    }

    /// Sets all values of a row, including its margins.
    pub(super) fn fill(&mut self, row: usize, value: f64) {
        let start = self.start + row * self.stride;
        self.numbers[start..start + self.stride].fill(value);
    }

    /// Lengths of the rows.
    pub(super) fn shape(&self) -> TableShape {
        TableShape { margin: self.margin, width: self.width }
    }

    /// Sets the value at the node before `node`, which may be in the margin.
    pub(super) fn set_before(&mut self, row: usize, node: usize, value: f64) {
        self.numbers[self.start + row * self.stride + self.margin + node - 1] = value;
    }

    /// Copies all rows of another table of the same shape.
    pub(super) fn copy(&mut self, from: &Self, first: usize, rows: usize) {
        let of = |table: &Self, row: usize| {
            table.start + row * table.stride..table.start + (row + rows) * table.stride
        };
        let (to, from_range) = (of(self, 0), of(from, first));
        self.numbers[to].copy_from_slice(&from.numbers[from_range]);
    }

    /// Copies a vector that is flat by axis into the first rows.
    pub(super) fn load<const A: usize>(&mut self, flat: &[f64]) {
        let nodes = flat.len() / A;
        for (row, flat) in self.rows_mut::<A>().into_iter().zip(flat.chunks_exact(nodes)) {
            row[..nodes].copy_from_slice(flat);
        }
    }

    /// Copies the first rows into a vector that is flat by axis.
    pub(super) fn store<const A: usize>(&self, flat: &mut [f64]) {
        let nodes = flat.len() / A;
        for (row, flat) in self.rows::<A>().into_iter().zip(flat.chunks_exact_mut(nodes)) {
            flat.copy_from_slice(&row.numbers[self.margin..self.margin + nodes]);
        }
    }
}

/// Lengths of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableShape {
    /// Length of each margin, at least the maximum read offset.
    pub(super) margin: usize,
    /// Number of nodes, rounded up to whole vectors.
    pub(super) width: usize,
}

impl TableShape {
    /// Creates the shape for `nodes` nodes with a maximum read offset of `reach`.
    pub(super) fn new(nodes: usize, reach: usize) -> Self {
        Self { margin: reach.next_multiple_of(LANES), width: nodes.next_multiple_of(LANES) }
    }
}

/// A row including its margins.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    margin: usize,
    numbers: &'a [f64],
}

impl<'a> Row<'a> {
    /// Returns the value at a node.
    #[inline(always)]
    pub(super) fn at(self, node: usize) -> f64 {
        self.numbers[self.margin + node]
    }

    /// Returns the values at `nodes` nodes, from `back` nodes before the first.
    pub(super) fn numbers(self, back: usize, nodes: usize) -> &'a [f64] {
        &self.numbers[self.margin - back..][..nodes]
    }

    /// Copies the values at a place of each segment to `lanes`. Segments have `length` nodes, and
    /// their places begin `early` nodes before them.
    #[inline(always)]
    pub(super) fn stride(self, place: usize, early: usize, length: usize, lanes: &mut [f64]) {
        let numbers = self.numbers[self.margin + place - early..].iter().step_by(length);
        for (lane, number) in lanes.iter_mut().zip(numbers) {
            *lane = *number;
        }
    }

    /// Returns the row as vectors.
    #[inline(always)]
    pub(super) fn here<S: WideSimd>(self) -> &'a [S::f64s] {
        self.from::<S>(self.margin)
    }

    /// Returns the row as vectors, starting `nodes` nodes later.
    #[inline(always)]
    pub(super) fn after<S: WideSimd>(self, nodes: usize) -> &'a [S::f64s] {
        self.from::<S>(self.margin + nodes)
    }

    /// Returns the row as vectors, starting `nodes` nodes earlier.
    #[inline(always)]
    pub(super) fn before<S: WideSimd>(self, nodes: usize) -> &'a [S::f64s] {
        self.from::<S>(self.margin - nodes)
    }

    #[inline(always)]
    fn from<S: WideSimd>(self, start: usize) -> &'a [S::f64s] {
        let width = self.numbers.len() - 2 * self.margin;
        S::as_simd_f64s(&self.numbers[start..start + width]).0
    }
}

/// Returns rows as vectors. Here and in callers, loops fill arrays, because closures of `map` are
/// not always compiled for the same instruction set.
#[inline(always)]
pub(super) fn here<'a, S: WideSimd, const A: usize>(rows: &[Row<'a>; A]) -> [&'a [S::f64s]; A] {
    after::<S, A>(rows, 0)
}

/// Returns rows as vectors, starting `nodes` nodes later.
#[inline(always)]
pub(super) fn after<'a, S: WideSimd, const A: usize>(
    rows: &[Row<'a>; A],
    nodes: usize,
) -> [&'a [S::f64s]; A] {
    let mut all: [&[S::f64s]; A] = [&[]; A];
    for (vectors, row) in all.iter_mut().zip(rows) {
        *vectors = row.after::<S>(nodes);
    }
    all
}

/// Returns rows as vectors, starting `nodes` nodes earlier.
#[inline(always)]
pub(super) fn before<'a, S: WideSimd, const A: usize>(
    rows: &[Row<'a>; A],
    nodes: usize,
) -> [&'a [S::f64s]; A] {
    let mut all: [&[S::f64s]; A] = [&[]; A];
    for (vectors, row) in all.iter_mut().zip(rows) {
        *vectors = row.before::<S>(nodes);
    }
    all
}

/// Returns rows without margins as vectors, mutably.
#[inline(always)]
pub(super) fn all_mut<S: WideSimd, const A: usize>(rows: [&mut [f64]; A]) -> [&mut [S::f64s]; A] {
    let mut all: [&mut [S::f64s]; A] = from_fn(|_| Default::default());
    for (vectors, row) in all.iter_mut().zip(rows) {
        *vectors = vectors_mut::<S>(row);
    }
    all
}

/// Returns groups of rows without margins as vectors, mutably.
#[inline(always)]
pub(super) fn squares_mut<S: WideSimd, const A: usize, const G: usize>(
    rows: [[&mut [f64]; A]; G],
) -> [[&mut [S::f64s]; A]; G] {
    let mut all: [[&mut [S::f64s]; A]; G] = from_fn(|_| from_fn(|_| Default::default()));
    for (group, rows) in all.iter_mut().zip(rows) {
        *group = all_mut::<S, A>(rows);
    }
    all
}

/// Returns a square of rows as vectors.
#[inline(always)]
pub(super) fn squares<'a, S: WideSimd, const A: usize>(
    rows: &[[Row<'a>; A]; A],
) -> [[&'a [S::f64s]; A]; A] {
    let mut all: [[&[S::f64s]; A]; A] = [[&[]; A]; A];
    for (group, rows) in all.iter_mut().zip(rows) {
        *group = here::<S, A>(rows);
    }
    all
}

/// Returns a row without margins as vectors, mutably.
#[inline(always)]
pub(super) fn vectors_mut<S: WideSimd>(row: &mut [f64]) -> &mut [S::f64s] {
    S::as_mut_simd_f64s(row).0
}

/// Returns the vectors at index `j` of some rows.
#[inline(always)]
pub(super) fn at<S: WideSimd, const A: usize>(
    simd: S,
    rows: &[&[S::f64s]; A],
    j: usize,
) -> [Vector<S>; A] {
    let mut vectors = [Vector::splat(simd, 0.0); A];
    for p in 0..A {
        vectors[p] = Vector::new(simd, rows[p][j]);
    }
    vectors
}

/// Stores vectors at index `j` of some rows.
#[inline(always)]
pub(super) fn put<S: WideSimd, const A: usize>(
    rows: &mut [&mut [S::f64s]; A],
    j: usize,
    vectors: &[Vector<S>; A],
) {
    for p in 0..A {
        rows[p][j] = vectors[p].numbers();
    }
}

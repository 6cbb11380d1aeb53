//! Rows of numbers of one length, one number for each node, that vectors can read shifted.

use crate::lane::{Vector, WideSimd};
use std::array::from_fn;

/// The most numbers in a vector.
pub(super) const LANES: usize = 8;

/// Rows with a margin on both sides, so that what lies some nodes away can be read without looking
/// whether it exists.
pub(super) struct Table {
    margin: usize,
    width: usize,
    /// From a whole row and both margins to the next.
    stride: usize,
    /// Where the first row begins, so that rows begin with cache lines.
    start: usize,
    numbers: Vec<f64>,
}

impl Table {
    /// Rows for a shape, all of one number, margins too.
    pub(super) fn new(rows: usize, shape: Shape, value: f64) -> Self {
        let Shape { margin, width } = shape;
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

    /// The first rows.
    #[inline(always)]
    pub(super) fn rows<const R: usize>(&self) -> [Row<'_>; R] {
        let [rows] = self.groups::<R, 1>(0);
        rows
    }

    /// The k-th square of rows.
    #[inline(always)]
    pub(super) fn square<const A: usize>(&self, k: usize) -> [[Row<'_>; A]; A] {
        self.groups::<A, A>(k * A * A)
    }

    /// Groups of rows, from a row on.
    #[inline(always)]
    pub(super) fn groups<const A: usize, const G: usize>(&self, first: usize) -> [[Row<'_>; A]; G] {
        let mut groups = [[Row { margin: 0, numbers: &[] }; A]; G];
        for (k, row) in groups.as_flattened_mut().iter_mut().enumerate() {
            *row = self.row(first + k);
        }
        groups
    }

    /// The first rows to change them, without their margins.
    #[inline(always)]
    pub(super) fn rows_mut<const R: usize>(&mut self) -> [&mut [f64]; R] {
        let [rows] = self.groups_mut::<R, 1>(0);
        rows
    }

    /// The k-th square of rows to change them, without their margins.
    #[inline(always)]
    pub(super) fn square_mut<const A: usize>(&mut self, k: usize) -> [[&mut [f64]; A]; A] {
        self.groups_mut::<A, A>(k * A * A)
    }

    /// Groups of rows to change them, without their margins, from a row on.
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

    /// Makes all numbers 0.
    pub(super) fn clear(&mut self) {
        self.numbers.fill(0.0);
    }

    /// Makes all numbers of a row the same, its margins too.
    pub(super) fn fill(&mut self, row: usize, value: f64) {
        let start = self.start + row * self.stride;
        self.numbers[start..start + self.stride].fill(value);
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

/// The lengths of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// At least as far as anything is read beside a row.
    pub(super) margin: usize,
    /// Nodes, rounded up to whole vectors.
    pub(super) width: usize,
}

impl Shape {
    /// For so many nodes, of which the farthest that depend on each other are a reach apart.
    pub(super) fn new(nodes: usize, reach: usize) -> Self {
        Self { margin: reach.next_multiple_of(LANES), width: nodes.next_multiple_of(LANES) }
    }
}

/// A row together with its margins.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    margin: usize,
    numbers: &'a [f64],
}

impl<'a> Row<'a> {
    /// The number of a node.
    #[inline(always)]
    pub(super) fn at(self, node: usize) -> f64 {
        self.numbers[self.margin + node]
    }

    /// The numbers at a place of each segment: segments of a length, with places that begin so many
    /// nodes early.
    #[inline(always)]
    pub(super) fn stride(self, place: usize, early: usize, length: usize, lanes: &mut [f64]) {
        let numbers = self.numbers[self.margin + place - early..].iter().step_by(length);
        for (lane, number) in lanes.iter_mut().zip(numbers) {
            *lane = *number;
        }
    }

    /// The row in vectors.
    #[inline(always)]
    pub(super) fn here<S: WideSimd>(self) -> &'a [S::f64s] {
        self.from::<S>(self.margin)
    }

    /// What stands so many nodes later.
    #[inline(always)]
    pub(super) fn after<S: WideSimd>(self, nodes: usize) -> &'a [S::f64s] {
        self.from::<S>(self.margin + nodes)
    }

    /// What stands so many nodes earlier.
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

/// Rows in vectors. Arrays are filled by loops here and in what reads them, since what `map` calls
/// is not always compiled for the same instructions.
#[inline(always)]
pub(super) fn here<'a, S: WideSimd, const A: usize>(rows: &[Row<'a>; A]) -> [&'a [S::f64s]; A] {
    after::<S, A>(rows, 0)
}

/// What stands so many nodes later.
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

/// What stands so many nodes earlier.
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

/// Rows without margins in vectors, to change them.
#[inline(always)]
pub(super) fn all_mut<S: WideSimd, const A: usize>(rows: [&mut [f64]; A]) -> [&mut [S::f64s]; A] {
    let mut all: [&mut [S::f64s]; A] = from_fn(|_| Default::default());
    for (vectors, row) in all.iter_mut().zip(rows) {
        *vectors = vectors_mut::<S>(row);
    }
    all
}

/// The same for squares of rows or groups of them.
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

/// A square of rows in vectors.
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

/// A row without margins in vectors, to change it.
#[inline(always)]
pub(super) fn vectors_mut<S: WideSimd>(row: &mut [f64]) -> &mut [S::f64s] {
    S::as_mut_simd_f64s(row).0
}

/// The vectors at index `j` of some rows.
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

//! Conjugate gradients on a matrix stored by diagonals. The algorithm is the same as in
//! `conjugate_gradient`, in vectors of nodes and three passes per iteration.
//!
//! All sums over nodes are sequential, in node order; their terms are computed in vectors first.
//! Entries that the sparse matrix does not have add a product with zero, which changes no number.
//! If a direction is not finite, the iteration ends before such a product could become NaN.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use super::factor::Factor;
use super::table::{
    Row, Table, TableShape, after, all_mut, at, before, here, put, squares, vectors_mut,
};
use crate::instructions::Instructions;
use crate::lane::{Vector, WideSimd, WideWork, dot};
use crate::linear::Limits;
use crate::linear::block_lanes::{pick, solve};
use std::{array::from_fn, ops::Range};

/// Parts of a matrix: index distances, diagonal blocks, and blocks between nodes. The latter are
/// sorted by distance and stored at the first of their two nodes.
pub(super) struct Parts<'a> {
    pub(super) offsets: &'a [usize],
    pub(super) own: &'a Table,
    pub(super) between: &'a Table,
}

/// Vectors of the iteration.
pub(super) struct Gradients<const A: usize> {
    limits: Limits,
    /// Factored diagonal blocks: L below the diagonal, U on and above it.
    factors: Table,
    /// Row of the original block at each position of its factors, as a number.
    order: Table,
    /// Whether any rows were swapped.
    is_permuted: bool,
    y: Table,
    residual: Table,
    /// Preconditioned residual.
    gradient: Table,
    direction: Table,
    image: Table,
    /// Terms of sums, one per node.
    terms: [Vec<f64>; 2],
    /// Number of blocks.
    places: u64,
    pub(super) operations: u64,
}

impl<const A: usize> Gradients<A> {
    pub(super) fn new(shape: TableShape, places: usize, limits: Limits) -> Self {
        let vector = || Table::new(A, shape, 0.0);
        Self {
            limits,
            factors: Table::new(A * A, shape, 0.0),
            order: vector(),
            is_permuted: false,
            y: vector(),
            residual: vector(),
            gradient: vector(),
            direction: vector(),
            image: vector(),
            terms: [vec![0.0; shape.width], vec![0.0; shape.width]],
            places: places as u64,
            operations: 0,
        }
    }

    /// Factors the diagonal blocks. Returns `false` if a pivot is 0 or not finite.
    pub(super) fn prepare(&mut self, set: Instructions, own: &Table) -> bool {
        let Self { factors, order, is_permuted, .. } = self;
        set.run_with(Factor::<A> { own, factors, order, is_permuted })
    }

    /// Solves for y in up to `maximum` operations; both sides are flat by axis. Returns whether y
    /// has the required accuracy. y is NaN if there is no solution.
    pub(super) fn solve(
        &mut self,
        set: Instructions,
        parts: &Parts<'_>,
        rhs: &[f64],
        y: &mut [f64],
        maximum: u64,
    ) -> bool {
        self.residual.load::<A>(rhs);
        self.y.clear();
        self.direction.clear();
        let nodes = y.len() / A;
        let maximum = self.operations.saturating_add(maximum);
        let (is_exact, square) = self.iterate(set, parts, nodes, maximum);
        if square.is_finite() {
            self.y.store::<A>(y);
        } else {
            y.fill(f64::NAN);
        }
        is_exact
    }

    /// Runs the iteration, which updates y and the residual. Returns whether y has the required
    /// accuracy, and the squared residual.
    fn iterate(
        &mut self,
        set: Instructions,
        parts: &Parts<'_>,
        nodes: usize,
        maximum: u64,
    ) -> (bool, f64) {
        self.precondition(set, None);
        let (mut weight, mut square) = self.sums(nodes);
        let enough = square * self.limits.tolerance * self.limits.tolerance;
        let mut share = 0.0;
        for _ in 0..self.limits.iterations {
            if square <= enough {
                return (true, square);
            }
            let Self { gradient, direction, image, terms, .. } = &mut *self;
            set.run_with(GradientTurn::<A> { gradient, direction, share });
            set.run_with(Multiply::<A> { parts, direction, image, products: &mut terms[0] });
            self.operations += self.places + 2 * nodes as u64;
            if self.operations > maximum {
                return (false, square);
            }
            let curvature: f64 = self.terms[0][..nodes].iter().sum();
            let is_definite = curvature > 0.0 && weight > 0.0;
            if !is_definite || !curvature.is_finite() {
                return (false, square);
            }
            self.precondition(set, Some(weight / curvature));
            let next;
            (next, square) = self.sums(nodes);
            share = next / weight;
            weight = next;
        }
        (square <= enough, square)
    }

    /// Updates y and the residual by `step` times the direction and its image, then preconditions
    /// the residual. `None` skips the update.
    fn precondition(&mut self, set: Instructions, step: Option<f64>) {
        set.run_with(Precondition::<A> { all: self, step });
    }

    /// Returns the inner products of the residual with the preconditioned residual, and with
    /// itself.
    fn sums(&self, nodes: usize) -> (f64, f64) {
        let [first, second] = &self.terms;
        let none: f64 = [].iter().sum();
        let terms = first[..nodes].iter().zip(&second[..nodes]);
        terms.fold((none, none), |sums, terms| (sums.0 + terms.0, sums.1 + terms.1))
    }
}

/// Computes direction = gradient + share · direction.
struct GradientTurn<'a, const A: usize> {
    gradient: &'a Table,
    direction: &'a mut Table,
    share: f64,
}

impl<const A: usize> WideWork for GradientTurn<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let share = Vector::splat(simd, self.share);
        let rows = self.direction.rows_mut::<A>().into_iter().zip(self.gradient.rows::<A>());
        for (direction, gradient) in rows {
            for (direction, gradient) in
                vectors_mut::<S>(direction).iter_mut().zip(gradient.here::<S>())
            {
                let turned = Vector::new(simd, *gradient) + share * Vector::new(simd, *direction);
                *direction = turned.numbers();
            }
        }
    }
}

/// Computes image = A direction, and the inner product of both per node.
struct Multiply<'a, const A: usize> {
    parts: &'a Parts<'a>,
    direction: &'a Table,
    image: &'a mut Table,
    products: &'a mut [f64],
}

impl<const A: usize> WideWork for Multiply<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { parts, direction, image, products } = self;
        let x = direction.rows::<A>();
        let own = parts.own.square::<A>(0);
        let mut image = all_mut::<S, A>(image.rows_mut());
        let products = vectors_mut::<S>(products);
        let here = here::<S, A>(&x);
        for start in (0..products.len()).step_by(CHUNK) {
            let range = start..products.len().min(start + CHUNK);
            let mut sums = chunk_mut(&mut image, &range);
            for sums in &mut sums {
                sums.fill(simd.splat_f64s(0.0));
            }
            for (slot, offset) in parts.offsets.iter().enumerate().rev() {
                let blocks = parts.between.square::<A>(slot);
                let x = before::<S, A>(&x, *offset);
                add_product::<S, A>(simd, &mut sums, &blocks, *offset, &x, &range);
            }
            add_product::<S, A>(simd, &mut sums, &own, 0, &here, &range);
            for (slot, offset) in parts.offsets.iter().enumerate() {
                let blocks = parts.between.square::<A>(slot);
                let x = after::<S, A>(&x, *offset);
                add_product::<S, A>(simd, &mut sums, &blocks, 0, &x, &range);
            }
            for j in range.clone() {
                let mut image = [Vector::splat(simd, 0.0); A];
                for p in 0..A {
                    image[p] = Vector::new(simd, sums[p][j - start]);
                }
                products[j] = dot(at(simd, &here, j), image).numbers();
            }
        }
    }
}

/// Number of vectors per chunk of sums, small enough for the L1 cache.
const CHUNK: usize = 16;

/// Returns a range of each row.
#[inline(always)]
fn chunk_mut<'a, T, const A: usize>(
    rows: &'a mut [&mut [T]; A],
    range: &Range<usize>,
) -> [&'a mut [T]; A] {
    let mut chunk: [&mut [T]; A] = from_fn(|_| Default::default());
    for (chunk, row) in chunk.iter_mut().zip(rows) {
        *chunk = &mut row[range.clone()];
    }
    chunk
}

/// Computes sums += blocks x over a range. Blocks are read at an offset of `back` nodes towards the
/// start.
#[inline(always)]
fn add_product<S: WideSimd, const A: usize>(
    simd: S,
    sums: &mut [&mut [S::f64s]; A],
    blocks: &[[Row<'_>; A]; A],
    back: usize,
    x: &[&[S::f64s]; A],
    range: &Range<usize>,
) {
    let (mut rows, mut columns) = ([[&[][..]; A]; A], [&[][..]; A]);
    for p in 0..A {
        columns[p] = &x[p][range.clone()];
        rows[p] = before::<S, A>(&blocks[p], back);
        for row in &mut rows[p] {
            *row = &row[range.clone()];
        }
    }
    for j in 0..range.len() {
        let x = at(simd, &columns, j);
        for p in 0..A {
            let sum = Vector::new(simd, sums[p][j]) + dot(at(simd, &rows[p], j), x);
            sums[p][j] = sum.numbers();
        }
    }
}

/// Updates y and the residual if `step` is set. Then preconditions the residual, and computes the
/// terms of both inner products.
struct Precondition<'a, const A: usize> {
    all: &'a mut Gradients<A>,
    step: Option<f64>,
}

impl<const A: usize> WideWork for Precondition<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { all, step } = self;
        let factors = squares::<S, A>(&all.factors.square(0));
        let order = here::<S, A>(&all.order.rows());
        let direction = here::<S, A>(&all.direction.rows());
        let image = here::<S, A>(&all.image.rows());
        let y = all_mut::<S, A>(all.y.rows_mut());
        let residual = all_mut::<S, A>(all.residual.rows_mut());
        let mut gradient = all_mut::<S, A>(all.gradient.rows_mut());
        let [weights, squares] = &mut all.terms;
        let squares = vectors_mut::<S>(squares);
        let (moves, step) = (step.is_some(), step.unwrap_or(0.0));
        let (step, back) = (Vector::splat(simd, step), Vector::splat(simd, -step));
        for (j, weight) in vectors_mut::<S>(weights).iter_mut().enumerate() {
            let mut b = [Vector::splat(simd, 0.0); A];
            let mut lu = [b; A];
            for p in 0..A {
                b[p] = Vector::new(simd, residual[p][j]);
                if moves {
                    let moved =
                        Vector::new(simd, y[p][j]) + step * Vector::new(simd, direction[p][j]);
                    y[p][j] = moved.numbers();
                    b[p] += back * Vector::new(simd, image[p][j]);
                    residual[p][j] = b[p].numbers();
                }
                lu[p] = at(simd, &factors[p], j);
            }
            let right = if all.is_permuted { pick(&b, &at(simd, &order, j)) } else { b };
            let z = solve(&lu, right);
            put(&mut gradient, j, &z);
            (*weight, squares[j]) = (dot(b, z).numbers(), dot(b, b).numbers());
        }
    }
}

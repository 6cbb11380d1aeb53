//! Conjugate gradients on a matrix by diagonals: what `conjugate_gradient` does, in vectors of
//! nodes and in three passes an iteration.
//!
//! All sums over nodes go one after another, in the order of nodes. What is summed is computed in
//! vectors first. Places that the matrix does not have add a product with zero, which changes no
//! number; where a direction is not finite, the iteration ends before it matters.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use super::factor::Factor;
use super::table::{
    Row, Shape, Table, after, all_mut, at, before, here, put, squares, vectors_mut,
};
use crate::instructions::Instructions;
use crate::lane::{Vector, WideSimd, WideWork, dot};
use crate::linear::Limits;
use crate::linear::block_lanes::{pick, solve};
use std::{array::from_fn, ops::Range};

/// A matrix, row by row: distances of nodes, its diagonal blocks, and by distance those between
/// nodes, each at the first of its two nodes.
pub(super) struct Parts<'a> {
    pub(super) offsets: &'a [usize],
    pub(super) own: &'a Table,
    pub(super) between: &'a Table,
}

/// The vectors of the iteration.
pub(super) struct Gradients<const A: usize> {
    limits: Limits,
    /// Factored diagonal blocks, L below the diagonal and U on it and above.
    factors: Table,
    /// The row of the block that stands at each place of its factors, as a number.
    order: Table,
    /// Whether rows stand elsewhere than at their own place.
    is_permuted: bool,
    y: Table,
    residual: Table,
    /// The residual, preconditioned.
    gradient: Table,
    direction: Table,
    image: Table,
    /// What is summed: one number a node.
    terms: [Vec<f64>; 2],
    /// The number of blocks.
    places: u64,
    pub(super) operations: u64,
}

impl<const A: usize> Gradients<A> {
    pub(super) fn new(shape: Shape, places: usize, limits: Limits) -> Self {
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

    /// Factors the diagonal blocks. `false` if a pivot is 0 or not finite.
    pub(super) fn prepare(&mut self, set: Instructions, own: &Table) -> bool {
        let Self { factors, order, is_permuted, .. } = self;
        set.run_with(Factor::<A> { own, factors, order, is_permuted })
    }

    /// Solves for y until `most` operations were made in all; both sides are flat by axis. Returns
    /// whether y is as exact as asked for; y is NaN if there is no solution.
    pub(super) fn solve(
        &mut self,
        set: Instructions,
        parts: &Parts<'_>,
        rhs: &[f64],
        y: &mut [f64],
        most: u64,
    ) -> bool {
        self.residual.load::<A>(rhs);
        self.y.clear();
        self.direction.clear();
        let nodes = y.len() / A;
        let most = self.operations.saturating_add(most);
        let (is_exact, square) = self.iterate(set, parts, nodes, most);
        if square.is_finite() {
            self.y.store::<A>(y);
        } else {
            y.fill(f64::NAN);
        }
        is_exact
    }

    /// Returns whether y is exact, and the square of the residual.
    fn iterate(
        &mut self,
        set: Instructions,
        parts: &Parts<'_>,
        nodes: usize,
        most: u64,
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
            set.run_with(Turn::<A> { gradient, direction, share });
            set.run_with(Multiply::<A> { parts, direction, image, products: &mut terms[0] });
            self.operations += self.places + 2 * nodes as u64;
            if self.operations > most {
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

    /// Moves y along the direction and the residual against its image, and preconditions it.
    fn precondition(&mut self, set: Instructions, way: Option<f64>) {
        set.run_with(Precondition::<A> { all: self, way });
    }

    /// The inner products of the residual with the preconditioned residual, and with itself.
    fn sums(&self, nodes: usize) -> (f64, f64) {
        let [first, second] = &self.terms;
        let none: f64 = [].iter().sum();
        let terms = first[..nodes].iter().zip(&second[..nodes]);
        terms.fold((none, none), |sums, terms| (sums.0 + terms.0, sums.1 + terms.1))
    }
}

/// direction = gradient + share · direction.
struct Turn<'a, const A: usize> {
    gradient: &'a Table,
    direction: &'a mut Table,
    share: f64,
}

impl<const A: usize> WideWork for Turn<'_, A> {
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

/// image = A direction, and the inner product of the two by node.
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

/// Vectors that are summed before the next ones are: few enough to stay in the nearest cache.
const CHUNK: usize = 16;

/// A range of rows.
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

/// sums += blocks x over a range; the blocks stand so many nodes earlier.
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

/// Moves on, if there is a way to go; preconditions the residual, and computes the terms of both
/// its inner products.
struct Precondition<'a, const A: usize> {
    all: &'a mut Gradients<A>,
    way: Option<f64>,
}

impl<const A: usize> WideWork for Precondition<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { all, way } = self;
        let factors = squares::<S, A>(&all.factors.square(0));
        let order = here::<S, A>(&all.order.rows());
        let direction = here::<S, A>(&all.direction.rows());
        let image = here::<S, A>(&all.image.rows());
        let y = all_mut::<S, A>(all.y.rows_mut());
        let residual = all_mut::<S, A>(all.residual.rows_mut());
        let mut gradient = all_mut::<S, A>(all.gradient.rows_mut());
        let [weights, squares] = &mut all.terms;
        let squares = vectors_mut::<S>(squares);
        let (way, back) = (way.is_some(), way.unwrap_or(0.0));
        let (moves, way, back) = (way, Vector::splat(simd, back), Vector::splat(simd, -back));
        for (j, weight) in vectors_mut::<S>(weights).iter_mut().enumerate() {
            let mut b = [Vector::splat(simd, 0.0); A];
            let mut lu = [b; A];
            for p in 0..A {
                b[p] = Vector::new(simd, residual[p][j]);
                if moves {
                    let moved =
                        Vector::new(simd, y[p][j]) + way * Vector::new(simd, direction[p][j]);
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

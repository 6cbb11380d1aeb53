//! A chain from end to end: elimination from the first node to the last, and substitution back.

use super::Body;
use super::numbers::NODES;
use super::window::Window;
use crate::linear::block::{Square, product, subtract_product};
use pulp::{NullaryFnOnce, Simd, WithSimd};
use std::hint::black_box;

/// What the back substitution needs of a node.
#[derive(Clone)]
pub(super) struct Row<const A: usize> {
    upper: Square<A>,
    y: [f64; A],
}

impl<const A: usize> Row<A> {
    pub(super) const ZERO: Self = Self { upper: [[0.0; A]; A], y: [0.0; A] };
}

/// The first pass: assembles and eliminates, from the first node to the last.
pub(super) struct Forward<'a, const A: usize> {
    pub(super) window: &'a mut Window<A>,
    pub(super) rows: &'a mut [Row<A>],
    pub(super) body: &'a Body<'a>,
    pub(super) x: [&'a [f64]; A],
    pub(super) v: [&'a [f64]; A],
}

impl<const A: usize> WithSimd for Forward<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Self { window, rows, body, x, v } = self;
        let mut last = Eliminated { lower: [[0.0; A]; A], row: Row::ZERO };
        window.begin();
        for (index, rows) in rows.chunks_mut(NODES).enumerate() {
            window.load(body, &x, &v, index * NODES, rows.len());
            window.assemble_springs(simd, body.dt);
            window.assemble_nodes(simd, body);
            for (i, row) in rows.iter_mut().enumerate() {
                if i % LINE == 0 {
                    prefetch(&x, (index + 1) * NODES + i + 1);
                    prefetch(&v, (index + 1) * NODES + i + 1);
                }
                if !last.eliminate(window, i) {
                    return false;
                }
                *row = last.row.clone();
            }
        }
        true
    }
}

/// Numbers on a cache line.
const LINE: usize = 8;

/// Reads a number that is needed later, so that memory is fetched while the elimination waits for
/// its own results.
#[inline(always)]
fn prefetch<const A: usize>(axes: &[&[f64]; A], node: usize) {
    for axis in axes {
        black_box(axis.get(node).copied());
    }
}

/// The node that was eliminated last.
struct Eliminated<const A: usize> {
    /// The block by which the next node depends on it.
    lower: Square<A>,
    row: Row<A>,
}

impl<const A: usize> Eliminated<A> {
    /// Eliminates the next node, the i-th of a window. `false` if a pivot is 0 or not finite.
    #[inline(always)]
    fn eliminate(&mut self, window: &Window<A>, i: usize) -> bool {
        let (mut own, mut y) = window.row(i);
        subtract_product(&mut own, &self.lower, &self.row.upper);
        subtract(&mut y, 1.0, &product(&self.lower, &self.row.y));
        // The matrix is symmetric, so the block below is the one to the right.
        let mut upper = window.upper_block(i);
        self.lower = upper;
        let is_regular = reduce(&mut own, &mut upper, &mut y);
        self.row = Row { upper, y };
        is_regular
    }
}

/// row -= share other.
#[inline(always)]
fn subtract<const A: usize>(row: &mut [f64; A], share: f64, other: &[f64; A]) {
    for (value, other) in row.iter_mut().zip(other) {
        *value -= share * other;
    }
}

/// Replaces b by a⁻¹ b and y by a⁻¹ y, with partial pivoting, in the order of operations of
/// `Factored::new`, `solve_block` and `solve`. `false` if a pivot is 0 or not finite.
#[inline(always)]
fn reduce<const A: usize>(a: &mut Square<A>, b: &mut Square<A>, y: &mut [f64; A]) -> bool {
    for k in 0..A {
        let (mut best, mut greatest) = (k, a[k][k].abs());
        for (row, values) in a.iter().enumerate().skip(k + 1) {
            if values[k].abs() > greatest {
                (best, greatest) = (row, values[k].abs());
            }
        }
        for row in k + 1..A {
            if row == best {
                a.swap(k, row);
                b.swap(k, row);
                y.swap(k, row);
            }
        }
        if a[k][k] == 0.0 || !a[k][k].is_finite() {
            return false;
        }
        for row in k + 1..A {
            let share = a[row][k] / a[k][k];
            let pivot = a[k];
            for (value, other) in a[row].iter_mut().zip(&pivot).skip(k + 1) {
                *value -= share * other;
            }
            let upper = b[k];
            subtract(&mut b[row], share, &upper);
            y[row] -= share * y[k];
        }
    }
    for k in (0..A).rev() {
        for other in k + 1..A {
            let below = b[other];
            subtract(&mut b[k], a[k][other], &below);
            y[k] -= a[k][other] * y[other];
        }
        for value in &mut b[k] {
            *value /= a[k][k];
        }
        y[k] /= a[k][k];
    }
    true
}

/// The second pass: substitutes back and moves the nodes on, from the last to the first.
pub(super) struct Backward<'a, const A: usize> {
    pub(super) rows: &'a [Row<A>],
    pub(super) x: [&'a mut [f64]; A],
    pub(super) v: [&'a mut [f64]; A],
    pub(super) dt: f64,
}

impl<const A: usize> NullaryFnOnce for Backward<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rows, x, v, dt } = self;
        let mut next: Option<[f64; A]> = None;
        for (i, row) in rows.iter().enumerate().rev() {
            let mut change = row.y;
            if let Some(next) = next {
                subtract(&mut change, 1.0, &product(&row.upper, &next));
            }
            for axis in 0..A {
                let (x, v) = (&mut x[axis][i], &mut v[axis][i]);
                *v += change[axis];
                *x += dt * *v;
            }
            next = Some(change);
        }
    }
}

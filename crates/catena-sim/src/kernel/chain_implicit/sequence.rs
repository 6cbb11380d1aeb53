//! Solves a chain from end to end: elimination from the first node to the last, and substitution
//! back.

use super::ChainBody;
use super::numbers::NODES;
use super::window::Window;
use crate::lane::{Lane, WideSimd, WideWork, dot};
use crate::linear::block::Square;
use crate::linear::block_lanes::{factor, pick, solve, solve_block, subtract_product};
use pulp::NullaryFnOnce;
use std::hint::black_box;

/// Result of the elimination of a node, for the back substitution.
#[derive(Clone)]
pub(super) struct EliminatedNode<const A: usize> {
    upper: Square<A>,
    y: [f64; A],
}

impl<const A: usize> EliminatedNode<A> {
    pub(super) const ZERO: Self = Self { upper: [[0.0; A]; A], y: [0.0; A] };
}

/// The first pass: assembles the matrix and performs forward elimination, from the first node to
/// the last.
pub(super) struct Forward<'a, const A: usize> {
    pub(super) window: &'a mut Window<A>,
    pub(super) rows: &'a mut [EliminatedNode<A>],
    pub(super) body: &'a ChainBody<'a>,
    pub(super) x: [&'a [f64]; A],
    pub(super) v: [&'a [f64]; A],
}

impl<const A: usize> WideWork for Forward<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> bool {
        let Self { window, rows, body, x, v } = self;
        let mut last = Eliminated::<f64, A>::begin(0.0);
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
                let (own, right) = window.row(i);
                if !last.next(own, right, window.upper_block(i)) {
                    return false;
                }
                *row = EliminatedNode { upper: last.upper, y: last.y };
            }
        }
        true
    }
}

/// Number of values per cache line.
const LINE: usize = 8;

/// Reads a number that is needed later, so that its memory is fetched during the latency of the
/// elimination.
#[inline(always)]
fn prefetch<const A: usize>(axes: &[&[f64]; A], node: usize) {
    for axis in axes {
        black_box(axis.get(node).copied());
    }
}

/// The node that was eliminated last.
pub(super) struct Eliminated<V, const A: usize> {
    /// Block that couples the next node to this one.
    lower: [[V; A]; A],
    /// U = D⁻¹ A to the next node.
    pub(super) upper: [[V; A]; A],
    /// y = D⁻¹ r.
    pub(super) y: [V; A],
}

impl<V: Lane, const A: usize> Eliminated<V, A> {
    /// The state before the first node.
    #[inline(always)]
    pub(super) fn begin(zero: V) -> Self {
        Self { lower: [[zero; A]; A], upper: [[zero; A]; A], y: [zero; A] }
    }

    /// Eliminates the next node, given its diagonal block, its right side and the block to the node
    /// after it. Returns a mask of regular results: no pivot is 0, infinite or NaN.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        mut own: [[V; A]; A],
        mut right: [V; A],
        between: [[V; A]; A],
    ) -> V::Mask {
        subtract_product(&mut own, &self.lower, &self.upper);
        for p in 0..A {
            right[p] -= dot(self.lower[p], self.y);
        }
        let mut order = right;
        let factored = factor(&mut own, &mut order);
        self.upper = solve_block(&own, &order, &between);
        self.y = solve(&own, pick(&right, &order));
        // The matrix is symmetric, so the block below is the one to the right.
        self.lower = between;
        factored.is_regular
    }
}

/// The second pass: performs back substitution and moves the nodes, from the last to the first.
pub(super) struct Backward<'a, const A: usize> {
    pub(super) rows: &'a [EliminatedNode<A>],
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
                for p in 0..A {
                    change[p] -= dot(row.upper[p], next);
                }
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

//! Small square blocks in vectors, one block per lane, with the order of operations of `block`.
//!
//! Loops use indices instead of iterators. An iterator call that is not inlined is compiled without
//! the vector instructions, and prevents other optimisations.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use crate::lane::{Lane, LaneMask};

/// Moves the row with the largest absolute value in column k to position k, in each lane. Returns
/// the lanes in which rows were swapped.
#[inline(always)]
fn pivot<V: Lane, const A: usize>(lu: &mut [[V; A]; A], order: &mut [V; A], k: usize) -> V::Mask {
    let zero = lu[k][k].like(0.0);
    let none = zero.is_below(zero);
    let (mut greatest, mut best) = (lu[k][k].abs(), [none; A]);
    let mut moved = none;
    for row in k + 1..A {
        let value = lu[row][k].abs();
        best[row] = greatest.is_below(value);
        greatest = best[row].select(value, greatest);
        for earlier in k + 1..row {
            best[earlier] = best[earlier] & !best[row];
        }
        moved = moved | best[row];
    }
    for row in k + 1..A {
        for q in 0..A {
            (lu[k][q], lu[row][q]) = swap(best[row], lu[k][q], lu[row][q]);
        }
        (order[k], order[row]) = swap(best[row], order[k], order[row]);
    }
    moved
}

/// Returns both numbers, swapped where the mask is set.
#[inline(always)]
fn swap<V: Lane>(mask: V::Mask, a: V, b: V) -> (V, V) {
    (mask.select(b, a), mask.select(a, b))
}

/// Whether a pivot is finite and not 0.
#[inline(always)]
fn is_regular<V: Lane>(pivot: V) -> V::Mask {
    let size = pivot.abs();
    size.is_below(size.like(f64::INFINITY)) & size.is_above(size.like(0.0))
}

/// Eliminates column k below the diagonal.
#[inline(always)]
fn eliminate<V: Lane, const A: usize>(lu: &mut [[V; A]; A], k: usize) {
    for row in k + 1..A {
        let share = lu[row][k] / lu[k][k];
        lu[row][k] = share;
        let pivot = lu[k];
        for q in k + 1..A {
            lu[row][q] -= share * pivot[q];
        }
    }
}

/// Factors a block in place. Replaces `order` by the row of the original block at each position.
/// Returns properties of the factors.
#[inline(always)]
pub(crate) fn factor<V: Lane, const A: usize>(
    lu: &mut [[V; A]; A],
    order: &mut [V; A],
) -> Factored<V> {
    for p in 0..A {
        order[p] = order[p].like(p as f64);
    }
    let zero = lu[0][0].like(0.0);
    let mut factored = Factored { is_regular: zero.equals(zero), is_permuted: zero.is_below(zero) };
    for k in 0..A {
        factored.is_permuted = factored.is_permuted | pivot(lu, order, k);
        factored.is_regular = factored.is_regular & is_regular(lu[k][k]);
        eliminate(lu, k);
    }
    factored
}

/// Properties of the factors of a block.
pub(crate) struct Factored<V: Lane> {
    /// Whether all pivots are finite and not 0.
    pub(crate) is_regular: V::Mask,
    /// Whether any rows were swapped.
    pub(crate) is_permuted: V::Mask,
}

/// Returns the values of `b` at the given positions.
#[inline(always)]
pub(crate) fn pick<V: Lane, const A: usize>(b: &[V; A], places: &[V; A]) -> [V; A] {
    let mut picked = [b[0]; A];
    for p in 0..A {
        for place in 1..A {
            let is_here = places[p].equals(places[p].like(place as f64));
            picked[p] = is_here.select(b[place], picked[p]);
        }
    }
    picked
}

/// Solves with factors, like [`Factored::solve`](super::block::Factored).
#[inline(always)]
pub(crate) fn solve<V: Lane, const A: usize>(lu: &[[V; A]; A], mut x: [V; A]) -> [V; A] {
    for k in 0..A {
        for column in 0..k {
            x[k] -= lu[k][column] * x[column];
        }
    }
    for k in (0..A).rev() {
        for column in k + 1..A {
            x[k] -= lu[k][column] * x[column];
        }
        x[k] = x[k] / lu[k][k];
    }
    x
}

/// Returns U = D⁻¹ times a block, for the factors of D.
#[inline(always)]
pub(crate) fn solve_block<V: Lane, const A: usize>(
    lu: &[[V; A]; A],
    order: &[V; A],
    block: &[[V; A]; A],
) -> [[V; A]; A] {
    let mut upper = *block;
    for q in 0..A {
        let mut column = *order;
        for p in 0..A {
            column[p] = block[p][q];
        }
        let solved = solve(lu, pick(&column, order));
        for p in 0..A {
            upper[p][q] = solved[p];
        }
    }
    upper
}

/// Returns each value, or 0 if it is negative or NaN.
#[inline(always)]
pub(crate) fn positive<V: Lane>(value: V) -> V {
    let zero = value.like(0.0);
    value.is_above(zero).select(value, zero)
}

/// Returns a row of a block times a vector, summed from 0.
#[inline(always)]
pub(crate) fn times<V: Lane, const A: usize>(row: &[V; A], vector: &[V; A]) -> V {
    let mut sum = row[0].like(0.0);
    for p in 0..A {
        sum += row[p] * vector[p];
    }
    sum
}

/// Computes a -= b c.
#[inline(always)]
pub(crate) fn subtract_product<V: Lane, const A: usize>(
    a: &mut [[V; A]; A],
    b: &[[V; A]; A],
    c: &[[V; A]; A],
) {
    for p in 0..A {
        for r in 0..A {
            for q in 0..A {
                a[p][q] -= b[p][r] * c[r][q];
            }
        }
    }
}

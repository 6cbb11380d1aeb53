//! Small square blocks in vectors, one block a lane: what `block` does, operation by operation.
//!
//! Loops count instead of joining iterators: each call that is left over is compiled without the
//! instructions, and stands in the way of all others.

use pulp::Simd;

/// Σ a b.
#[inline(always)]
pub(crate) fn dot<S: Simd, const A: usize>(simd: S, a: &[S::f64s; A], b: &[S::f64s; A]) -> S::f64s {
    let mut sum = simd.mul_f64s(a[0], b[0]);
    for p in 1..A {
        sum = simd.add_f64s(sum, simd.mul_f64s(a[p], b[p]));
    }
    sum
}

/// Whether a mask selects any lane.
#[inline(always)]
pub(crate) fn any<S: Simd>(simd: S, mask: S::m64s) -> bool {
    let ones = simd.select_f64s(mask, simd.splat_f64s(1.0), simd.splat_f64s(0.0));
    simd.reduce_max_f64s(ones) > 0.0
}

/// Brings the row with the greatest number in column k to place k. Returns the lanes in which that
/// was another row.
#[inline(always)]
pub(crate) fn pivot<S: Simd, const A: usize>(
    simd: S,
    lu: &mut [[S::f64s; A]; A],
    order: &mut [S::f64s; A],
    k: usize,
) -> S::m64s {
    let zero = simd.splat_f64s(0.0);
    let none = simd.less_than_f64s(zero, zero);
    let (mut greatest, mut best) = (simd.abs_f64s(lu[k][k]), [none; A]);
    let mut moved = none;
    for row in k + 1..A {
        let value = simd.abs_f64s(lu[row][k]);
        best[row] = simd.less_than_f64s(greatest, value);
        greatest = simd.select_f64s(best[row], value, greatest);
        for earlier in k + 1..row {
            let no_more = simd.and_m64s(best[earlier], best[row]);
            best[earlier] = simd.xor_m64s(best[earlier], no_more);
        }
        moved = simd.or_m64s(moved, best[row]);
    }
    for row in k + 1..A {
        let (upper, lower) = lu.split_at_mut(row);
        let (upper, lower) = (&mut upper[k], &mut lower[0]);
        for q in 0..A {
            (upper[q], lower[q]) = swap(simd, best[row], (upper[q], lower[q]));
        }
        (order[k], order[row]) = swap(simd, best[row], (order[k], order[row]));
    }
    moved
}

/// The two, exchanged in the lanes of a mask.
#[inline(always)]
fn swap<S: Simd>(simd: S, mask: S::m64s, (a, b): (S::f64s, S::f64s)) -> (S::f64s, S::f64s) {
    (simd.select_f64s(mask, b, a), simd.select_f64s(mask, a, b))
}

/// Eliminates column k below the diagonal.
#[inline(always)]
pub(crate) fn eliminate<S: Simd, const A: usize>(simd: S, lu: &mut [[S::f64s; A]; A], k: usize) {
    for row in k + 1..A {
        let share = simd.div_f64s(lu[row][k], lu[k][k]);
        lu[row][k] = share;
        let pivot = lu[k];
        for (q, value) in lu[row].iter_mut().enumerate().skip(k + 1) {
            *value = simd.sub_f64s(*value, simd.mul_f64s(share, pivot[q]));
        }
    }
}

/// The numbers of b that stand at these places.
#[inline(always)]
pub(crate) fn pick<S: Simd, const A: usize>(
    simd: S,
    b: &[S::f64s; A],
    places: &[S::f64s; A],
) -> [S::f64s; A] {
    let mut picked = [b[0]; A];
    for p in 0..A {
        for (place, b) in b.iter().enumerate().skip(1) {
            let is_here = simd.equal_f64s(places[p], simd.splat_f64s(place as f64));
            picked[p] = simd.select_f64s(is_here, *b, picked[p]);
        }
    }
    picked
}

/// The solution for factors, as [`Factored::solve`](super::block::Factored) has it.
#[inline(always)]
pub(crate) fn solve<S: Simd, const A: usize>(
    simd: S,
    lu: &[[S::f64s; A]; A],
    mut x: [S::f64s; A],
) -> [S::f64s; A] {
    for k in 0..A {
        for column in 0..k {
            x[k] = simd.sub_f64s(x[k], simd.mul_f64s(lu[k][column], x[column]));
        }
    }
    for k in (0..A).rev() {
        for column in k + 1..A {
            x[k] = simd.sub_f64s(x[k], simd.mul_f64s(lu[k][column], x[column]));
        }
        x[k] = simd.div_f64s(x[k], lu[k][k]);
    }
    x
}

//! Factors the diagonal blocks of a matrix, in vectors of nodes.

use super::table::{Table, all_mut, squares, squares_mut};
use pulp::{Simd, WithSimd};

/// Factors blocks with partial pivoting, in the order of operations of
/// [`Factored::new`](crate::linear::block::Factored).
pub(super) struct Factor<'a, const A: usize> {
    pub(super) own: &'a Table,
    pub(super) factors: &'a mut Table,
    pub(super) order: &'a mut Table,
    pub(super) is_permuted: &'a mut bool,
}

impl<const A: usize> WithSimd for Factor<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let own = squares::<S, A>(&self.own.square(0));
        let factors = squares_mut::<S, A, A>(self.factors.square_mut(0));
        let places = all_mut::<S, A>(self.order.rows_mut());
        let (zero, infinity) = (simd.splat_f64s(0.0), simd.splat_f64s(f64::INFINITY));
        let none = simd.less_than_f64s(zero, zero);
        let (mut all_moved, mut all_regular) = (none, simd.equal_f64s(zero, zero));
        for j in 0..own[0][0].len() {
            let (mut lu, mut order) = ([[zero; A]; A], [zero; A]);
            for p in 0..A {
                order[p] = simd.splat_f64s(p as f64);
                for q in 0..A {
                    lu[p][q] = own[p][q][j];
                }
            }
            for k in 0..A {
                let moved = pivot(simd, &mut lu, &mut order, k);
                all_moved = simd.or_m64s(all_moved, moved);
                let size = simd.abs_f64s(lu[k][k]);
                let is_finite = simd.less_than_f64s(size, infinity);
                let is_fine = simd.and_m64s(is_finite, simd.less_than_f64s(zero, size));
                all_regular = simd.and_m64s(all_regular, is_fine);
                eliminate(simd, &mut lu, k);
            }
            for p in 0..A {
                places[p][j] = order[p];
                for q in 0..A {
                    factors[p][q][j] = lu[p][q];
                }
            }
        }
        let all_irregular = simd.xor_m64s(all_regular, simd.equal_f64s(zero, zero));
        *self.is_permuted = any(simd, all_moved);
        !any(simd, all_irregular)
    }
}

/// Whether a mask selects any lane.
#[inline(always)]
pub(super) fn any<S: Simd>(simd: S, mask: S::m64s) -> bool {
    let ones = simd.select_f64s(mask, simd.splat_f64s(1.0), simd.splat_f64s(0.0));
    simd.reduce_max_f64s(ones) > 0.0
}

/// Brings the row with the greatest number in column k to place k. Returns the lanes in which that
/// was another row.
#[inline(always)]
pub(super) fn pivot<S: Simd, const A: usize>(
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
        for (a, b) in upper[k].iter_mut().zip(&mut lower[0]) {
            (*a, *b) = swap(simd, best[row], (*a, *b));
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
pub(super) fn eliminate<S: Simd, const A: usize>(simd: S, lu: &mut [[S::f64s; A]; A], k: usize) {
    let pivot = lu[k];
    for row in &mut lu[k + 1..] {
        let share = simd.div_f64s(row[k], pivot[k]);
        row[k] = share;
        for (value, pivot) in row.iter_mut().zip(pivot).skip(k + 1) {
            *value = simd.sub_f64s(*value, simd.mul_f64s(share, pivot));
        }
    }
}

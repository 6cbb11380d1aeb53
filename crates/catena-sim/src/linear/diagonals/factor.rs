//! Factors the diagonal blocks of a matrix, in vectors of nodes.

use super::table::{Table, all_mut, squares, squares_mut};
use crate::linear::block_lanes::{any, eliminate, pivot};
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

//! Factorisation of the diagonal blocks of a matrix, in vectors of nodes.

use super::table::{Table, all_mut, at, put, squares, squares_mut};
use crate::lane::{Lane, LaneMask, Vector, WideSimd, WideWork};
use crate::linear::block_lanes::factor;

/// Factors blocks with partial pivoting, in the order of operations of
/// [`Factored::new`](crate::linear::block::Factored). Returns whether all pivots are finite and not
/// 0.
pub(super) struct Factor<'a, const A: usize> {
    pub(super) own: &'a Table,
    pub(super) factors: &'a mut Table,
    pub(super) order: &'a mut Table,
    pub(super) is_permuted: &'a mut bool,
}

impl<const A: usize> WideWork for Factor<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> bool {
        let own = squares::<S, A>(&self.own.square(0));
        let mut factors = squares_mut::<S, A, A>(self.factors.square_mut(0));
        let mut places = all_mut::<S, A>(self.order.rows_mut());
        let zero = Vector::splat(simd, 0.0);
        let (mut any_permuted, mut all_regular) = (zero.is_below(zero), zero.equals(zero));
        for j in 0..own[0][0].len() {
            let (mut lu, mut order) = ([[zero; A]; A], [zero; A]);
            for p in 0..A {
                lu[p] = at(simd, &own[p], j);
            }
            let factored = factor(&mut lu, &mut order);
            any_permuted = any_permuted | factored.is_permuted;
            all_regular = all_regular & factored.is_regular;
            put(&mut places, j, &order);
            for p in 0..A {
                put(&mut factors[p], j, &lu[p]);
            }
        }
        *self.is_permuted = any_permuted.any();
        !(!all_regular).any()
    }
}

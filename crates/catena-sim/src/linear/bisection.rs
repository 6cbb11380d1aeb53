//! The greatest eigenvalue of a symmetric tridiagonal matrix T, by bisection: a number is above all
//! eigenvalues if all pivots of (number - T) are above 0.
//!
//! The pivots of one number wait for each other, so the middles of three halvings, whichever way
//! they go, are looked at side by side. The numbers are those of one halving after the other.

use crate::instructions::Instructions;
use pulp::NullaryFnOnce;

/// The middles of three halvings, and one number more.
const TRIES: usize = 8;

/// The greatest eigenvalue, rounded up. `bound` is at least its modulus; the numbers beside the
/// diagonal may go on beyond the matrix.
pub(super) fn greatest_eigenvalue(diagonal: &[f64], beside: &[f64], bound: f64) -> f64 {
    let (mut low, mut high) = (-bound, bound * (1.0 + 1e-12));
    loop {
        let above = middles(low, high);
        let are_above = Instructions::best().run(Pivots { diagonal, beside, above: &above });
        let mut at = 1;
        while at < TRIES {
            let middle = above[at];
            if !(high - low > 1e-14 * bound && middle > low && middle < high) {
                return high;
            }
            *(if are_above[at] { &mut high } else { &mut low }) = middle;
            at = 2 * at + usize::from(!are_above[at]);
        }
    }
}

/// The middles of three halvings of an interval. That of number k has those of its lower and upper
/// half as numbers 2k and 2k + 1; number 0 is none.
fn middles(low: f64, high: f64) -> [f64; TRIES] {
    let mut ends = [(low, high); TRIES];
    let mut middles = [high; TRIES];
    for k in 1..TRIES {
        let (low, high) = ends[k];
        middles[k] = 0.5 * (low + high);
        if 2 * k < TRIES {
            (ends[2 * k], ends[2 * k + 1]) = ((low, middles[k]), (middles[k], high));
        }
    }
    middles
}

/// Looks which numbers are above all eigenvalues.
struct Pivots<'a> {
    diagonal: &'a [f64],
    beside: &'a [f64],
    above: &'a [f64; TRIES],
}

impl NullaryFnOnce for Pivots<'_> {
    type Output = [bool; TRIES];

    #[inline(always)]
    fn call(self) -> [bool; TRIES] {
        let Self { diagonal, beside, above } = self;
        let (mut last, mut most, mut square) = ([1.0; TRIES], [1.0; TRIES], 0.0);
        for (i, diagonal) in diagonal.iter().enumerate() {
            for k in 0..TRIES {
                last[k] = above[k] - diagonal - square / last[k];
                most[k] = if last[k] > 0.0 { most[k] } else { 0.0 };
            }
            square = beside.get(i).map_or(0.0, |beside| beside * beside);
        }
        let mut are_above = [true; TRIES];
        for k in 0..TRIES {
            are_above[k] = most[k] > 0.0;
        }
        are_above
    }
}

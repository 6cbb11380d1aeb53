//! Maximum eigenvalue of a symmetric tridiagonal matrix T, by bisection. A number λ is above all
//! eigenvalues if all pivots of λI - T are above 0.
//!
//! The pivots for one λ depend on each other, so they cannot be computed in parallel. The midpoints
//! for all outcomes of three halvings are therefore evaluated in parallel. The result is
//! bit-identical to one halving at a time.

use crate::instructions::Instructions;
use pulp::NullaryFnOnce;

/// Number of midpoints of three halvings, plus one.
const TRIES: usize = 8;

/// Returns the maximum eigenvalue, rounded up. `bound` must be at least its absolute value.
/// `beside` holds the off-diagonal entries; extra entries are ignored.
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

/// Returns the midpoints of three halvings of an interval, as a binary tree. Index 1 is the
/// midpoint of the interval. The midpoints of the lower and upper half at index k are at 2k and 2k
/// + 1. Index 0 is unused.
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

/// Test of which numbers are above all eigenvalues.
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

//! Checks of rods: chains of beads, large bends, loads at which rods buckle, frequencies, twist.
//!
//! Values of a continuum are extrapolated from two or three numbers of segments, since the error is
//! of order 2 in their length. Checks of the order itself have their own rows.

mod balance;
mod bends;
mod buckling;
mod chain;
mod greenhill;
mod helix;
mod refinement;
mod swings;
mod twist;

pub use refinement::{Refinement, refinements};

use super::{Check, check::CheckList};

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("rods");
    chain::add(&mut list);
    bends::add(&mut list);
    buckling::add(&mut list);
    greenhill::add(&mut list);
    helix::add(&mut list);
    swings::add(&mut list);
    twist::add(&mut list);
    list.done()
}

/// Extrapolates values for 1, 2 and 4 times as many segments. Their errors have only even powers of
/// the segment length.
fn extrapolated(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let mut power = 4.0;
    while values.len() > 1 {
        let pairs = values.windows(2);
        values = pairs.map(|pair| (power * pair[1] - pair[0]) / (power - 1.0)).collect();
        power *= 4.0;
    }
    values.first().copied().unwrap_or(f64::NAN)
}

/// Order of the error from two values, the second with twice as many segments.
fn order_of(values: [f64; 2], exact: f64) -> f64 {
    libm::log2(((values[0] - exact) / (values[1] - exact)).abs())
}

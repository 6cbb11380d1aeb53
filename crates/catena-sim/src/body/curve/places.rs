//! Sampled positions of a curve over its whole time range.

use crate::drive::track::Extent;

/// Number of intervals at which [`Curve::places`] samples an animation.
const LOOKS: u32 = 64;

/// Samples the positions of a curve over the window of its extent. Returns the position at time 0
/// if it does not change.
pub(crate) fn places_over(
    extent: Extent,
    at: impl Fn(f64) -> ([f64; 3], [f64; 3]),
) -> Vec<(f64, [f64; 3])> {
    let Some((from, until)) = extent.window() else { return vec![(0.0, at(0.0).0)] };
    let time = |look| from + (until - from) * f64::from(look) / f64::from(LOOKS);
    (0..=LOOKS).map(|look| (time(look), at(time(look)).0)).collect()
}

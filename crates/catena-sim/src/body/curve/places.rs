//! Sampled positions of a curve over its whole time range.

use crate::drive::track::Extent;

/// Number of intervals at which [`Curve::places`] samples an animation.
const SAMPLES: u32 = 64;

/// Samples the positions of a curve over the window of its extent. Returns the position at time 0
/// if it does not change.
pub(crate) fn places_over(
    extent: Extent,
    at: impl Fn(f64) -> ([f64; 3], [f64; 3]),
) -> Vec<(f64, [f64; 3])> {
    let Some((from, until)) = extent.window() else { return vec![(0.0, at(0.0).0)] };
    let time = |sample| from + (until - from) * f64::from(sample) / f64::from(SAMPLES);
    (0..=SAMPLES).map(|sample| (time(sample), at(time(sample)).0)).collect()
}

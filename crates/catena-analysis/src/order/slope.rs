//! Decides whether the error of a method is a power of its step, and estimates the exponent.

use super::run::ErrorPoint;

/// Ratio of the longest to the shortest step of a fitted window.
const SPAN: f64 = 4.0;
/// Minimum number of steps in a fit.
const FITTED: usize = 3;
/// Number of windows to try, starting with the shortest steps.
const WINDOWS: usize = 3;
/// Maximum difference of slope between the halves of a straight curve.
const BEND: f64 = 0.25;
/// Maximum difference between the slope of a straight curve and the theoretical order.
const NEAR: f64 = 0.15;
/// Maximum error that is fitted, as a share of the body's length.
const SMALL: f64 = 0.1;

/// Reason why no shorter steps were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefinementEnd {
    /// The next error would be as small as that of the reference.
    Reference,
    /// The work of more steps would exceed the limit.
    Work {
        /// Number of steps of the last run.
        steps: u64,
    },
}

/// Conclusion about the order of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlopeVerdict {
    /// The points lie on a straight line in log-log scale, whose slope is the order.
    Straight {
        /// Slope fitted to the shortest steps.
        slope: f64,
    },
    /// The points do not lie on a straight line with the theoretical slope.
    Unresolved {
        /// Slope between the two shortest steps; `None` if fewer than two errors are small.
        slope: Option<f64>,
        /// Why no shorter steps were tried.
        stop: RefinementEnd,
    },
}

/// Judges the order of a method from its shortest steps. The reference's error may disturb the last
/// points, so windows without them are tried too.
pub(super) fn judge(points: &[ErrorPoint], order: u32, stop: RefinementEnd) -> SlopeVerdict {
    let small = points.iter().rev().take_while(|point| point.error < SMALL);
    // Ordered from the shortest step to the longest.
    let logs: Vec<[f64; 2]> =
        small.map(|point| [libm::log(point.dt), libm::log(point.error)]).collect();
    let straight = |last: usize| {
        let far = logs[last][0] + libm::log(SPAN) + 1e-9;
        let count = logs[last..].iter().take_while(|log| log[0] <= far).count();
        let window = &logs[last..last + count];
        let [shorter, longer] = [&window[..=count / 2], &window[count.div_ceil(2) - 1..]];
        let bend = slope(shorter) - slope(longer);
        let slope = slope(window);
        let is_straight = bend.abs() <= BEND && (slope - f64::from(order)).abs() <= NEAR;
        (count >= FITTED && is_straight).then_some(slope)
    };
    match (0..logs.len().min(WINDOWS)).find_map(straight) {
        Some(slope) => SlopeVerdict::Straight { slope },
        None => SlopeVerdict::Unresolved { slope: logs.get(..2).map(slope), stop },
    }
}

/// Slope of points by least squares.
fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / count);
    let [mut xx, mut xy] = [0.0; 2];
    for point in points {
        let [x, y] = [point[0] - mean[0], point[1] - mean[1]];
        xx += x * x;
        xy += x * y;
    }
    xy / xx
}

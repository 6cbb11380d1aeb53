//! Whether the error of a method is a power of its step, and which one.

use super::run::ErrorPoint;

/// A slope is fitted to steps up to this many times the shortest of a window.
const SPAN: f64 = 4.0;
/// A slope is fitted to at least this many steps.
const FITTED: usize = 3;
/// How many windows are tried, beginning with that of the shortest steps.
const WINDOWS: usize = 3;
/// The slopes of the halves of a straight line differ by at most this.
const BEND: f64 = 0.25;
/// The slope of a straight line differs from the order of theory by at most this.
const NEAR: f64 = 0.15;
/// Only errors below this share of the body's length are fitted.
const SMALL: f64 = 0.1;

/// Why no shorter steps were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefinementEnd {
    /// The next error would be as small as that of the reference.
    Reference,
    /// The work of more steps would exceed the limit.
    Work {
        /// Steps of the last run.
        steps: u64,
    },
}

/// What the points of a method tell about its order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlopeVerdict {
    /// The points lie on a straight line, whose slope is the order.
    Straight {
        /// Fitted to the shortest steps.
        slope: f64,
    },
    /// The points lie on no straight line with the slope of theory.
    Unresolved {
        /// Fitted to the two shortest steps; `None` if fewer than two errors are small.
        slope: Option<f64>,
        /// Why no shorter steps were tried.
        stop: RefinementEnd,
    },
}

/// Judges the points of a method by those of the shortest steps. The error of the reference may
/// disturb the last points, so windows without them count as well.
pub(super) fn judge(points: &[ErrorPoint], order: u32, stop: RefinementEnd) -> SlopeVerdict {
    let small = points.iter().rev().take_while(|point| point.error < SMALL);
    // From the shortest step to longer ones.
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

/// The slope of points by least squares.
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

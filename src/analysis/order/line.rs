//! Whether the error of a method has become a power of its step, and which.

use super::Point;

/// A slope is taken over steps up to so many times the shortest, and over no fewer than these.
const SPAN: f64 = 4.0;
const FITTED: usize = 3;
/// So many windows of them are looked at, the one of the shortest steps first.
const WINDOWS: usize = 3;
/// The slopes of both halves differ by no more than this.
const BEND: f64 = 0.25;
/// How far a slope may be from the order of theory.
const NEAR: f64 = 0.15;
/// A larger error, as a share of the body's length, is no small one.
const SMALL: f64 = 0.1;

/// Why no shorter step was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The next error would be as small as that of the reference.
    Reference,
    /// So many steps are what the method may take.
    Work {
        /// Steps of the last run.
        steps: u64,
    },
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is straight, and its slope is the order.
    Straight {
        /// Fitted over the last steps.
        slope: f64,
    },
    /// It is straight with another slope, or still bends.
    Unresolved {
        /// Over the last steps; `None` where fewer than two of them have a small error.
        slope: Option<f64>,
        /// Why it ends there.
        stop: Stop,
    },
}

/// Looks at the end of a line. Its last points may be moved by the error of the reference, so
/// windows that end before them count as well.
pub(super) fn judge(points: &[Point], order: u32, stop: Stop) -> Verdict {
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
        Some(slope) => Verdict::Straight { slope },
        None => Verdict::Unresolved { slope: logs.get(..2).map(slope), stop },
    }
}

/// The slope of a line through points by least squares.
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

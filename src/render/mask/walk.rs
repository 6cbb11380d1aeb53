//! Lines of single subsamples, by Bresenham's steps.

use super::Point;

/// Visits the subsamples of a line: one for each step along its longer side.
pub(super) fn walk(a: Point, b: Point, mut visit: impl FnMut(i32, i32)) {
    let is_steep = b.y.abs_diff(a.y) > b.x.abs_diff(a.x);
    let along = |at: Point| if is_steep { (at.y, at.x) } else { (at.x, at.y) };
    let (mut start, mut end) = (along(a), along(b));
    if start.0 > end.0 {
        (start, end) = (end, start);
    }
    let length = i64::from(end.0) - i64::from(start.0);
    let rise = i64::from(end.1.abs_diff(start.1));
    let step = if start.1 < end.1 { 1 } else { -1 };
    // Twice the error, which begins at half a step.
    let (mut error, mut side) = (length, start.1);
    for at in start.0..=end.0 {
        let (x, y) = if is_steep { (side, at) } else { (at, side) };
        visit(x, y);
        error -= 2 * rise;
        if error < 0 {
            side += step;
            error += 2 * length;
        }
    }
}

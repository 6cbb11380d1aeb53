//! Polygons of any shape: what lies inside by the even-odd rule, row by row, and their outline.

use super::{Point, walk::walk};

/// Passes each run of a polygon, `(y, from, to)` with both ends included, between two rows.
pub(super) fn runs(
    corners: &[Point],
    (first, last): (i32, i32),
    mut set: impl FnMut(i32, i32, i32),
) {
    let edges = || (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    let top = corners.iter().map(|at| at.y).min().unwrap_or(i32::MAX);
    let bottom = corners.iter().map(|at| at.y).max().unwrap_or(i32::MIN);
    let mut crossings = Vec::new();
    for y in top.max(first)..=bottom.min(last) {
        crossings.clear();
        for (a, b) in edges() {
            cross(a, b, y, &mut crossings);
        }
        crossings.sort_unstable();
        for pair in crossings.chunks(2) {
            set(y, pair[0], pair[pair.len() - 1]);
        }
    }
    for (a, b) in edges() {
        walk(a, b, |x, y| {
            if (first..=last).contains(&y) {
                set(y, x, x);
            }
        });
    }
}

/// Adds where an edge crosses a row. Its lower end belongs to the edge that goes on from there, and
/// both ends of a level edge count.
fn cross(a: Point, b: Point, y: i32, crossings: &mut Vec<i32>) {
    if y < a.y.min(b.y) || y > a.y.max(b.y) {
        return;
    }
    if a.y == b.y {
        crossings.extend([a.x, b.x]);
    } else if y == a.y || y == b.y {
        let upper = if a.y < b.y { a } else { b };
        crossings.extend((y == upper.y).then_some(upper.x));
    } else {
        let between = |from: i32, to: i32| (i64::from(to) - i64::from(from)) as f32;
        let fraction = between(a.y, y) / between(a.y, b.y);
        crossings.push((a.x as f32 + fraction * between(a.x, b.x)).round() as i32);
    }
}

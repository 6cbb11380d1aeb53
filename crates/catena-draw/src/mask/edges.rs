//! Runs of subsamples, one per row, for polygons that cross no row more than twice.
//!
//! A polygon consists of the subsamples between the crossings of a row's centre line with the
//! edges, and of the edges as drawn by Bresenham's algorithm. This module computes both for each
//! row of an edge independently, so that the compiler can use vector instructions.

use super::Point;
use std::cmp::Ordering;

/// Upper limit of corner coordinates, below which f32 represents their halves exactly.
pub(super) const FARTHEST: i32 = 1 << 21;

/// Whether the outline of a polygon goes down once and up once, so that at most two edges cross any
/// row. This holds for convex polygons and all triangles.
pub fn is_monotone(corners: &[Point]) -> bool {
    let Some(mut before) = corners.last() else { return false };
    let (mut first, mut last, mut turns) = (Ordering::Equal, Ordering::Equal, 0);
    for corner in corners {
        let direction = corner.y.cmp(&before.y);
        before = corner;
        if direction.is_eq() {
            continue;
        }
        if last.is_eq() {
            first = direction;
        } else {
            turns += i32::from(direction != last);
        }
        last = direction;
    }
    corners.len() >= 3 && turns + i32::from(first != last) <= 2
}

/// Runs of subsamples, one per row, including both ends. An empty row has from > to.
#[derive(Default)]
pub(super) struct SubsampleRuns {
    pub(super) from: Vec<i32>,
    pub(super) to: Vec<i32>,
}

impl SubsampleRuns {
    fn clear(&mut self, rows: usize) {
        self.from.clear();
        self.from.resize(rows, i32::MAX);
        self.to.clear();
        self.to.resize(rows, i32::MIN);
    }
}

/// Runs of a monotone polygon.
#[derive(Default)]
pub(super) struct PolygonEdges {
    /// First covered row.
    pub(super) top: i32,
    pub(super) rows: SubsampleRuns,
    /// Row, start and end of runs that are separate from the other run of their row.
    pub(super) apart: Vec<(i32, i32, i32)>,
    /// Rows of one edge.
    edge: SubsampleRuns,
}

impl PolygonEdges {
    /// Computes the runs between the first and the last row of `limits`.
    #[inline(always)]
    pub(super) fn find(&mut self, corners: &[Point], limits: (i32, i32)) {
        let ends = corners.iter().map(|at| at.y);
        let (top, bottom) =
            ends.fold((i32::MAX, i32::MIN), |(top, bottom), y| (top.min(y), bottom.max(y)));
        let (top, bottom) = (top.max(limits.0), bottom.min(limits.1));
        self.top = top;
        self.apart.clear();
        self.rows.clear((bottom - top + 1).max(0) as usize);
        if top > bottom {
            return;
        }
        let edges = || (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
        for (a, b) in edges() {
            self.cross(a, b);
        }
        for (a, b) in edges() {
            self.walk(a, b);
        }
    }

    /// Adds the crossings of an edge with rows. The next edge or the outline adds its lower end.
    #[inline(always)]
    fn cross(&mut self, a: Point, b: Point) {
        let end = self.top + self.rows.from.len() as i32;
        let (from, to) = (a.y.min(b.y).max(self.top), a.y.max(b.y).min(end));
        if from >= to {
            return;
        }
        let (height, width) = ((b.y - a.y) as f32, (b.x - a.x) as f32);
        let rows = (from - self.top) as usize..(to - self.top) as usize;
        let runs = self.rows.from[rows.clone()].iter_mut().zip(&mut self.rows.to[rows]);
        let start = a.x as f32;
        for (y, (from, to)) in (from - a.y..).zip(runs) {
            let fraction = y as f32 / height;
            let x = round(start + fraction * width);
            *from = x.min(*from);
            *to = x.max(*to);
        }
    }

    /// Adds the subsamples of an edge, as Bresenham's algorithm draws them.
    #[inline(always)]
    fn walk(&mut self, a: Point, b: Point) {
        let end = self.top + self.rows.from.len() as i32;
        let (from, to) = (a.y.min(b.y).max(self.top), (a.y.max(b.y) + 1).min(end));
        if from >= to {
            return;
        }
        self.edge.clear((to - from) as usize);
        if (b.y - a.y).abs() > (b.x - a.x).abs() {
            self.edge.steep(a, b, from);
        } else {
            self.edge.flat(a, b, from);
        }
        self.include(from);
    }

    /// Merges the runs of an edge, which start at row `first`, into the runs of the polygon. Runs
    /// that do not touch the polygon's run of their row are added to `apart`.
    #[inline(always)]
    fn include(&mut self, first: i32) {
        let Self { top, rows, apart, edge } = self;
        let at = (first - *top) as usize;
        let covered =
            (&mut rows.from[at..][..edge.from.len()], &mut rows.to[at..][..edge.to.len()]);
        let is_joined = |from: i32, to: i32, run: (i32, i32)| {
            let is_empty = from > to;
            is_empty | ((run.0 <= to.saturating_add(1)) & (run.1 >= from.saturating_sub(1)))
        };
        let runs = || edge.from.iter().copied().zip(edge.to.iter().copied());
        let all = covered.0.iter().zip(covered.1.iter()).zip(runs());
        let are_joined = all.fold(true, |all, ((from, to), run)| all & is_joined(*from, *to, run));
        let covered = covered.0.iter_mut().zip(covered.1.iter_mut());
        if are_joined {
            for ((from, to), run) in covered.zip(runs()) {
                *from = run.0.min(*from);
                *to = run.1.max(*to);
            }
            return;
        }
        for (y, ((from, to), run)) in (first..).zip(covered.zip(runs())) {
            if is_joined(*from, *to, run) {
                (*from, *to) = (run.0.min(*from), run.1.max(*to));
            } else {
                apart.push((y, run.0, run.1));
            }
        }
    }
}

impl SubsampleRuns {
    /// Computes a steep edge, which has one subsample per row. Bresenham's error starts at half a
    /// step and must not be negative. After k rows there are thus m steps to the side, with the
    /// minimum m that satisfies dy - 2 k dx + 2 m dy ≥ 0.
    #[inline(always)]
    fn steep(&mut self, a: Point, b: Point, first: i32) {
        let (upper, lower) = if a.y > b.y { (b, a) } else { (a, b) };
        let side = (lower.x - upper.x).signum();
        let (dx, dy) = (f64::from((lower.x - upper.x).abs()), f64::from(lower.y - upper.y));
        let runs = self.from.iter_mut().zip(&mut self.to);
        for (k, (from, to)) in (first - upper.y..).zip(runs) {
            // Exact: products of coordinates fit into 53 bits.
            let steps = floor((2.0 * dx * f64::from(k) + dy - 1.0) / (2.0 * dy));
            let x = upper.x + side * steps;
            (*from, *to) = (x, x);
        }
    }

    /// Computes a flat edge, which has a run of subsamples per row. Row j ends at the maximum i
    /// that satisfies dx - 2 i dy + 2 j dx ≥ 0.
    #[inline(always)]
    fn flat(&mut self, a: Point, b: Point, first: i32) {
        let (left, right) = if a.x > b.x { (b, a) } else { (a, b) };
        let width = right.x - left.x;
        if left.y == right.y {
            self.from.fill(left.x);
            self.to.fill(right.x);
            return;
        }
        let down = (right.y - left.y).signum();
        let (dx, dy) = (f64::from(width), f64::from((right.y - left.y).abs()));
        let runs = self.from.iter_mut().zip(&mut self.to);
        for (y, (from, to)) in (first..).zip(runs) {
            let j = f64::from((y - left.y) * down);
            let begin = floor(((2.0 * j - 1.0) * dx + 2.0 * dy) / (2.0 * dy)).max(0);
            let end = floor((2.0 * j + 1.0) * dx / (2.0 * dy)).min(width);
            (*from, *to) = (left.x + begin, left.x + end);
        }
    }
}

/// 1.5 · 2⁵², where adjacent numbers are 1 apart. Adding it rounds to an integer, held in the
/// lowest bits of the sum. A cast would saturate, for which there is no vector instruction.
const WHOLE_F64: f64 = 6_755_399_441_055_744.0;
/// 1.5 · 2²³, the equivalent of [`WHOLE_F64`] for f32.
const WHOLE_F32: f32 = 12_582_912.0;

/// Floor of a quotient of integers below 2⁵³, which rounding never raises to the next integer.
#[inline(always)]
fn floor(value: f64) -> i32 {
    let sum = value + WHOLE_F64;
    let nearest = sum.to_bits() as i32;
    nearest - i32::from(sum - WHOLE_F64 > value)
}

/// Nearest integer, with halves rounded away from zero like f32::round.
#[inline(always)]
fn round(value: f32) -> i32 {
    let sum = value + WHOLE_F32;
    // The sum rounds halves to even numbers.
    let nearest = (sum.to_bits() as i32) - (WHOLE_F32.to_bits() as i32);
    let rest = value - (sum - WHOLE_F32);
    let up = (rest == 0.5) & (value > 0.0);
    let down = (rest == -0.5) & (value < 0.0);
    nearest + i32::from(up) - i32::from(down)
}

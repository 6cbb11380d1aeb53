//! Crossings of curves in a projection.

use super::curve::{Curve, MAX_CROSSINGS, TopologyError, scaled_points};
use catena_sim::vector::{Vec3, cross, dot, norm, scaled, scaled_norm};

/// Crossing of two segments in a projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Curve and position of the strand that comes first in curve order. The position is the
    /// segment index plus the fraction of the segment.
    pub first: (usize, f64),
    /// Curve and position of the other strand.
    pub second: (usize, f64),
    /// Whether the first strand is closer to the viewer.
    pub first_is_over: bool,
    /// Sign of the crossing: 1 if right-handed, otherwise -1. In a right-handed crossing, seen from
    /// above, a counterclockwise turn by less than half a circle takes the upper strand to the
    /// lower one.
    pub sign: i8,
    /// Distance between the strands along the view, at least 0. It is 0 for strands that touch, as
    /// in the plane.
    pub gap: f64,
}

/// Finds the crossings of curves with themselves and each other, in the order of their first
/// strands. The view is from far along `toward` back to the origin; (0, 0, 1) is the view of a
/// planar scene.
///
/// A degenerate projection, with three points on a line, is perturbed slightly, always in the same
/// direction. Strands that touch count as crossing, with the later one on top.
///
/// # Errors
/// Returns an error if a coordinate is not finite, the direction has no length, or there are too
/// many crossings.
pub fn crossings(curves: &[Curve], toward: Vec3) -> Result<Vec<Crossing>, TopologyError> {
    let size = scaled_norm(toward);
    if !(size > 0.0 && size.is_finite()) {
        return Err(TopologyError::NoDirection);
    }
    let borrowed: Vec<&Curve> = curves.iter().collect();
    let points = scaled_points(&borrowed)?;
    let axes = view_axes(scaled(toward, 1.0 / size));
    let strands = strands(curves, &points, axes);
    let mut all = Vec::new();
    // Strands are sorted along the first axis of the view, so that few pairs are compared.
    for (index, one) in strands.iter().enumerate() {
        let near = strands[index + 1..].iter().take_while(|other| other.low[0] <= one.high[0]);
        for other in near {
            let is_apart = other.low[1] > one.high[1] || one.low[1] > other.high[1];
            let same = one.curve == other.curve;
            if is_apart || (same && curves[one.curve].are_neighbours(one.segment, other.segment)) {
                continue;
            }
            all.extend(one.crossing(other));
            if all.len() > MAX_CROSSINGS {
                return Err(TopologyError::TooManyCrossings);
            }
        }
    }
    let place = |crossing: &Crossing| [crossing.first, crossing.second];
    all.sort_by(|a, b| {
        let pairs = place(a).into_iter().zip(place(b));
        let order = pairs.map(|((i, s), (j, t))| i.cmp(&j).then(s.total_cmp(&t)));
        order.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    Ok(all)
}

/// Axes of the view: right, up, and towards the viewer. Up is as close to y as possible.
fn view_axes(toward: Vec3) -> [Vec3; 3] {
    let up = if toward[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, -1.0] };
    let right = cross(up, toward);
    let right = scaled(right, 1.0 / norm(right));
    [right, cross(toward, right), toward]
}

/// Segment in the projection.
struct ProjectedSegment {
    curve: usize,
    segment: usize,
    ends: [LatticePoint; 2],
    depths: [f64; 2],
    low: [i64; 2],
    high: [i64; 2],
}

/// Creates the strands of all segments, sorted by their minimum first coordinate.
fn strands(curves: &[Curve], points: &[Vec<Vec3>], axes: [Vec3; 3]) -> Vec<ProjectedSegment> {
    let (mut all, mut number) = (Vec::new(), 0);
    for (index, (curve, points)) in curves.iter().zip(points).enumerate() {
        let seen = |i: usize| {
            let [x, y, depth] = axes.map(|axis| dot(axis, points[i]));
            (LatticePoint::new([x, y], number + i), depth)
        };
        for segment in 0..curve.segments() {
            let ((a, from), (b, to)) = (seen(segment), seen((segment + 1) % points.len()));
            all.push(ProjectedSegment {
                curve: index,
                segment,
                ends: [a, b],
                depths: [from, to],
                low: [0, 1].map(|axis: usize| a.at[axis].min(b.at[axis])),
                high: [0, 1].map(|axis: usize| a.at[axis].max(b.at[axis])),
            });
        }
        number += points.len();
    }
    all.sort_by_key(|strand| (strand.low[0], strand.curve, strand.segment));
    all
}

impl ProjectedSegment {
    fn crossing(&self, other: &Self) -> Option<Crossing> {
        // The first strand is the first in curve order, not in sweep order.
        let is_first = (self.curve, self.segment) < (other.curve, other.segment);
        let (one, other) = if is_first { (self, other) } else { (other, self) };
        let ([a, b], [c, d]) = (one.ends, other.ends);
        let crosses = |p, q, r, s| turns_left(p, q, r) != turns_left(p, q, s);
        if !crosses(a, b, c, d) || !crosses(c, d, a, b) {
            return None;
        }
        let (s, t) = (share(area(c, d, a), area(c, d, b)), share(area(a, b, c), area(a, b, d)));
        let depth =
            |strand: &Self, at: f64| strand.depths[0] + at * (strand.depths[1] - strand.depths[0]);
        let gap = depth(one, s) - depth(other, t);
        let first_is_over = gap > 0.0;
        // Whether the second strand turns left, seen along the first.
        let turns = turns_left(a, b, d);
        Some(Crossing {
            first: (one.curve, one.segment as f64 + s),
            second: (other.curve, other.segment as f64 + t),
            first_is_over,
            sign: if turns == first_is_over { 1 } else { -1 },
            gap: gap.abs(),
        })
    }
}

/// Fraction of a segment at which it meets a line, 0 to 1. `from` and `to` are signed distances of
/// its ends from the line.
fn share(from: f64, to: f64) -> f64 {
    let share = from / (from - to);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
}

/// Lattice point and its number.
///
/// On the lattice the area of a triangle is an exact integer. If it is 0, the points are perturbed
/// by infinitesimal amounts, smaller for points of a higher number. So no three points are
/// collinear, and all answers are consistent. Source: Edelsbrunner, Mücke 1990, "Simulation of
/// Simplicity".
#[derive(Clone, Copy, Debug)]
struct LatticePoint {
    pub(super) at: [i64; 2],
    pub(super) number: usize,
}

/// Number of lattice steps per unit.
const FINE: f64 = (1_u64 << 48) as f64;

impl LatticePoint {
    /// Nearest lattice point to coordinates from -2 to 2.
    pub(super) fn new(at: [f64; 2], number: usize) -> Self {
        Self { at: at.map(|value| (value * FINE).round() as i64), number }
    }
}

/// Whether three points with distinct numbers turn left.
fn turns_left(a: LatticePoint, b: LatticePoint, c: LatticePoint) -> bool {
    let mut points = [a, b, c];
    let mut is_even = true;
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if points[i].number > points[j].number {
            points.swap(i, j);
            is_even = !is_even;
        }
    }
    let [i, j, k] = points.map(|point| point.at.map(i128::from));
    let area = (j[0] - i[0]) * (k[1] - i[1]) - (j[1] - i[1]) * (k[0] - i[0]);
    // Coefficients of the perturbations in decreasing order; the last one is 1.
    let signs = [area, k[0] - j[0], j[1] - k[1], i[0] - k[0], 1];
    let sign = signs.into_iter().find(|sign| *sign != 0).unwrap_or(1);
    (sign > 0) == is_even
}

/// Twice the signed area of a triangle in lattice units, positive if counterclockwise.
fn area(a: LatticePoint, b: LatticePoint, c: LatticePoint) -> f64 {
    let [a, b, c] = [a, b, c].map(|point| point.at.map(i128::from));
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) as f64
}

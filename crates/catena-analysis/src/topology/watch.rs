//! Watches a body for passages, state by state.

use super::{
    boxes::{ElementPair, find_near_pairs},
    curve::Curve,
    elements::{Element, Elements},
};
use catena_sim::{
    Model, SpringMemory, State,
    vector::{Vec3, add, along, cross, dot, greatest, norm, scaled, sub},
};

/// Maximum number of box comparisons of a watch, about ten seconds of one core.
const MAX_COMPARISONS: u64 = 2_000_000_000;
/// Maximum time difference, in steps, at which two passages of neighbouring elements count as one.
const SAME: f64 = 1e-6;

/// Error: too many elements are close to each other to watch them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many segments and facets are close together, so not all pairs can be checked")]
pub struct TooNear;

/// Finds every passage between consecutive states of a body.
pub struct Watch {
    elements: Elements,
    points: Vec<Vec3>,
    /// Pairs that may touch as long as no point is farther than the margin from its anchor, not
    /// counting a common translation.
    pairs: Vec<ElementPair>,
    anchor: Vec<Vec3>,
    margin: f64,
    /// Number of comparisons left.
    left: u64,
}

impl Watch {
    /// Watches a body from `state` on. A planar body is not watched, since its elements may cross
    /// in every step.
    pub fn new(model: &Model, state: &State) -> Self {
        let points = positions(model, state);
        if model.axes == 2 {
            return Self::of(Elements::default(), points);
        }
        Self::of(Elements::of_body(model), points)
    }

    pub(super) fn of(elements: Elements, points: Vec<Vec3>) -> Self {
        let (pairs, anchor) = (Vec::new(), Vec::new());
        Self { elements, points, pairs, anchor, margin: 0.0, left: MAX_COMPARISONS }
    }

    /// Returns the passages since the last state, in order of time. Coordinates that are not finite
    /// end the watch.
    ///
    /// # Errors
    /// Returns an error if too many elements are close to each other.
    pub fn advance(
        &mut self,
        model: &Model,
        state: &State,
        springs: &SpringMemory,
    ) -> Result<Vec<Passage>, TooNear> {
        self.advance_points(positions(model, state), springs)
    }

    pub(super) fn advance_points(
        &mut self,
        points: Vec<Vec3>,
        springs: &SpringMemory,
    ) -> Result<Vec<Passage>, TooNear> {
        let before = std::mem::replace(&mut self.points, points);
        let is_finite = self.points.iter().flatten().all(|value| value.is_finite());
        if !is_finite || self.points.len() != before.len() {
            self.elements = Elements::default();
        }
        if self.elements.edges.len() < 2 && self.elements.faces.is_empty() {
            return Ok(Vec::new());
        }
        let far = farthest(&self.anchor, &self.points);
        if self.anchor.len() != before.len() || far.is_nan() || far > self.margin {
            self.find_pairs(&before).ok_or(TooNear)?;
        }
        let mut found = Vec::new();
        for pair in &self.pairs {
            self.add_passages(*pair, &before, springs, &mut found);
        }
        found.sort_by(|(a, _), (b, _)| a.share.total_cmp(&b.share));
        Ok(without_repetitions(found))
    }

    /// Recomputes the pairs, with a margin that suffices for a few steps.
    fn find_pairs(&mut self, before: &[Vec3]) -> Option<()> {
        let lengths = self.elements.edges.iter().map(|edge| {
            let [a, b] = edge.points;
            norm(sub(before[a], before[b]))
        });
        let mean = lengths.sum::<f64>() / self.elements.edges.len().max(1) as f64;
        self.margin = (0.25 * mean).max(4.0 * farthest(before, &self.points));
        // The margin must exceed rounding at the ends of displacements.
        let margin = 1.001 * self.margin;
        self.pairs = find_near_pairs(&self.elements, before, margin, &mut self.left)?;
        self.anchor = before.to_vec();
        Some(())
    }

    /// Appends the passages of a pair, with the points of both elements.
    fn add_passages(
        &self,
        pair: ElementPair,
        before: &[Vec3],
        springs: &SpringMemory,
        found: &mut Vec<(Passage, [Vec<usize>; 2])>,
    ) {
        let Elements { edges, faces, points } = &self.elements;
        let (pairing, corners, ends, elements): (_, [usize; 4], [&[usize]; 2], [Element; 2]);
        match pair {
            ElementPair::Edges(i, j) => {
                let (one, other) = (&edges[i], &edges[j]);
                if !one.is_whole(springs) || !other.is_whole(springs) {
                    return;
                }
                let ([a, b], [c, d]) = (one.points, other.points);
                (pairing, corners) = (Pairing::Edges, [a, b, c, d]);
                ends = [&one.points[..], &other.points[..]];
                elements = [one.element, other.element];
            }
            ElementPair::PointAndFace(i, j) => {
                let face = &faces[j];
                if !face.is_whole(springs) {
                    return;
                }
                let [a, b, c] = face.points;
                (pairing, corners) = (Pairing::PointAndFace, [i, a, b, c]);
                ends = [&corners[..1], &face.points[..]];
                elements = [points[i], face.element];
            }
        }
        let (from, to) = (corners.map(|i| before[i]), corners.map(|i| self.points[i]));
        for share in (Quartet { pairing, from, to }).times() {
            let (a, b) = (elements[0].min(elements[1]), elements[0].max(elements[1]));
            let ends = if a == elements[0] { ends } else { [ends[1], ends[0]] };
            found.push((Passage { a, b, share }, ends.map(<[usize]>::to_vec)));
        }
    }
}

/// Removes duplicates of a passage that neighbouring elements found at their common point.
fn without_repetitions(found: Vec<(Passage, [Vec<usize>; 2])>) -> Vec<Passage> {
    let mut kept: Vec<(Passage, [Vec<usize>; 2])> = Vec::new();
    for (passage, ends) in found {
        let shares = |one: &[usize], other: &[usize]| one.iter().any(|end| other.contains(end));
        let is_same = |(other, of): &(Passage, [Vec<usize>; 2])| {
            let straight = shares(&ends[0], &of[0]) && shares(&ends[1], &of[1]);
            let turned = shares(&ends[0], &of[1]) && shares(&ends[1], &of[0]);
            passage.share - other.share < SAME && (straight || turned)
        };
        // Passages are sorted by time, so the last ones are the closest.
        let near = kept.iter().rev().take_while(|(other, _)| passage.share - other.share < SAME);
        if !near.into_iter().any(is_same) {
            kept.push((passage, ends));
        }
    }
    kept.into_iter().map(|(passage, _)| passage).collect()
}

fn positions(model: &Model, state: &State) -> Vec<Vec3> {
    (0..model.nodes()).map(|node| state.position(model.nodes(), node)).collect()
}

/// Maximum displacement of a point, relative to the mean displacement.
fn farthest(from: &[Vec3], to: &[Vec3]) -> f64 {
    let displacements = || from.iter().zip(to).map(|(from, to)| sub(*to, *from));
    let count = from.len().max(1) as f64;
    let mean = scaled(displacements().fold([0.0; 3], add), 1.0 / count);
    displacements().map(|displacement| norm(sub(displacement, mean))).fold(0.0, f64::max)
}

/// Maximum distance of touching elements, relative to the lengths of segments and displacements.
const TOUCH: f64 = 1e-7;
/// Rounding error of a volume, as a share of the product of its factors.
const ROUNDING: f64 = 1e-14;

/// Passage of two elements through each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// First element in the order of parts.
    pub a: Element,
    /// Second element.
    pub b: Element,
    /// Time of the passage, from 0 at the first state to 1 at the second.
    pub share: f64,
}

/// Finds all passages of curves while each point moves straight from its position in `before` to
/// its position in `after`. Both must have the same number of points.
///
/// # Errors
/// Returns an error if too many elements are close to each other to check all pairs.
pub fn passages(before: &[Curve], after: &[Curve]) -> Result<Vec<Passage>, TooNear> {
    let points = |curves: &[Curve]| -> Vec<Vec3> {
        curves.iter().flat_map(|curve| curve.points.iter().copied()).collect()
    };
    let mut watch = Watch::of(Elements::of_curves(before), points(before));
    watch.advance_points(points(after), &SpringMemory::default())
}

/// Kind of the two elements formed by four points.
#[derive(Clone, Copy, Debug)]
enum Pairing {
    /// Segments 0-1 and 2-3.
    Edges,
    /// Point 0 and facet 1-2-3.
    PointAndFace,
}

/// Four moving points.
///
/// The points span a volume that is a cubic in time. When its sign changes they are coplanar, and
/// the two elements pass through each other if they also touch. Bisection between the extrema of
/// the cubic finds every sign change. A volume within rounding always counts as positive. So a
/// passage at the boundary of two steps is found in exactly one of them, and planar bodies yield
/// none. Source: Provot 1997; Bridson, Fedkiw, Anderson 2002.
#[derive(Clone, Copy)]
struct Quartet {
    pairing: Pairing,
    pub(super) from: [Vec3; 4],
    pub(super) to: [Vec3; 4],
}

impl Quartet {
    /// Times at which the two elements pass through each other, ascending.
    pub(super) fn times(&self) -> Vec<f64> {
        if self.is_apart() {
            return Vec::new();
        }
        let mut samples = vec![0.0];
        samples.extend(self.extrema());
        samples.push(1.0);
        let mut times = Vec::new();
        for ends in samples.windows(2) {
            let (from, to) = (self.is_negative(ends[0]), self.is_negative(ends[1]));
            if from != to {
                let time = self.change(ends[0], ends[1], from);
                if self.touch(time) {
                    times.push(time);
                }
            }
        }
        times
    }

    /// Whether the bounding boxes of the two swept elements are disjoint.
    fn is_apart(&self) -> bool {
        let first = match self.pairing {
            Pairing::Edges => 2,
            Pairing::PointAndFace => 1,
        };
        let ends = |range: std::ops::Range<usize>, axis: usize| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for i in range {
                low = low.min(self.from[i][axis]).min(self.to[i][axis]);
                high = high.max(self.from[i][axis]).max(self.to[i][axis]);
            }
            (low, high)
        };
        (0..3).any(|axis| {
            let (one, other) = (ends(0..first, axis), ends(first..4, axis));
            let slack = TOUCH * ((one.1 - one.0) + (other.1 - other.0));
            one.0 > other.1 + slack || other.0 > one.1 + slack
        })
    }

    /// Positions at a time, exactly the given ones at 0 and 1.
    fn at(&self, time: f64) -> [Vec3; 4] {
        if time >= 1.0 {
            return self.to;
        }
        [0, 1, 2, 3].map(|i: usize| along(self.from[i], time, sub(self.to[i], self.from[i])))
    }

    /// Three edges whose triple product is the volume.
    fn factors(&self, [a, b, c, d]: [Vec3; 4]) -> [Vec3; 3] {
        match self.pairing {
            Pairing::Edges => [sub(b, a), sub(d, c), sub(c, a)],
            Pairing::PointAndFace => [sub(c, b), sub(d, b), sub(a, b)],
        }
    }

    fn volume(&self, time: f64) -> f64 {
        let [u, v, w] = self.factors(self.at(time));
        dot(cross(u, v), w)
    }

    /// Whether the volume is negative beyond rounding.
    fn is_negative(&self, time: f64) -> bool {
        let points = self.at(time);
        let [u, v, w] = self.factors(points);
        let reach = points.iter().map(|point| greatest(*point)).fold(norm(w), f64::max);
        dot(cross(u, v), w) < -ROUNDING * norm(u) * norm(v) * reach
    }

    /// Times within (0, 1) at which the volume is stationary, ascending. They only divide the
    /// interval, so rounding does not matter.
    fn extrema(&self) -> impl Iterator<Item = f64> + use<> {
        let [p, q, r, s] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(|time| self.volume(time));
        let cubic = 13.5 * (q - r) + 4.5 * (s - p);
        let square = 9.0 * p - 22.5 * q + 18.0 * r - 4.5 * s;
        let linear = -5.5 * p + 9.0 * q - 4.5 * r + s;
        // Solves 3 cubic t² + 2 square t + linear = 0 without cancellation.
        let root = (square * square - 3.0 * cubic * linear).max(0.0).sqrt();
        let sum = -(square + if square < 0.0 { -root } else { root });
        let mut times = [sum / (3.0 * cubic), linear / sum];
        times.sort_by(f64::total_cmp);
        times.into_iter().filter(|time| *time > 0.0 && *time < 1.0)
    }

    /// Time at which the volume changes its sign between two times.
    fn change(&self, mut from: f64, mut to: f64, was_negative: bool) -> f64 {
        for _ in 0..60 {
            let middle = 0.5 * (from + to);
            if self.is_negative(middle) == was_negative {
                from = middle;
            } else {
                to = middle;
            }
        }
        0.5 * (from + to)
    }

    /// Whether the two elements touch at a time.
    fn touch(&self, time: f64) -> bool {
        let points = self.at(time);
        let [u, v, _] = self.factors(points);
        let displacements =
            (0..4).map(|i| sub(sub(self.to[i], self.from[i]), sub(self.to[0], self.from[0])));
        let distance = displacements.map(norm).fold(0.0, f64::max);
        let gap = match (self.pairing, points) {
            (Pairing::Edges, [a, b, c, d]) => between_segments([a, b], [c, d]),
            (Pairing::PointAndFace, [a, b, c, d]) => norm(from_triangle(a, [b, c, d])),
        };
        gap <= TOUCH * (norm(u) + norm(v) + distance)
    }
}

/// Minimum distance of two segments. Source: Ericson, "Real-Time Collision Detection", 5.1.9.
fn between_segments([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f64 {
    let (u, v, w) = (sub(b, a), sub(d, c), sub(a, c));
    let (uu, vv, uv, vw, uw) = (dot(u, u), dot(v, v), dot(u, v), dot(v, w), dot(u, w));
    let share = |value: f64| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    let gap = |s: f64, t: f64| norm(sub(add(w, scaled(u, s)), scaled(v, t)));
    let s = share((uv * vw - uw * vv) / (uu * vv - uv * uv));
    let t = share((uv * s + vw) / vv);
    let inside = gap(share((uv * t - uw) / uu), t);
    // For parallel segments, one of the ends is nearest.
    let ends = [gap(share(-uw / uu), 0.0), gap(share((uv - uw) / uu), 1.0)];
    let others = [gap(0.0, share(vw / vv)), gap(1.0, share((uv + vw) / vv))];
    ends.into_iter().chain(others).fold(inside, f64::min)
}

/// Vector from the nearest point of a triangle to a point. Source: Ericson, 5.1.5.
fn from_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = cross(sub(b, a), sub(c, a));
    let size = dot(normal, normal);
    let is_inside = |from: Vec3, to: Vec3| dot(cross(sub(to, from), sub(p, from)), normal) >= 0.0;
    if size > 0.0 && is_inside(a, b) && is_inside(b, c) && is_inside(c, a) {
        return scaled(normal, dot(sub(p, a), normal) / size);
    }
    let side = |from: Vec3, to: Vec3| {
        let edge = sub(to, from);
        let share = dot(sub(p, from), edge) / dot(edge, edge);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        sub(p, along(from, share, edge))
    };
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides
        .into_iter()
        .fold([f64::INFINITY; 3], |minimum, it| if norm(it) < norm(minimum) { it } else { minimum })
}

//! Watches a body for passages, state by state.

use super::elements::{Element, Elements};
use super::near::{Pair, near_pairs};
use super::passage::{Pairing, Passage, Quartet};
use catena_sim::vector::{Vec3, add, norm, scaled, sub};
use catena_sim::{Model, SpringMemory, State};

/// Maximum number of box comparisons of a watch, about ten seconds of one core.
const MOST_COMPARISONS: u64 = 2_000_000_000;
/// Maximum time difference, in steps, at which two passages of neighbouring elements count as one.
const SAME: f64 = 1e-6;

/// Error: too many elements are close to each other to watch them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many segments and facets lie near each other to watch all of them")]
pub struct TooNear;

/// Finds every passage between consecutive states of a body.
pub struct Watch {
    elements: Elements,
    points: Vec<Vec3>,
    /// Pairs that may touch while no point is farther than the margin from its anchor, apart from a
    /// common translation.
    pairs: Vec<Pair>,
    anchor: Vec<Vec3>,
    margin: f64,
    /// Number of comparisons left.
    left: u64,
}

impl Watch {
    /// Watches a body from this state on. A planar body is not watched: its elements cross in every
    /// step.
    pub fn new(model: &Model, state: &State) -> Self {
        let points = positions(model, state);
        if model.axes == 2 {
            return Self::of(Elements::default(), points);
        }
        Self::of(Elements::of_body(model), points)
    }

    pub(super) fn of(elements: Elements, points: Vec<Vec3>) -> Self {
        let (pairs, anchor) = (Vec::new(), Vec::new());
        Self { elements, points, pairs, anchor, margin: 0.0, left: MOST_COMPARISONS }
    }

    /// Returns the passages since the last state, in order of time. Coordinates that are not finite
    /// end the watch.
    ///
    /// # Errors
    /// Returned if too many elements are close to each other.
    pub fn look(
        &mut self,
        model: &Model,
        state: &State,
        springs: &SpringMemory,
    ) -> Result<Vec<Passage>, TooNear> {
        self.look_at(positions(model, state), springs)
    }

    pub(super) fn look_at(
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
        self.pairs = near_pairs(&self.elements, before, margin, &mut self.left)?;
        self.anchor = before.to_vec();
        Some(())
    }

    /// Appends the passages of a pair, with the points of both elements.
    fn add_passages(
        &self,
        pair: Pair,
        before: &[Vec3],
        springs: &SpringMemory,
        found: &mut Vec<(Passage, [Vec<usize>; 2])>,
    ) {
        let Elements { edges, faces, points } = &self.elements;
        let (pairing, corners, ends, elements): (_, [usize; 4], [&[usize]; 2], [Element; 2]);
        match pair {
            Pair::Edges(i, j) => {
                let (one, other) = (&edges[i], &edges[j]);
                if !one.is_whole(springs) || !other.is_whole(springs) {
                    return;
                }
                let ([a, b], [c, d]) = (one.points, other.points);
                (pairing, corners) = (Pairing::Edges, [a, b, c, d]);
                ends = [&one.points[..], &other.points[..]];
                elements = [one.element, other.element];
            }
            Pair::PointAndFace(i, j) => {
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
    let ways = || from.iter().zip(to).map(|(from, to)| sub(*to, *from));
    let count = from.len().max(1) as f64;
    let mean = scaled(ways().fold([0.0; 3], add), 1.0 / count);
    ways().map(|way| norm(sub(way, mean))).fold(0.0, f64::max)
}

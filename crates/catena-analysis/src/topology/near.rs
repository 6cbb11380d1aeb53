//! Pairs of elements that may touch before any point has moved farther than a margin.

use super::boxes::{NearBox, Tree};
use super::elements::Elements;
use catena_sim::vector::Vec3;

/// Pair of elements: two edges, or a point and a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    Edges(usize, usize),
    PointAndFace(usize, usize),
}

/// Maximum number of stored pairs, about 250 MB.
const MOST_PAIRS: usize = 10_000_000;

/// All pairs with overlapping boxes and no common point. Returns `None` if more than `left` boxes
/// would have to be compared, or too many pairs stored.
pub(super) fn near_pairs(
    elements: &Elements,
    points: &[Vec3],
    margin: f64,
    left: &mut u64,
) -> Option<Vec<Pair>> {
    let Elements { edges, faces, .. } = elements;
    let around = |item, corners: &[usize]| NearBox::around(item, corners, points, margin);
    let mut all = Vec::new();
    let boxes = edges.iter().enumerate().map(|(i, edge)| around(i, &edge.points));
    Tree::new(boxes.collect()).pairs(left, |i, j| {
        let [a, b] = [i, j].map(|edge| edges[edge].points);
        if !a.iter().any(|end| b.contains(end)) {
            all.push(Pair::Edges(i.min(j), i.max(j)));
        }
        (all.len() <= MOST_PAIRS).then_some(())
    })?;
    if !faces.is_empty() {
        let boxes = faces.iter().enumerate().map(|(i, face)| around(i, &face.points));
        let nodes = (0..points.len()).map(|i| around(i, &[i]));
        let (boxes, nodes) = (Tree::new(boxes.collect()), Tree::new(nodes.collect()));
        nodes.pairs_with(&boxes, left, |node, face| {
            if !faces[face].points.contains(&node) {
                all.push(Pair::PointAndFace(node, face));
            }
            (all.len() <= MOST_PAIRS).then_some(())
        })?;
    }
    all.sort_unstable();
    Some(all)
}

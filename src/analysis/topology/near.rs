//! Pairs of elements that may meet before any point has gone farther than a margin.

use super::elements::Elements;
use crate::sim::vector::Vec3;

/// A pair: two edges, or a point and a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    Edges(usize, usize),
    PointAndFace(usize, usize),
}

/// The box around an element, larger by the margin on each side.
struct NearBox {
    low: Vec3,
    high: Vec3,
    item: usize,
}

impl NearBox {
    fn around(item: usize, corners: &[usize], points: &[Vec3], margin: f64) -> Self {
        let fold = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
            corners.iter().map(|&i| points[i][axis]).fold(start, pick)
        };
        let low = [0, 1, 2].map(|axis| fold(axis, f64::INFINITY, f64::min) - margin);
        let high = [0, 1, 2].map(|axis| fold(axis, f64::NEG_INFINITY, f64::max) + margin);
        Self { low, high, item }
    }

    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// The most pairs that are kept, about 250 MB.
const MOST_PAIRS: usize = 10_000_000;

/// All pairs without a common point whose boxes meet; `None` if more than `most` boxes would have
/// to be compared, or more pairs kept than memory should hold.
pub(super) fn near_pairs(
    elements: &Elements,
    points: &[Vec3],
    margin: f64,
    most: &mut u64,
) -> Option<Vec<Pair>> {
    let around = |item, corners: &[usize]| NearBox::around(item, corners, points, margin);
    let edges = elements.edges.iter().enumerate().map(|(i, edge)| around(i, &edge.points));
    let edges: Vec<NearBox> = edges.collect();
    let mut all = Vec::new();
    let axis = widest(points);
    let mut sorted: Vec<&NearBox> = edges.iter().collect();
    sorted.sort_by(|a, b| a.low[axis].total_cmp(&b.low[axis]));
    for (index, one) in sorted.iter().enumerate() {
        let near = sorted[index + 1..].iter().take_while(|other| other.low[axis] <= one.high[axis]);
        for other in near {
            *most = most.checked_sub(1)?;
            let (i, j) = (one.item.min(other.item), one.item.max(other.item));
            let [a, b] = [i, j].map(|edge| elements.edges[edge].points);
            if one.meets(other) && !a.iter().any(|end| b.contains(end)) {
                all.push(Pair::Edges(i, j));
            }
        }
        if all.len() > MOST_PAIRS {
            return None;
        }
    }
    if !elements.faces.is_empty() {
        let mut nodes: Vec<NearBox> = (0..points.len()).map(|i| around(i, &[i])).collect();
        nodes.sort_by(|a, b| a.low[axis].total_cmp(&b.low[axis]));
        let thick = 2.0 * margin;
        for (index, face) in elements.faces.iter().enumerate() {
            let one = around(index, &face.points);
            let first = nodes.partition_point(|node| node.low[axis] < one.low[axis] - thick);
            let near = nodes[first..].iter().take_while(|node| node.low[axis] <= one.high[axis]);
            for node in near {
                *most = most.checked_sub(1)?;
                if one.meets(node) && !face.points.contains(&node.item) {
                    all.push(Pair::PointAndFace(node.item, index));
                }
            }
            if all.len() > MOST_PAIRS {
                return None;
            }
        }
    }
    all.sort_unstable();
    Some(all)
}

/// The axis along which points lie farthest apart.
fn widest(points: &[Vec3]) -> usize {
    let extent = |axis: usize| {
        let values = || points.iter().map(|point| point[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    (0..3).fold(0, |best, axis| if extent(axis) > extent(best) { axis } else { best })
}

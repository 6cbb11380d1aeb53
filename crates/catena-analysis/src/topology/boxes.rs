//! Tree of bounding boxes that finds overlapping pairs.
//!
//! This code is deliberately separate from the box tree of drawn contact. A check for bodies that
//! passed through each other must not share errors with the contact code that it checks.

use super::elements::Elements;
use catena_sim::vector::Vec3;

/// Maximum number of boxes in a leaf, which are tested one by one.
const LEAF: usize = 4;

/// Bounding box of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearBox {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// Index of the item.
    pub(super) item: usize,
}

impl NearBox {
    /// Bounding box of some points, enlarged by a margin on each side.
    pub(super) fn around(item: usize, corners: &[usize], points: &[Vec3], margin: f64) -> Self {
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

    /// Bounding box of both boxes.
    fn with(&self, other: &Self) -> Self {
        let low = [0, 1, 2].map(|axis: usize| self.low[axis].min(other.low[axis]));
        let high = [0, 1, 2].map(|axis: usize| self.high[axis].max(other.high[axis]));
        Self { low, high, ..*self }
    }

    fn middle(&self, axis: usize) -> f64 {
        self.low[axis] + self.high[axis]
    }
}

/// Boxes, split recursively in halves along the axis of their widest spread.
pub(super) struct BoxTree {
    leaves: Vec<NearBox>,
    branches: Vec<BoxBranch>,
}

/// Range of boxes from `start` to `end`, and their bounding box.
struct BoxBranch {
    around: NearBox,
    start: usize,
    end: usize,
    halves: Option<[usize; 2]>,
}

impl BoxTree {
    pub(super) fn new(mut leaves: Vec<NearBox>) -> Self {
        let mut branches = Vec::new();
        if !leaves.is_empty() {
            let end = leaves.len();
            grow(&mut leaves, 0, end, &mut branches);
        }
        Self { leaves, branches }
    }

    /// Calls `visit` once for each pair of overlapping boxes. Returns `None` if more than `left`
    /// comparisons are needed, or `visit` returns `None`.
    pub(super) fn visit_pairs(
        &self,
        left: &mut u64,
        mut visit: impl FnMut(usize, usize) -> Option<()>,
    ) -> Option<()> {
        let mut open: Vec<(usize, usize)> = self.root().into_iter().map(|it| (it, it)).collect();
        while let Some((i, j)) = open.pop() {
            let (a, b) = (&self.branches[i], &self.branches[j]);
            match (a.halves, b.halves) {
                (Some([p, q]), _) if i == j => open.extend([(p, p), (q, q), (p, q)]),
                _ if i == j => {
                    for (k, one) in self.leaves[a.start..a.end].iter().enumerate() {
                        for other in &self.leaves[a.start + k + 1..a.end] {
                            *left = left.checked_sub(1)?;
                            if one.meets(other) {
                                visit(one.item, other.item)?;
                            }
                        }
                    }
                }
                _ => self.meet(i, self, j, left, &mut open, &mut visit)?,
            }
        }
        Some(())
    }

    /// Calls `visit` for each overlapping pair of a box of this tree and a box of another. Returns
    /// `None` like [`Self::visit_pairs`].
    pub(super) fn visit_pairs_with(
        &self,
        other: &Self,
        left: &mut u64,
        mut visit: impl FnMut(usize, usize) -> Option<()>,
    ) -> Option<()> {
        let mut open: Vec<(usize, usize)> = self.root().into_iter().zip(other.root()).collect();
        while let Some((i, j)) = open.pop() {
            self.meet(i, other, j, left, &mut open, &mut visit)?;
        }
        Some(())
    }

    fn root(&self) -> Option<usize> {
        self.branches.len().checked_sub(1)
    }

    /// Compares a branch of this tree with one of another, or descends into the larger one.
    fn meet(
        &self,
        i: usize,
        other: &Self,
        j: usize,
        left: &mut u64,
        open: &mut Vec<(usize, usize)>,
        visit: &mut impl FnMut(usize, usize) -> Option<()>,
    ) -> Option<()> {
        let (a, b) = (&self.branches[i], &other.branches[j]);
        *left = left.checked_sub(1)?;
        if !a.around.meets(&b.around) {
            return Some(());
        }
        match (a.halves, b.halves) {
            (None, None) => {
                for one in &self.leaves[a.start..a.end] {
                    for two in &other.leaves[b.start..b.end] {
                        *left = left.checked_sub(1)?;
                        if one.meets(two) {
                            visit(one.item, two.item)?;
                        }
                    }
                }
            }
            (Some(halves), None) => open.extend(halves.map(|half| (half, j))),
            (Some(halves), Some(_)) if a.end - a.start >= b.end - b.start => {
                open.extend(halves.map(|half| (half, j)));
            }
            (_, Some(halves)) => open.extend(halves.map(|half| (i, half))),
        }
        Some(())
    }
}

/// Appends the branch of the boxes from `start` to `end`, after the branches of their halves.
/// Returns its index.
fn grow(all: &mut [NearBox], start: usize, end: usize, branches: &mut Vec<BoxBranch>) -> usize {
    let here = &mut all[start..end];
    let around = here.iter().skip(1).fold(here[0], |around, it| around.with(it));
    let mut halves = None;
    if here.len() > LEAF {
        let spread = |axis: usize| {
            let middles = || here.iter().map(|it| it.middle(axis));
            middles().fold(f64::NEG_INFINITY, f64::max) - middles().fold(f64::INFINITY, f64::min)
        };
        let wider = |best, axis| if spread(axis) > spread(best) { axis } else { best };
        let (axis, half) = ((1..3).fold(0, wider), here.len() / 2);
        here.select_nth_unstable_by(half, |a, b| {
            a.middle(axis).total_cmp(&b.middle(axis)).then(a.item.cmp(&b.item))
        });
        let ranges = [(start, start + half), (start + half, end)];
        halves = Some(ranges.map(|(start, end)| grow(all, start, end, branches)));
    }
    branches.push(BoxBranch { around, start, end, halves });
    branches.len() - 1
}

/// Pair of elements: two edges, or a point and a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ElementPair {
    Edges(usize, usize),
    PointAndFace(usize, usize),
}

/// Maximum number of stored pairs, about 250 MB.
const MAX_PAIRS: usize = 10_000_000;

/// Finds all pairs with overlapping boxes and no common point. Returns `None` if more than `left`
/// boxes would have to be compared, or if too many pairs would have to be stored.
pub(super) fn find_near_pairs(
    elements: &Elements,
    points: &[Vec3],
    margin: f64,
    left: &mut u64,
) -> Option<Vec<ElementPair>> {
    let Elements { edges, faces, .. } = elements;
    let around = |item, corners: &[usize]| NearBox::around(item, corners, points, margin);
    let mut all = Vec::new();
    let boxes = edges.iter().enumerate().map(|(i, edge)| around(i, &edge.points));
    BoxTree::new(boxes.collect()).visit_pairs(left, |i, j| {
        let [a, b] = [i, j].map(|edge| edges[edge].points);
        if !a.iter().any(|end| b.contains(end)) {
            all.push(ElementPair::Edges(i.min(j), i.max(j)));
        }
        (all.len() <= MAX_PAIRS).then_some(())
    })?;
    if !faces.is_empty() {
        let boxes = faces.iter().enumerate().map(|(i, face)| around(i, &face.points));
        let nodes = (0..points.len()).map(|i| around(i, &[i]));
        let (boxes, nodes) = (BoxTree::new(boxes.collect()), BoxTree::new(nodes.collect()));
        nodes.visit_pairs_with(&boxes, left, |node, face| {
            if !faces[face].points.contains(&node) {
                all.push(ElementPair::PointAndFace(node, face));
            }
            (all.len() <= MAX_PAIRS).then_some(())
        })?;
    }
    all.sort_unstable();
    Some(all)
}

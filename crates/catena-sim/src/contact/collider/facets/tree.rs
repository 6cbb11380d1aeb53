//! A tree of boxes around triangles. Its order depends on the shape at rest alone; the boxes are
//! fitted to every new shape.

use super::visits::Visits;
use crate::body::vector::Vec3;
use std::ops::Range;

/// Maximum number of triangles in a leaf.
const LEAF: usize = 4;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FacetBounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl FacetBounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    pub(super) fn of(points: &[Vec3]) -> Self {
        let mut bounds = Self::EMPTY;
        points.iter().for_each(|&point| bounds.join(&Self { low: point, high: point }));
        bounds
    }

    fn join(&mut self, other: &Self) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    /// Returns the square of the distance of a point from the box.
    #[inline]
    pub(super) fn square(&self, point: Vec3) -> f64 {
        let mut sum = 0.0;
        for (at, (low, high)) in point.iter().zip(self.low.iter().zip(&self.high)) {
            let out = (low - at).max(at - high).max(0.0);
            sum += out * out;
        }
        sum
    }

    /// Whether this box, enlarged by `by` on all sides, intersects `other`.
    #[inline]
    pub(super) fn meets(&self, other: &Self, by: f64) -> bool {
        (0..3).all(|axis| {
            self.low[axis] - by <= other.high[axis] && other.low[axis] <= self.high[axis] + by
        })
    }
}

/// A node of the tree. The first child directly follows it, and `second` is the index of the second
/// child; 0 for a leaf.
#[derive(Clone, Debug, PartialEq)]
struct Branch {
    facets: Range<usize>,
    second: usize,
}

/// A tree over triangles, without boxes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    order: Vec<usize>,
    branches: Vec<Branch>,
}

impl Tree {
    /// Builds a tree over triangles with these centres.
    pub(super) fn new(middles: &[Vec3]) -> Self {
        let mut tree = Self { order: (0..middles.len()).collect(), branches: Vec::new() };
        tree.build(0..middles.len(), middles);
        tree
    }

    /// Adds the branch of a range, halved across its longest side.
    fn build(&mut self, range: Range<usize>, middles: &[Vec3]) {
        let place = self.branches.len();
        self.branches.push(Branch { facets: range.clone(), second: 0 });
        if range.len() <= LEAF {
            return;
        }
        let order = &mut self.order[range.clone()];
        let points: Vec<Vec3> = order.iter().map(|&facet| middles[facet]).collect();
        let FacetBounds { low, high } = FacetBounds::of(&points);
        let side = |axis: &usize| high[*axis] - low[*axis];
        let axis = (0..3).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0);
        let half = range.len() / 2;
        order.select_nth_unstable_by(half, |a, b| {
            middles[*a][axis].total_cmp(&middles[*b][axis]).then(a.cmp(b))
        });
        // The order within each half depends on the algorithm of the standard library.
        order[..half].sort_unstable();
        order[half..].sort_unstable();
        let middle = range.start + half;
        self.build(range.start..middle, middles);
        self.branches[place].second = self.branches.len();
        self.build(middle..range.end, middles);
    }

    /// Refits the boxes of the tree to new boxes of the triangles.
    pub(super) fn fit(
        &self,
        of_facet: impl Fn(usize) -> FacetBounds,
        boxes: &mut Vec<FacetBounds>,
    ) {
        boxes.clear();
        boxes.resize(self.branches.len(), FacetBounds::EMPTY);
        for (place, branch) in self.branches.iter().enumerate().rev() {
            let mut bounds = FacetBounds::EMPTY;
            if branch.second == 0 {
                let facets = &self.order[branch.facets.clone()];
                facets.iter().for_each(|&facet| bounds.join(&of_facet(facet)));
            } else {
                bounds.join(&boxes[place + 1]);
                bounds.join(&boxes[branch.second]);
            }
            boxes[place] = bounds;
        }
    }

    /// Calls `visit` for triangles that may be nearer to a point than `maximum`, a squared
    /// distance. `visit` returns the new value of `maximum`.
    #[inline]
    pub(super) fn nearest(
        &self,
        boxes: &[FacetBounds],
        point: Vec3,
        mut maximum: f64,
        mut visit: impl FnMut(usize) -> f64,
    ) {
        let mut open = [(0.0, 0_usize); 64];
        let mut count = 1;
        let mut visits = Visits { boxes: 1, triangles: 0 };
        open[0] = (boxes[0].square(point), 0);
        while count > 0 {
            count -= 1;
            let (square, place) = open[count];
            if square > maximum {
                continue;
            }
            let branch = &self.branches[place];
            if branch.second == 0 {
                visits.triangles += branch.facets.len() as u64;
                for &facet in &self.order[branch.facets.clone()] {
                    maximum = visit(facet);
                }
                continue;
            }
            let first = (boxes[place + 1].square(point), place + 1);
            let second = (boxes[branch.second].square(point), branch.second);
            // The nearer child is taken off the stack first. A tree of n triangles is log₂ n deep.
            let (near, far) = if second.0 < first.0 { (second, first) } else { (first, second) };
            open[count] = far;
            open[count + 1] = near;
            count += 2;
            visits.boxes += 2;
        }
        visits.record();
    }

    /// Calls `visit` for triangles whose boxes, enlarged by `by`, intersect a box.
    #[inline]
    pub(super) fn meeting(
        &self,
        boxes: &[FacetBounds],
        at: &FacetBounds,
        by: f64,
        mut visit: impl FnMut(usize),
    ) {
        let mut open = [0_usize; 64];
        let mut count = 1;
        let mut visits = Visits::default();
        while count > 0 {
            count -= 1;
            visits.boxes += 1;
            let place = open[count];
            if !at.meets(&boxes[place], by) {
                continue;
            }
            let branch = &self.branches[place];
            if branch.second == 0 {
                self.order[branch.facets.clone()].iter().for_each(|&facet| visit(facet));
            } else {
                open[count] = branch.second;
                open[count + 1] = place + 1;
                count += 2;
            }
        }
        visits.record();
    }
}

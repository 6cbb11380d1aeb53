//! Boxes around pieces, and trees of boxes that find the pairs that may come close in a step.
//!
//! A tree is built once: ropes are divided along their length, surfaces at half of their longest
//! side. The boxes are fitted to the paths of each step. The order of pairs therefore depends on
//! the setup alone.

use super::pieces::Pieces;
use crate::body::Form;
use crate::body::vector::Vec3;
use crate::budget::{Item, Meter};
use std::ops::Range;

/// Maximum number of pieces in a leaf.
const LEAF: usize = 4;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeBounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl TreeBounds {
    /// An empty box, which intersects no other.
    pub(super) const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    #[inline]
    pub(super) fn include(&mut self, point: Vec3) {
        self.join(&Self { low: point, high: point });
    }

    #[inline]
    fn join(&mut self, other: &Self) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    /// Returns the box enlarged by `by` on all sides, plus a margin for rounding errors.
    pub(super) fn grown(mut self, by: f64) -> Self {
        for axis in 0..3 {
            let size = self.low[axis].abs().max(self.high[axis].abs());
            let by = if size.is_finite() { by + 1e-14 * size } else { 0.0 };
            self.low[axis] -= by;
            self.high[axis] += by;
        }
        self
    }

    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// A node of a tree. The first child directly follows it, and `second` is the index of the second
/// child; `None` for a leaf.
struct Branch {
    bounds: TreeBounds,
    pieces: Range<usize>,
    second: Option<usize>,
}

/// A tree of boxes around some pieces.
pub(super) struct Tree {
    order: Vec<usize>,
    branches: Vec<Branch>,
}

/// Data of a search: the boxes of all pieces, and the meter that counts comparisons.
pub(super) struct Search<'a> {
    pub(super) bounds: &'a [TreeBounds],
    pub(super) meter: &'a Meter,
    /// Number of comparisons not yet charged to the meter.
    pub(super) uncharged: u64,
    /// Workspace for branches that a search still has to visit.
    pub(super) open: Vec<usize>,
}

impl Search<'_> {
    fn meets(&mut self, a: &TreeBounds, b: &TreeBounds) -> bool {
        self.uncharged += 1;
        a.meets(b)
    }

    /// Charges the comparisons so far to the meter. Returns whether the run may continue.
    pub(super) fn charge(&mut self) -> bool {
        self.meter.count(Item::DrawnComparison, std::mem::take(&mut self.uncharged))
    }
}

impl Tree {
    /// Builds a tree over the pieces with these indices. `middles` holds the position of each
    /// piece.
    pub(super) fn new(range: Range<usize>, pieces: &Pieces, middles: &[Vec3]) -> Self {
        let mut tree = Self { order: range.collect(), branches: Vec::new() };
        if !tree.order.is_empty() {
            let count = tree.order.len();
            tree.build(0..count, pieces, middles);
        }
        tree
    }

    fn build(&mut self, range: Range<usize>, pieces: &Pieces, middles: &[Vec3]) {
        let place = self.branches.len();
        let branch = Branch { bounds: TreeBounds::EMPTY, pieces: range.clone(), second: None };
        self.branches.push(branch);
        if range.len() <= LEAF {
            return;
        }
        let middle = self.split(range.clone(), pieces, middles);
        self.build(range.start..middle, pieces, middles);
        self.branches[place].second = Some(self.branches.len());
        self.build(middle..range.end, pieces, middles);
    }

    /// Returns the index that divides a range: between parts if it has several, at the half of a
    /// rope, or across the longest side of a surface.
    fn split(&mut self, range: Range<usize>, pieces: &Pieces, middles: &[Vec3]) -> usize {
        let half = range.start + range.len() / 2;
        let order = &mut self.order[range.clone()];
        let part = |piece: &usize| pieces.part(*piece);
        let (first, last) = (part(&order[0]), part(&order[order.len() - 1]));
        if first != last {
            let is_before =
                |at: &usize| part(&order[*at - range.start]) <= part(&order[half - range.start]);
            let next = (half..range.end).find(|at| !is_before(at)).unwrap_or(range.end);
            let own = (range.start..half)
                .rev()
                .find(|at| part(&order[at - range.start]) != part(&order[half - range.start]));
            let own = own.map_or(range.start, |at| at + 1);
            let is_inner = |at: &usize| *at > range.start && *at < range.end;
            let nearest = [own, next].into_iter().filter(is_inner);
            return nearest.min_by_key(|at| at.abs_diff(half)).unwrap_or(half);
        }
        if matches!(pieces.form(first), Form::Rope { .. }) {
            return half;
        }
        let mut bounds = TreeBounds::EMPTY;
        order.iter().for_each(|&piece| bounds.include(middles[piece]));
        let side = |axis: &usize| bounds.high[*axis] - bounds.low[*axis];
        let axis = [0, 1, 2]
            .into_iter()
            .fold(0, |best, axis| if side(&axis) > side(&best) { axis } else { best });
        order.select_nth_unstable_by(half - range.start, |a, b| {
            middles[*a][axis].total_cmp(&middles[*b][axis]).then(a.cmp(b))
        });
        half
    }

    /// Fits all boxes of the tree to the boxes of the pieces.
    pub(super) fn fit(&mut self, bounds: &[TreeBounds]) {
        for place in (0..self.branches.len()).rev() {
            let branch = &self.branches[place];
            let mut all = TreeBounds::EMPTY;
            match branch.second {
                None => {
                    let pieces = &self.order[branch.pieces.clone()];
                    pieces.iter().for_each(|&piece| all.join(&bounds[piece]));
                }
                Some(second) => {
                    all.join(&self.branches[place + 1].bounds);
                    all.join(&self.branches[second].bounds);
                }
            }
            self.branches[place].bounds = all;
        }
    }

    /// Calls `visit` once for each pair of pieces of this tree whose boxes intersect.
    pub(super) fn own_pairs(&self, search: &mut Search, visit: &mut dyn FnMut(usize, usize)) {
        if !self.branches.is_empty() {
            self.own(0, search, visit);
        }
    }

    fn own(&self, place: usize, search: &mut Search, visit: &mut dyn FnMut(usize, usize)) {
        let branch = &self.branches[place];
        if let Some(second) = branch.second {
            self.own(place + 1, search, visit);
            self.own(second, search, visit);
            self.cross(place + 1, self, second, search, visit);
            return;
        }
        let pieces = &self.order[branch.pieces.clone()];
        for (k, &a) in pieces.iter().enumerate() {
            for &b in &pieces[k + 1..] {
                if search.meets(&search.bounds[a], &search.bounds[b]) {
                    visit(a, b);
                }
            }
        }
    }

    /// Calls `visit` for each pair of a piece of this tree and a piece of `other` whose boxes
    /// intersect.
    pub(super) fn pairs_with(
        &self,
        other: &Self,
        search: &mut Search,
        visit: &mut dyn FnMut(usize, usize),
    ) {
        if !self.branches.is_empty() && !other.branches.is_empty() {
            self.cross(0, other, 0, search, visit);
        }
    }

    fn cross(
        &self,
        place: usize,
        tree: &Self,
        at: usize,
        search: &mut Search,
        visit: &mut dyn FnMut(usize, usize),
    ) {
        let (a, b) = (&self.branches[place], &tree.branches[at]);
        if search.meter.is_over() || !search.meets(&a.bounds, &b.bounds) {
            return;
        }
        match (a.second, b.second) {
            (None, None) => {
                if !search.charge() {
                    return;
                }
                for &i in &self.order[a.pieces.clone()] {
                    for &j in &tree.order[b.pieces.clone()] {
                        if search.meets(&search.bounds[i], &search.bounds[j]) {
                            visit(i, j);
                        }
                    }
                }
            }
            (Some(second), _) if b.second.is_none() || a.pieces.len() >= b.pieces.len() => {
                self.cross(place + 1, tree, at, search, visit);
                self.cross(second, tree, at, search, visit);
            }
            (_, Some(second)) => {
                self.cross(place, tree, at + 1, search, visit);
                self.cross(place, tree, second, search, visit);
            }
            (Some(_), None) => {}
        }
    }

    /// Calls `visit` for each piece whose box intersects `at`.
    pub(super) fn pieces_at(
        &self,
        at: &TreeBounds,
        search: &mut Search,
        visit: &mut dyn FnMut(usize),
    ) {
        // `visit` cannot begin another search, because `search` is borrowed.
        search.open.clear();
        search.open.extend((!self.branches.is_empty()).then_some(0));
        while let Some(place) = search.open.pop() {
            let branch = &self.branches[place];
            if !search.meets(&branch.bounds, at) {
                continue;
            }
            match branch.second {
                Some(second) => search.open.extend([second, place + 1]),
                None => {
                    for &piece in &self.order[branch.pieces.clone()] {
                        if search.meets(&search.bounds[piece], at) {
                            visit(piece);
                        }
                    }
                }
            }
        }
    }
}

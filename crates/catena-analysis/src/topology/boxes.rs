//! A tree of boxes, to find those that meet.
//!
//! What judges whether anything passed through anything shares no code with the contact that keeps
//! it from that: a checker has the errors of what it shares with what it checks. So this tree is
//! another than that of drawn contact, on purpose.

use catena_sim::vector::Vec3;

/// Boxes that are tested one by one.
const LEAF: usize = 4;

/// A box around something.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearBox {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// What it is around.
    pub(super) item: usize,
}

impl NearBox {
    /// Around some points, larger by a margin on each side.
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

    /// The box around both.
    fn with(&self, other: &Self) -> Self {
        let low = [0, 1, 2].map(|axis: usize| self.low[axis].min(other.low[axis]));
        let high = [0, 1, 2].map(|axis: usize| self.high[axis].max(other.high[axis]));
        Self { low, high, ..*self }
    }

    fn middle(&self, axis: usize) -> f64 {
        self.low[axis] + self.high[axis]
    }
}

/// Boxes, halved again and again along the axis on which they lie farthest apart.
pub(super) struct Tree {
    leaves: Vec<NearBox>,
    branches: Vec<Branch>,
}

/// The boxes from `start` to `end`, and the one around them.
struct Branch {
    around: NearBox,
    start: usize,
    end: usize,
    halves: Option<[usize; 2]>,
}

impl Tree {
    pub(super) fn new(mut leaves: Vec<NearBox>) -> Self {
        let mut branches = Vec::new();
        if !leaves.is_empty() {
            let end = leaves.len();
            grow(&mut leaves, (0, end), &mut branches);
        }
        Self { leaves, branches }
    }

    /// Calls `visit` with each pair of boxes that meet, once. `None` when more than `left`
    /// comparisons are needed, or `visit` gives `None`.
    pub(super) fn pairs(
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

    /// The same for each box of this tree with each of another.
    pub(super) fn pairs_with(
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

    /// Looks at a branch of this tree and one of another, or opens the larger of the two.
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

/// Adds the branch of some boxes behind those of its halves, and returns its place.
fn grow(all: &mut [NearBox], (start, end): (usize, usize), branches: &mut Vec<Branch>) -> usize {
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
        halves = Some(ranges.map(|range| grow(all, range, branches)));
    }
    branches.push(Branch { around, start, end, halves });
    branches.len() - 1
}

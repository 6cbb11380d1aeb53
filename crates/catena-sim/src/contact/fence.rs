//! Regions in which nodes certainly touch no collider. Most steps therefore need only a bounds
//! check.
//!
//! Each node may have a box around a point. Boxes are convex and paths within a step are straight.
//! A node that begins and ends a step in its box therefore never leaves it. Boxes only save time
//! and are not part of a state. Results are the same without them.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::instructions::Instructions;
use pulp::NullaryFnOnce;

/// Number of nodes per vectorised bounds check.
const GROUP: usize = 16;

/// Reach of a node without a box: the node may touch something at any position.
const NOWHERE: f64 = -1.0;

/// Box of each node.
#[derive(Clone, Debug, Default)]
pub struct Fence {
    /// Box centres, flat by axis.
    pub centre: Vec<f64>,
    /// Half side of each node's box, in units of length; below 0 for a node without a box.
    pub reach: Vec<f64>,
}

impl Fence {
    /// Creates `nodes` empty boxes with `axes` axes each.
    pub(super) fn new(nodes: usize, axes: usize) -> Self {
        Self { centre: vec![0.0; nodes * axes], reach: vec![NOWHERE; nodes] }
    }

    /// Removes all boxes.
    pub(super) fn forget(&mut self) {
        self.reach.fill(NOWHERE);
    }

    /// Removes the box of a node.
    pub(super) fn remove(&mut self, node: usize) {
        self.reach[node] = NOWHERE;
    }

    /// Sets the box of a node.
    pub(super) fn set(&mut self, node: usize, centre: [f64; 3], reach: f64) {
        let n = self.reach.len();
        let of_node = self.centre[node..].iter_mut().step_by(n);
        of_node.zip(centre).for_each(|(to, from)| *to = from);
        self.reach[node] = reach;
    }

    /// Whether a node is in its box.
    pub(super) fn holds(&self, node: usize, x: &[f64]) -> bool {
        self.holds_with(node, x, 0.0)
    }

    /// Whether everything within a distance of a node is in its box.
    pub(super) fn holds_with(&self, node: usize, x: &[f64], distance: f64) -> bool {
        let n = self.reach.len();
        if self.reach[node] < 0.0 {
            return false;
        }
        let mut places = x[node..].iter().step_by(n).zip(self.centre[node..].iter().step_by(n));
        places.all(|(x, centre)| (x - centre).abs() + distance <= self.reach[node])
    }

    /// Replaces `found` by the indices of all nodes outside their boxes, in ascending order.
    pub(super) fn find_outside(&self, x: &[f64], found: &mut Vec<usize>) {
        found.clear();
        found.reserve(self.reach.len());
        match x.len() / self.reach.len().max(1) {
            2 => Instructions::best().run(FindOutside::<2> { fence: self, x, found }),
            3 => Instructions::best().run(FindOutside::<3> { fence: self, x, found }),
            _ => found.extend((0..self.reach.len()).filter(|&node| !self.holds(node, x))),
        }
    }
}

struct FindOutside<'a, const A: usize> {
    fence: &'a Fence,
    x: &'a [f64],
    found: &'a mut Vec<usize>,
}

impl<const A: usize> NullaryFnOnce for FindOutside<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { fence: Fence { centre, reach }, x, found } = self;
        let n = reach.len();
        let x: [&[f64]; A] = std::array::from_fn(|axis| &x[axis * n..][..n]);
        let centre: [&[f64]; A] = std::array::from_fn(|axis| &centre[axis * n..][..n]);
        let is_held = |i: usize| {
            let mut is_held = true;
            for axis in 0..A {
                is_held &= (x[axis][i] - centre[axis][i]).abs() <= reach[i];
            }
            is_held
        };
        let grouped = n - n % GROUP;
        for first in (0..grouped).step_by(GROUP) {
            let mut all = true;
            for axis in 0..A {
                let (x, centre) = (&x[axis][first..][..GROUP], &centre[axis][first..][..GROUP]);
                let reach = &reach[first..][..GROUP];
                for lane in 0..GROUP {
                    all &= (x[lane] - centre[lane]).abs() <= reach[lane];
                }
            }
            if !all {
                found.extend((first..first + GROUP).filter(|&i| !is_held(i)));
            }
        }
        found.extend((grouped..n).filter(|&i| !is_held(i)));
    }
}

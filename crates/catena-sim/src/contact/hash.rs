//! Broad phase of self-contact: a spatial hash finds the pairs of nodes that may come close to each
//! other in a step.
//!
//! Only relative motion matters, so the mean displacement is subtracted first. The cell width is
//! the thickness plus twice the maximum displacement. Nodes that meet therefore begin in the same
//! cell or in adjacent cells. The √n fastest of n nodes would make cells needlessly wide. They are
//! not put into cells but compared with all other nodes. Cells are sorted, so the order never
//! depends on a hash. Source: Teschner et al. 2003.

use crate::body::State;
use crate::body::vector::{add, scaled_norm, sub};
use crate::budget::{Item, Meter};

type HashCell = [i64; 3];

/// Maximum cell coordinate. Greater coordinates are clamped, so neighbours remain neighbours.
const FARTHEST: f64 = 1e15;

/// A node and the bounding box of its path, relative to the mean motion.
struct SweptNode {
    low: [f64; 3],
    high: [f64; 3],
    from: [f64; 3],
    reach: f64,
}

impl SweptNode {
    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// Calls `visit` once for each pair i < j of nodes whose paths from `start` to `end` may come
/// within `thickness`. The search stops when the meter ends the run, because crowded cells can
/// yield all pairs.
pub(super) fn near_pairs(
    nodes: usize,
    axes: usize,
    start: &State,
    end: &State,
    thickness: f64,
    meter: &Meter,
    mut visit: impl FnMut(usize, usize),
) {
    let movers = movers(nodes, start, end, thickness);
    let mut reaches: Vec<f64> = movers.iter().map(|mover| mover.reach).collect();
    reaches.sort_unstable_by(f64::total_cmp);
    let Some(&bound) = reaches.get(nodes.saturating_sub(1 + nodes.isqrt())) else { return };
    let is_fast = |i: usize| movers[i].reach > bound;

    let width = 1.01 * thickness + 2.0 * bound;
    let cell = |i: usize| -> HashCell {
        // With x last, nodes that are neighbours along x are adjacent in the sorted list.
        let [x, y, z] =
            movers[i].from.map(|value| (value / width).floor().clamp(-FARTHEST, FARTHEST) as i64);
        [z, y, x]
    };
    let mut cells: Vec<(HashCell, usize)> =
        (0..nodes).filter(|&i| !is_fast(i)).map(|i| (cell(i), i)).collect();
    cells.sort_unstable();
    let layers = if axes == 3 { -1..=1 } else { 0..=0 };
    for &([z, y, x], i) in &cells {
        for (dz, dy) in layers.clone().flat_map(|dz| (-1..=1).map(move |dy| (dz, dy))) {
            let first = cells.partition_point(|(cell, _)| *cell < [z + dz, y + dy, x - 1]);
            let row =
                cells[first..].iter().take_while(|(cell, _)| *cell <= [z + dz, y + dy, x + 1]);
            let mut comparisons = 0;
            row.inspect(|_| comparisons += 1)
                .filter(|(_, j)| i < *j && movers[i].meets(&movers[*j]))
                .for_each(|(_, j)| visit(i, *j));
            if !meter.count(Item::Comparison, comparisons) {
                return;
            }
        }
    }
    for i in (0..nodes).filter(|&i| is_fast(i)) {
        if !meter.count(Item::Comparison, nodes as u64) {
            return;
        }
        let others = (0..nodes).filter(|&j| j != i && !(is_fast(j) && j < i));
        others.filter(|&j| movers[i].meets(&movers[j])).for_each(|j| visit(i.min(j), i.max(j)));
    }
}

fn movers(nodes: usize, start: &State, end: &State, thickness: f64) -> Vec<SweptNode> {
    let displacement = |i: usize| sub(end.position(nodes, i), start.position(nodes, i));
    let sum = (0..nodes).fold([0.0; 3], |sum, i| add(sum, displacement(i)));
    let mean = sum.map(|value| value / nodes as f64);
    let mover = |i: usize| {
        let from = start.position(nodes, i);
        let to = sub(end.position(nodes, i), mean);
        // Half of the thickness plus a margin for rounding errors.
        let pad = |a: f64, b: f64| 0.51 * thickness + 1e-14 * a.abs().max(b.abs());
        let low = [0, 1, 2].map(|k: usize| from[k].min(to[k]) - pad(from[k], to[k]));
        let high = [0, 1, 2].map(|k: usize| from[k].max(to[k]) + pad(from[k], to[k]));
        SweptNode { low, high, from, reach: scaled_norm(sub(to, from)) }
    };
    (0..nodes).map(mover).collect()
}

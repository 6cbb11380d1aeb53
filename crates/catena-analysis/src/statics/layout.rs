//! Rows of all unknowns in a symmetric matrix, and the envelope of these rows.
//!
//! A node has one row per axis. A quantity that follows from many nodes, such as the twist of a
//! rod, has a row of its own, which keeps the matrix sparse. Nodes are ordered by reverse
//! Cuthill–McKee, so that coupled nodes are close. Quantities of many nodes come last.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use std::collections::BTreeSet;

/// Maximum number of couplings of an unknown; unknowns with more come last in the order.
const MAX_NEIGHBOURS: usize = 64;

/// Row of every coordinate in a matrix, and the envelope of the rows.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    axes: usize,
    nodes: usize,
    /// First row of each node, then of each quantity; `None` for pinned nodes.
    offset: Vec<Option<usize>>,
    /// First column of each row.
    pub(super) first: Vec<usize>,
    /// Position of each row's first entry among the values.
    pub(super) begin: Vec<usize>,
    pub(super) size: usize,
    /// Coupled pairs of unknowns, the lower one first.
    pairs: BTreeSet<(usize, usize)>,
}

impl Layout {
    /// Creates the layout of a body whose forces couple these pairs. Indices of quantities of many
    /// nodes follow the indices of nodes.
    pub(super) fn new(
        axes: usize,
        pinned: &[bool],
        quantities: usize,
        pairs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Self {
        let nodes = pinned.len();
        let fixed = |index: usize| pinned.get(index).copied().unwrap_or(false);
        let sorted = |(a, b): (usize, usize)| (a.min(b), a.max(b));
        let pairs: BTreeSet<_> = pairs.into_iter().map(sorted).filter(|(a, b)| a != b).collect();
        let order = order(nodes + quantities, fixed, &pairs);
        let (mut offset, mut rows) = (vec![None; nodes + quantities], 0);
        let mut lowest = Vec::new();
        for &index in &order {
            offset[index] = Some(rows);
            let own = if index < nodes { axes } else { 1 };
            lowest.extend((0..own).map(|_| rows));
            rows += own;
        }
        for &(a, b) in &pairs {
            let (Some(from), Some(to)) = (offset[a], offset[b]) else { continue };
            let (later, row) = if from > to { (a, from) } else { (b, to) };
            let own = if later < nodes { axes } else { 1 };
            lowest[row..row + own].iter_mut().for_each(|first| *first = from.min(to).min(*first));
        }
        let (mut begin, mut size) = (Vec::with_capacity(rows), 0);
        for (row, first) in lowest.iter().enumerate() {
            begin.push(size);
            size += row - first + 1;
        }
        Self { axes, nodes, offset, first: lowest, begin, size, pairs }
    }

    /// Layout with additional coupled pairs; `None` if this layout couples all of them already.
    pub(super) fn with(&self, pinned: &[bool], pairs: &[(usize, usize)]) -> Option<Self> {
        let is_known = |&(a, b): &(usize, usize)| {
            let is_free = |index: usize| !pinned.get(index).copied().unwrap_or(false);
            !is_free(a) || !is_free(b) || a == b || self.pairs.contains(&(a.min(b), a.max(b)))
        };
        if pairs.iter().all(is_known) {
            return None;
        }
        let all = self.pairs.iter().chain(pairs).copied();
        Some(Self::new(self.axes, pinned, self.offset.len() - self.nodes, all))
    }

    /// Number of axes.
    pub(super) fn axes(&self) -> usize {
        self.axes
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.first.len()
    }

    /// Number of free coordinates.
    pub(super) fn coordinates(&self) -> usize {
        self.axes * self.offset[..self.nodes].iter().flatten().count()
    }

    /// Row of a coordinate; `None` if its node is pinned.
    pub(super) fn row(&self, node: usize, axis: usize) -> Option<usize> {
        self.offset[node].map(|offset| offset + axis)
    }

    /// Row of a quantity of many nodes.
    pub(super) fn quantity(&self, quantity: usize) -> Option<usize> {
        self.offset.get(self.nodes + quantity).copied().flatten()
    }

    /// Estimated number of multiplications in a factorisation.
    pub(super) fn work(&self) -> u64 {
        // A row of a quantity of many nodes is wide, but is combined only with narrow rows.
        let maximum = 4 * (self.size / self.rows().max(1) + 1) as u64;
        let width = |(row, first): (usize, &usize)| (row - first + 1) as u64;
        self.first.iter().enumerate().map(width).map(|width| width * width.min(maximum) / 2).sum()
    }

    /// Position of an entry of the lower triangle among the values; `None` outside the envelope.
    pub(super) fn place(&self, row: usize, column: usize) -> Option<usize> {
        (column >= self.first[row]).then(|| self.begin[row] + column - self.first[row])
    }

    /// Copies a vector that is flat by axis to the rows of the matrix. Rows of quantities get 0.
    pub(super) fn gather(&self, flat: &[f64]) -> Vec<f64> {
        let mut rows = vec![0.0; self.rows()];
        self.each(|row, index| rows[row] = flat[index]);
        rows
    }

    /// Copies the rows of the matrix to a vector that is flat by axis; pinned nodes get 0.
    pub(super) fn scatter(&self, rows: &[f64]) -> Vec<f64> {
        let mut flat = vec![0.0; self.axes * self.nodes];
        self.each(|row, index| flat[index] = rows[row]);
        flat
    }

    /// Calls `visit` with the row and the index in a vector that is flat by axis, for each
    /// coordinate.
    pub(super) fn each(&self, mut visit: impl FnMut(usize, usize)) {
        for (node, offset) in self.offset[..self.nodes].iter().enumerate() {
            let Some(offset) = offset else { continue };
            (0..self.axes).for_each(|axis| visit(offset + axis, axis * self.nodes + node));
        }
    }
}

/// Orders free unknowns so that coupled ones are close (reverse Cuthill–McKee). Unknowns with many
/// couplings come last.
fn order(
    count: usize,
    fixed: impl Fn(usize) -> bool,
    pairs: &BTreeSet<(usize, usize)>,
) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); count];
    for &(a, b) in pairs.iter().filter(|(a, b)| !fixed(*a) && !fixed(*b)) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let is_wide: Vec<bool> = neighbours.iter().map(|near| near.len() > MAX_NEIGHBOURS).collect();
    for near in &mut neighbours {
        near.retain(|&other| !is_wide[other]);
    }
    let degrees: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    neighbours.iter_mut().for_each(|near| near.sort_by_key(|&node| (degrees[node], node)));
    let mut seen: Vec<bool> = (0..count).map(|index| fixed(index) || is_wide[index]).collect();
    let mut order = Vec::with_capacity(count);
    for node in 0..count {
        if seen[node] {
            continue;
        }
        // The last node of a breadth-first search, repeated once from there, is at an end of the
        // body.
        let mut start = node;
        for _ in 0..2 {
            let reached = reach(start, &neighbours, &mut seen.clone());
            start = reached.last().copied().unwrap_or(start);
        }
        order.extend(reach(start, &neighbours, &mut seen));
    }
    order.reverse();
    order.extend((0..count).filter(|&index| is_wide[index] && !fixed(index)));
    order
}

/// Returns the nodes connected to `start`, in order of their distance. Marks them in `seen`.
fn reach(start: usize, neighbours: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut reached = vec![start];
    seen[start] = true;
    let mut next = 0;
    while let Some(&node) = reached.get(next) {
        for &other in &neighbours[node] {
            if !seen[other] {
                seen[other] = true;
                reached.push(other);
            }
        }
        next += 1;
    }
    reached
}

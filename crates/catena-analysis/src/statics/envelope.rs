//! Symmetric matrices over the free coordinates of a body, factored as L D Lᵀ.
//!
//! Nodes are ordered by reverse Cuthill–McKee, so that coupled nodes are close. Each row is stored
//! from its first entry to the diagonal. The work is linear in the nodes of a rope, and a ring,
//! a tree or a net needs little more. The signs of D are those of the eigenvalues (Sylvester).
//! Source: George and Liu, "Computer Solution of Large Sparse Positive Definite Systems".

use catena_sim::Block;

/// Pivot below which a matrix counts as singular, as a share of its greatest diagonal entry.
const SINGULAR: f64 = 1e-14;

/// Place of every coordinate in a matrix, and the shape of its rows.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    axes: usize,
    /// Rank of each node among the free ones; `None` for pinned nodes.
    rank: Vec<Option<usize>>,
    /// First column of each row.
    first: Vec<usize>,
    /// Position of each row's first entry among the values.
    begin: Vec<usize>,
    size: usize,
}

impl Layout {
    /// Creates the layout of a body whose forces couple these pairs of nodes.
    pub(super) fn new(axes: usize, pinned: &[bool], pairs: &[(usize, usize)]) -> Self {
        let order = order(pinned, pairs);
        let mut rank = vec![None; pinned.len()];
        order.iter().enumerate().for_each(|(place, &node)| rank[node] = Some(place));
        let mut lowest: Vec<usize> = (0..order.len()).collect();
        for &(a, b) in pairs {
            if let (Some(a), Some(b)) = (rank[a], rank[b]) {
                lowest[a.max(b)] = lowest[a.max(b)].min(a.min(b));
            }
        }
        let rows = axes * order.len();
        let first: Vec<usize> = (0..rows).map(|row| axes * lowest[row / axes]).collect();
        let mut begin = Vec::with_capacity(rows);
        let mut size = 0;
        for (row, first) in first.iter().enumerate() {
            begin.push(size);
            size += row - first + 1;
        }
        Self { axes, rank, first, begin, size }
    }

    /// Number of axes.
    pub(super) fn axes(&self) -> usize {
        self.axes
    }

    /// Number of free coordinates.
    pub(super) fn rows(&self) -> usize {
        self.first.len()
    }

    /// Row of a coordinate; `None` if its node is pinned.
    pub(super) fn row(&self, node: usize, axis: usize) -> Option<usize> {
        self.rank[node].map(|rank| rank * self.axes + axis)
    }

    /// Number of multiplications of a factorisation.
    pub(super) fn work(&self) -> u64 {
        let width = |(row, first): (usize, &usize)| ((row - first + 1) as u64).pow(2) / 2;
        self.first.iter().enumerate().map(width).sum()
    }

    /// Position of an entry of the lower triangle among the values; `None` outside the envelope.
    fn place(&self, row: usize, column: usize) -> Option<usize> {
        (column >= self.first[row]).then(|| self.begin[row] + column - self.first[row])
    }

    /// Copies a vector that is flat by axis to the rows of the matrix.
    pub(super) fn gather(&self, flat: &[f64]) -> Vec<f64> {
        let mut rows = vec![0.0; self.rows()];
        self.each(|row, index| rows[row] = flat[index]);
        rows
    }

    /// Copies the rows of the matrix to a vector that is flat by axis; pinned nodes get 0.
    pub(super) fn scatter(&self, rows: &[f64]) -> Vec<f64> {
        let mut flat = vec![0.0; self.axes * self.rank.len()];
        self.each(|row, index| flat[index] = rows[row]);
        flat
    }

    /// Calls a function with every row and its index in a vector that is flat by axis.
    fn each(&self, mut take: impl FnMut(usize, usize)) {
        let n = self.rank.len();
        for (node, rank) in self.rank.iter().enumerate() {
            let Some(rank) = rank else { continue };
            (0..self.axes).for_each(|axis| take(rank * self.axes + axis, axis * n + node));
        }
    }
}

/// The symmetric part of a matrix, in a layout.
#[derive(Clone, Debug)]
pub(super) struct Envelope<'a> {
    layout: &'a Layout,
    values: Vec<f64>,
}

impl<'a> Envelope<'a> {
    /// Creates a matrix of zeros.
    pub(super) fn zeros(layout: &'a Layout) -> Self {
        Self { layout, values: vec![0.0; layout.size] }
    }

    /// Adds a multiple of a block to the rows of node i and the columns of node j. Returns `false`
    /// if the layout does not couple the nodes.
    pub(super) fn add(&mut self, [i, j]: [usize; 2], block: &Block, factor: f64) -> bool {
        for (p, line) in block.iter().enumerate().take(self.layout.axes) {
            for (q, value) in line.iter().enumerate().take(self.layout.axes) {
                let rows = (self.layout.row(i, p), self.layout.row(j, q));
                let (Some(row), Some(column)) = rows else { return true };
                // Both triangles are added, so each counts half.
                let share = if row == column { factor } else { 0.5 * factor };
                match self.layout.place(row.max(column), row.min(column)) {
                    Some(place) => self.values[place] += share * value,
                    None => return false,
                }
            }
        }
        true
    }

    /// Entry of the diagonal.
    pub(super) fn diagonal(&self, row: usize) -> f64 {
        self.values[self.layout.begin[row] + row - self.layout.first[row]]
    }

    /// Adds a number to an entry of the diagonal.
    pub(super) fn add_diagonal(&mut self, row: usize, value: f64) {
        self.values[self.layout.begin[row] + row - self.layout.first[row]] += value;
    }

    /// Greatest entry of the diagonal, by magnitude.
    pub(super) fn scale(&self) -> f64 {
        (0..self.layout.rows()).map(|row| self.diagonal(row).abs()).fold(0.0, f64::max)
    }

    /// Multiplies the matrix by a vector of rows.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for row in 0..x.len() {
            let (first, begin) = (self.layout.first[row], self.layout.begin[row]);
            for column in first..row {
                let value = self.values[begin + column - first];
                product[row] += value * x[column];
                product[column] += value * x[row];
            }
            product[row] += self.diagonal(row) * x[row];
        }
        product
    }

    /// Factors the matrix. Pivots that vanish up to rounding count as singular.
    pub(super) fn factor(mut self) -> Factor<'a> {
        let (layout, scale) = (self.layout, self.scale());
        let mut pivots = vec![0.0; layout.rows()];
        let (mut negative, mut is_singular) = (0, false);
        for row in 0..layout.rows() {
            let (first, begin) = (layout.first[row], layout.begin[row]);
            let (above, rest) = self.values.split_at_mut(begin);
            // Entries of L D, which become entries of L once the row is complete.
            let line = &mut rest[..=row - first];
            for column in first..row {
                let (other, place) = (layout.first[column], layout.begin[column]);
                let from = first.max(other);
                let upper = &above[place + from - other..place + column - other];
                let lower = &line[from - first..column - first];
                let sum: f64 = lower.iter().zip(upper).map(|(a, b)| a * b).sum();
                line[column - first] -= sum;
            }
            let mut pivot = line[row - first];
            for (entry, before) in line.iter_mut().zip(&pivots[first..row]) {
                let reduced = *entry / before;
                pivot -= *entry * reduced;
                *entry = reduced;
            }
            is_singular |= pivot.is_nan() || pivot.abs() <= SINGULAR * scale;
            negative += usize::from(pivot < 0.0);
            // A vanished pivot would make every later number infinite.
            pivots[row] = if pivot == 0.0 { SINGULAR * scale } else { pivot };
        }
        Factor { layout, lower: self.values, pivots, negative, is_singular }
    }
}

/// A factored matrix.
#[derive(Clone, Debug)]
pub(super) struct Factor<'a> {
    layout: &'a Layout,
    lower: Vec<f64>,
    pivots: Vec<f64>,
    /// Number of negative eigenvalues.
    pub(super) negative: usize,
    /// Whether an eigenvalue is 0 up to rounding.
    pub(super) is_singular: bool,
}

impl Factor<'_> {
    /// Whether every eigenvalue is above 0.
    pub(super) fn is_definite(&self) -> bool {
        self.negative == 0 && !self.is_singular
    }

    /// Solves for a vector of rows.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut y = right.to_vec();
        for row in 0..y.len() {
            let (line, first) = self.line(row);
            let sum: f64 = line.iter().zip(&y[first..row]).map(|(a, b)| a * b).sum();
            y[row] -= sum;
        }
        y.iter_mut().zip(&self.pivots).for_each(|(y, pivot)| *y /= pivot);
        for row in (0..y.len()).rev() {
            let ((line, first), value) = (self.line(row), y[row]);
            y[first..row].iter_mut().zip(line).for_each(|(y, entry)| *y -= entry * value);
        }
        y
    }

    /// Entries of a row of L left of the diagonal, and the column of the first.
    fn line(&self, row: usize) -> (&[f64], usize) {
        let (first, begin) = (self.layout.first[row], self.layout.begin[row]);
        (&self.lower[begin..begin + row - first], first)
    }
}

/// Orders free nodes so that coupled ones are close (reverse Cuthill–McKee).
fn order(pinned: &[bool], pairs: &[(usize, usize)]) -> Vec<usize> {
    let n = pinned.len();
    let mut beside = vec![Vec::new(); n];
    for &(a, b) in pairs.iter().filter(|(a, b)| a != b && !pinned[*a] && !pinned[*b]) {
        beside[a].push(b);
        beside[b].push(a);
    }
    for near in &mut beside {
        near.sort_unstable();
        near.dedup();
    }
    let degrees: Vec<usize> = beside.iter().map(Vec::len).collect();
    beside.iter_mut().for_each(|near| near.sort_by_key(|&node| (degrees[node], node)));
    let mut seen: Vec<bool> = pinned.to_vec();
    let mut order = Vec::with_capacity(n);
    for node in 0..n {
        if seen[node] {
            continue;
        }
        // Twice the last node of a search lies at an end of the body.
        let mut start = node;
        for _ in 0..2 {
            let reached = reach(start, &beside, &mut seen.clone());
            start = reached.last().copied().unwrap_or(start);
        }
        order.extend(reach(start, &beside, &mut seen));
    }
    order.reverse();
    order
}

/// Nodes connected to `start`, in order of their distance.
fn reach(start: usize, beside: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut reached = vec![start];
    seen[start] = true;
    let mut next = 0;
    while let Some(&node) = reached.get(next) {
        for &other in &beside[node] {
            if !seen[other] {
                seen[other] = true;
                reached.push(other);
            }
        }
        next += 1;
    }
    reached
}

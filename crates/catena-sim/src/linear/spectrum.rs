//! The maximum frequency of a body at a state, and the maximum stable time steps that follow from
//! it.
//!
//! ω² is the maximum eigenvalue of M⁻¹K with K = -∂f/∂x among the free nodes. The matrix M^-½ K
//! M^-½ has the same eigenvalues. Forces with a potential make it symmetric. For other forces, such
//! as the pressure of a fluid, K is the symmetric part, and ω² is the maximum of uᵀKu/uᵀMu.
//! Lanczos's method computes the maximum eigenvalue θ of a tridiagonal matrix that grows with the
//! Krylov space, until θ stops changing. Its convergence rate depends on the square root of the gap
//! between eigenvalues; the rate of power iteration depends on the gap itself. In a chain of N
//! nodes, the gap is of order 1/N². Loss of orthogonality is harmless, because it only repeats
//! eigenvalues. A second pass computes the mode u, and with it the damping γ = uᵀCu/uᵀMu,
//! C = -∂f/∂v.
//!
//! A uniform chain of N free masses at rest, held at one end, has ω = 2 √(k/m)
//! sin((2N-1)π/(2(2N+1))). Source: Lanczos 1950; Golub and Van Loan, "Matrix Computations", chapter
//! 10.

use crate::body::{
    Model, State,
    vector::{inner, norm},
};
use crate::budget::{Bill, Item};
use crate::force::{Block, Entry, Shared, System};
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;
use std::array::from_fn;
use std::cell::Cell;

/// Relative change of θ between checks at which the search ends.
const EXACT: f64 = 1e-10;
/// Maximum length of the Krylov sequence.
const MAX_STEPS: usize = 4000;
/// Number of steps between checks of θ.
const STEPS_PER_CHECK: usize = 8;
/// Number of successive checks that must find θ unchanged.
const CHECKS: u32 = 2;
/// Cost of an entry of the matrix, in operations of [`Item::Product`].
const BUILD: u64 = 40;
/// Cost of a check per step of the sequence, in operations of [`Item::Product`].
const CHECK: u64 = 70;
/// Maximum number of Krylov vector components kept for the second pass, which recomputes the
/// others.
const MAX_KEPT: usize = 1 << 18;

/// Maximum frequency of a body, and the damping of its mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum {
    /// Angular frequency ω, in radians per time; 0 without restoring forces, NaN if the state is
    /// not finite.
    pub omega: f64,
    /// Damping rate γ of that mode by velocity-dependent forces: u'' + γ u' + ω² u = 0.
    pub damping: f64,
}

/// Returns the maximum frequency of a body at a state, to about ten digits.
pub fn largest_frequency(system: &System<'_>, state: &State) -> Spectrum {
    largest_frequency_within(system, state, EXACT)
}

/// Returns the maximum frequency with fewer digits. The search ends when the relative change of ω²
/// is below `change`.
pub fn largest_frequency_within(system: &System<'_>, state: &State, change: f64) -> Spectrum {
    search_largest_frequency(system, state, change, u64::MAX).spectrum
}

/// Result of a search for the maximum frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrequencySearch {
    /// Maximum frequency; a lower bound if the search is not complete.
    pub spectrum: Spectrum,
    /// Work of the search in nanoseconds of one core, as counted.
    pub work: u64,
    /// Whether the search reached its tolerance.
    pub is_complete: bool,
}

/// Searches for the maximum frequency as [`largest_frequency_within`], until it has used `maximum`
/// nanoseconds of one core, as counted.
pub fn search_largest_frequency(
    system: &System<'_>,
    state: &State,
    change: f64,
    maximum: u64,
) -> FrequencySearch {
    if !state.is_finite() {
        let spectrum = Spectrum { omega: f64::NAN, damping: f64::NAN };
        return FrequencySearch { spectrum, work: 0, is_complete: true };
    }
    let operator = Operator::new(system, state);
    let chain = Tridiagonal::build(&operator, change, maximum);
    let spectrum = chain.spectrum(&operator);
    FrequencySearch { spectrum, work: operator.work(), is_complete: chain.is_complete }
}

/// Returns upper bounds for the ω and the γ of all modes of a body at a state. ω² is at most the
/// maximum absolute row sum of the symmetric part of M^-½ K M^-½, and γ is at most the same row sum
/// of M^-½ C M^-½ (Gershgorin 1931). The row sums of a symmetric part are at most the means of row
/// and column sums. The cost equals a few evaluations of all forces.
pub fn spectrum_bound(system: &System<'_>, state: &State) -> Spectrum {
    let Model { mass, pinned, axes, .. } = system.model;
    let n = mass.len();
    let (mut stiffness, mut damping) = (vec![0.0; axes * n], vec![0.0; axes * n]);
    let mut shared = Vec::new();
    let mut take = |entry: &Entry| {
        if pinned[entry.i] || pinned[entry.j] {
            return;
        }
        let half = 0.5 / (mass[entry.i] * mass[entry.j]).sqrt();
        for axis in 0..*axes {
            let row = |block: &Block| -> f64 {
                block[axis].iter().take(*axes).map(|value| value.abs()).sum()
            };
            let column = |block: &Block| -> f64 {
                block.iter().take(*axes).map(|row| row[axis].abs()).sum()
            };
            for (sums, block) in [(&mut stiffness, &entry.by_x), (&mut damping, &entry.by_v)] {
                sums[axis * n + entry.i] += half * row(block);
                sums[axis * n + entry.j] += half * column(block);
            }
        }
    };
    system.each_coupling(state, false, &mut take, &mut |term| shared.push(term));
    for term in &shared {
        let scaled = term.restricted(|node| !pinned[node], |node| 1.0 / mass[node].sqrt());
        for (node, sums) in scaled.row_bounds() {
            for (axis, sum) in sums.into_iter().enumerate().take(*axes) {
                stiffness[axis * n + node] += sum;
            }
        }
    }
    let greatest = |rows: Vec<f64>| rows.into_iter().fold(0.0, f64::max);
    Spectrum { omega: greatest(stiffness).sqrt(), damping: greatest(damping) }
}

/// Returns the maximum stable step of semi-implicit Euler on u'' + γ u' + ω² u = 0, with friction
/// at the old velocity.
///
/// One step has the trace 2 - hγ - h²ω² and the determinant 1 - hγ. The step is stable
/// for 4 > 2hγ + h²ω², so h < (√(γ² + 4ω²) - γ)/ω². The code uses an equivalent form without
/// cancellation. The result is infinite if both arguments are 0.
pub fn semi_implicit_limit(omega: f64, damping: f64) -> f64 {
    4.0 / (damping + (damping * damping + 4.0 * omega * omega).sqrt())
}

/// Operators among the free nodes, in coordinates √m x: the symmetric part of -∂f/∂x, and -∂f/∂v.
struct Operator<'a> {
    system: System<'a>,
    model: &'a Model,
    entries: Vec<Entry>,
    /// Value of 1/√m per node.
    scale: Vec<f64>,
    /// Scaled blocks of the symmetric part of ∂f/∂x, one for each pair of nodes with entries,
    /// grouped by the node on which the force acts, otherwise in the order of the first entries.
    rows: Vec<MatrixRow>,
    /// Start index of each node in `rows`, and the end of the last one.
    starts: Vec<usize>,
    /// Scaled couplings over many nodes.
    shared: Vec<Shared>,
    /// Number of operations so far; see [`Item::Product`].
    products: Cell<u64>,
}

/// A block of the operator.
#[derive(Clone, Copy)]
struct MatrixRow {
    /// Node on whose position the force depends.
    j: usize,
    block: Block,
}

/// Returns the symmetric part of the scaled blocks, with one block for each pair of nodes. Also
/// returns the start index of each node and the end of the last one. `scale` is 1/√m per node.
///
/// Half of each entry is added to the block of its nodes, and the other half, transposed, to the
/// block of the nodes in reverse order.
fn symmetric_part(entries: &[Entry], scale: &[f64], nodes: usize) -> (Vec<MatrixRow>, Vec<usize>) {
    let halves = || {
        let turned = |entry: &Entry| [(entry.i, entry.j, false), (entry.j, entry.i, true)];
        entries.iter().flat_map(turned).enumerate()
    };
    let mut ends = vec![0; nodes + 1];
    halves().for_each(|(_, (i, ..))| ends[i + 1] += 1);
    for i in 0..nodes {
        ends[i + 1] += ends[i];
    }
    let mut order = vec![0; 2 * entries.len()];
    for (half, (i, ..)) in halves() {
        order[ends[i]] = half;
        ends[i] += 1;
    }
    let (mut rows, mut starts) = (Vec::<MatrixRow>::with_capacity(entries.len()), vec![0]);
    // Index of the row of each node j, among the rows of the latest node i.
    let mut places = vec![usize::MAX; nodes];
    let mut begin = 0;
    for end in ends.into_iter().take(nodes) {
        let start = rows.len();
        for &half in &order[begin..end] {
            let Entry { i, j, by_x, .. } = &entries[half / 2];
            let factor = 0.5 * scale[*i] * scale[*j];
            let scaled = by_x.map(|row| row.map(|value| value * factor));
            let turned = || from_fn(|row| from_fn(|column| scaled[column][row]));
            let (j, block) = if half % 2 == 0 { (*j, scaled) } else { (*i, turned()) };
            match rows.get_mut(places[j]).filter(|_| places[j] >= start) {
                Some(row) => {
                    let sums = row.block.iter_mut().flatten().zip(block.iter().flatten());
                    sums.for_each(|(sum, value)| *sum += value);
                }
                None => {
                    places[j] = rows.len();
                    rows.push(MatrixRow { j, block });
                }
            }
        }
        begin = end;
        starts.push(rows.len());
    }
    (rows, starts)
}

impl<'a> Operator<'a> {
    fn new(system: &System<'a>, state: &State) -> Self {
        let model = system.model;
        let (mut entries, mut shared) = (Vec::new(), Vec::new());
        let mut take = |entry: &Entry| {
            if !model.pinned[entry.i] && !model.pinned[entry.j] {
                entries.push(*entry);
            }
        };
        system.each_coupling(state, false, &mut take, &mut |term| shared.push(term));
        let scale: Vec<f64> = model.mass.iter().map(|mass| 1.0 / mass.sqrt()).collect();
        for term in &mut shared {
            *term = term.restricted(|node| !model.pinned[node], |node| scale[node]);
        }
        let (rows, starts) = symmetric_part(&entries, &scale, model.nodes());
        let products = Cell::new(0);
        let operator =
            Self { system: *system, model, entries, scale, rows, starts, shared, products };
        operator.count(BUILD * operator.entries.len() as u64);
        operator
    }

    /// Counts a product of the operator and a vector. Returns whether the run may continue.
    fn charge(&self) -> bool {
        self.count((self.rows.len() * self.model.axes + self.model.nodes()) as u64)
    }

    /// Counts operations. Returns whether the run may continue.
    fn count(&self, products: u64) -> bool {
        self.products.set(self.products.get() + products);
        self.system.count(Item::Product, products)
    }

    /// Returns the work so far, in nanoseconds of one core.
    fn work(&self) -> u64 {
        Bill::of(Item::Product, self.products.get()).amount()
    }

    /// Computes out = A u, with the scaled symmetric part A of -∂f/∂x.
    fn apply(&self, u: &[f64], out: &mut [f64]) {
        match self.model.axes {
            2 => self.apply_in::<2>(u, out),
            _ => self.apply_in::<3>(u, out),
        }
    }

    fn apply_in<const A: usize>(&self, u: &[f64], out: &mut [f64]) {
        let n = self.model.nodes();
        for i in 0..n {
            let mut sum = [0.0; A];
            for MatrixRow { j, block } in &self.rows[self.starts[i]..self.starts[i + 1]] {
                for (sum, values) in sum.iter_mut().zip(block) {
                    for (column, value) in values[..A].iter().enumerate() {
                        *sum -= value * u[column * n + j];
                    }
                }
            }
            for (row, sum) in sum.into_iter().enumerate() {
                out[row * n + i] = sum;
            }
        }
        for term in &self.shared {
            term.apply(self.model, u, -1.0, out);
        }
    }

    /// Computes out = A u, with the scaled A = -∂f/∂v.
    fn damp(&self, u: &[f64], out: &mut [f64]) {
        let (n, axes) = (self.model.nodes(), self.model.axes);
        out.fill(0.0);
        for entry in &self.entries {
            let scale = self.scale[entry.i] * self.scale[entry.j];
            for (row, values) in entry.by_v.iter().enumerate().take(axes) {
                for (column, value) in values.iter().enumerate().take(axes) {
                    out[row * n + entry.i] -= scale * value * u[column * n + entry.j];
                }
            }
        }
    }

    /// Returns a pseudo-random unit vector, so that every mode contributes; 0 for pinned nodes.
    fn start(&self) -> Vec<f64> {
        let n = self.model.nodes();
        let mut bits = 0x2545_f491_4f6c_dd1d_u64;
        let mut start: Vec<f64> = (0..self.model.axes * n)
            .map(|index| {
                // Xorshift (Marsaglia 2003).
                bits ^= bits << 13;
                bits ^= bits >> 7;
                bits ^= bits << 17;
                let value = (bits >> 11) as f64 / 9_007_199_254_740_992.0 - 0.5;
                if self.model.pinned[index % n] { 0.0 } else { value }
            })
            .collect();
        let length = norm(&start);
        start.iter_mut().for_each(|value| *value /= length);
        start
    }
}

/// A symmetric tridiagonal matrix. The off-diagonal entries in `off_diagonal` are above 0.
struct Tridiagonal {
    diagonal: Vec<f64>,
    off_diagonal: Vec<f64>,
    /// Maximum eigenvalue, rounded up.
    theta: f64,
    /// Krylov vectors, concatenated, up to a maximum size.
    krylov: Vec<f64>,
    /// Whether θ has stopped changing.
    is_complete: bool,
}

impl Tridiagonal {
    fn build(operator: &Operator<'_>, change: f64, maximum: u64) -> Self {
        let mut chain = Self {
            diagonal: Vec::new(),
            off_diagonal: Vec::new(),
            theta: 0.0,
            krylov: Vec::new(),
            is_complete: false,
        };
        if operator.model.pinned.iter().all(|&pinned| pinned) {
            chain.is_complete = true;
            return chain;
        }
        let mut vectors = LanczosVectors::new(operator.start());
        let mut still = 0;
        let allows = || operator.charge() && operator.work() <= maximum;
        while chain.diagonal.len() < MAX_STEPS && allows() {
            if chain.krylov.len() + vectors.here.len() <= MAX_KEPT {
                chain.krylov.extend(&vectors.here);
            }
            let (along, length) = vectors.multiply(operator);
            chain.diagonal.push(along);
            let ended = length <= 1e-13 * chain.greatest_row();
            if ended || chain.diagonal.len().is_multiple_of(STEPS_PER_CHECK) {
                let before = chain.theta;
                operator.count(CHECK * chain.diagonal.len() as u64);
                chain.theta = chain.greatest_eigenvalue();
                let stands = (chain.theta - before).abs() <= change * chain.theta.abs();
                still = if stands { still + 1 } else { 0 };
            }
            if ended || still >= CHECKS {
                chain.is_complete = true;
                return chain;
            }
            chain.off_diagonal.push(length);
            vectors.advance(length);
        }
        chain.theta = chain.greatest_eigenvalue();
        chain
    }

    /// Returns the frequency of θ and the damping of its mode.
    fn spectrum(&self, operator: &Operator<'_>) -> Spectrum {
        if self.theta <= 0.0 {
            return Spectrum { omega: 0.0, damping: 0.0 };
        }
        let mode = self.mode(operator);
        let mut slowed = vec![0.0; mode.len()];
        operator.damp(&mode, &mut slowed);
        let damping = inner(&mode, &slowed) / inner(&mode, &mode);
        Spectrum { omega: self.theta.sqrt(), damping }
    }

    /// Returns an upper bound on all eigenvalues (Gershgorin).
    fn greatest_row(&self) -> f64 {
        let off_diagonal = |i: usize| self.off_diagonal.get(i).copied().unwrap_or(0.0);
        let row = |i: usize| {
            self.diagonal[i].abs() + off_diagonal(i) + i.checked_sub(1).map_or(0.0, off_diagonal)
        };
        (0..self.diagonal.len()).map(row).fold(0.0, f64::max)
    }

    fn greatest_eigenvalue(&self) -> f64 {
        greatest_eigenvalue(&self.diagonal, &self.off_diagonal, self.greatest_row())
    }

    fn pivots(&self, above: f64) -> impl Iterator<Item = f64> {
        let mut last = 1.0;
        self.diagonal.iter().enumerate().map(move |(i, diagonal)| {
            let off_diagonal = if i == 0 { 0.0 } else { self.off_diagonal[i - 1] };
            last = above - diagonal - off_diagonal * off_diagonal / last;
            last
        })
    }

    /// Returns the eigenvector of the maximum eigenvalue, by inverse iteration. All components are
    /// above 0, so nothing cancels.
    fn weights(&self) -> Vec<f64> {
        let above = self.theta + 1e-13 * self.greatest_row();
        let pivots: Vec<f64> = self.pivots(above).collect();
        let mut y = vec![1.0; pivots.len()];
        for _ in 0..4 {
            for i in 1..y.len() {
                y[i] += self.off_diagonal[i - 1] / pivots[i - 1] * y[i - 1];
            }
            for i in (0..y.len()).rev() {
                let next = if i + 1 < y.len() { self.off_diagonal[i] * y[i + 1] } else { 0.0 };
                y[i] = (y[i] + next) / pivots[i];
            }
            let length = norm(&y);
            y.iter_mut().for_each(|y| *y /= length);
        }
        y
    }

    /// Returns the mode of θ in coordinates √m x: the weighted sum of the Krylov vectors. Vectors
    /// that were not kept are computed again.
    fn mode(&self, operator: &Operator<'_>) -> Vec<f64> {
        let (weights, start) = (self.weights(), operator.start());
        let mut mode = vec![0.0; start.len()];
        if self.krylov.len() == weights.len() * start.len() {
            for (weight, here) in weights.iter().zip(self.krylov.chunks_exact(start.len())) {
                mode.iter_mut().zip(here).for_each(|(mode, here)| *mode += weight * here);
            }
            return mode;
        }
        let mut vectors = LanczosVectors::new(start);
        for (i, weight) in weights.iter().enumerate() {
            mode.iter_mut().zip(&vectors.here).for_each(|(mode, here)| *mode += weight * here);
            if let Some(&length) = self.off_diagonal.get(i) {
                if !operator.charge() {
                    break;
                }
                vectors.multiply(operator);
                vectors.advance(length);
            }
        }
        mode
    }
}

/// The three vectors of Lanczos's recurrence.
struct LanczosVectors {
    before: Vec<f64>,
    here: Vec<f64>,
    ahead: Vec<f64>,
    /// Length of the last vector before normalisation.
    length: f64,
}

impl LanczosVectors {
    fn new(start: Vec<f64>) -> Self {
        let zeros = vec![0.0; start.len()];
        Self { before: zeros.clone(), here: start, ahead: zeros, length: 0.0 }
    }

    /// Sets `ahead` to A `here` minus the components along `here` and `before`. Returns the
    /// component of A `here` along `here`, and the length of `ahead`.
    fn multiply(&mut self, operator: &Operator<'_>) -> (f64, f64) {
        operator.apply(&self.here, &mut self.ahead);
        let along = inner(&self.here, &self.ahead);
        for ((ahead, here), before) in self.ahead.iter_mut().zip(&self.here).zip(&self.before) {
            *ahead -= along * here + self.length * before;
        }
        (along, norm(&self.ahead))
    }

    fn advance(&mut self, length: f64) {
        std::mem::swap(&mut self.before, &mut self.here);
        std::mem::swap(&mut self.here, &mut self.ahead);
        self.here.iter_mut().for_each(|value| *value /= length);
        self.length = length;
    }
}

/// Number of midpoints of three halvings, plus one.
const TRIES: usize = 8;

/// Returns the maximum eigenvalue of a symmetric tridiagonal matrix T, rounded up, by bisection.
/// `bound` must be at least its absolute value. `off_diagonal` holds the off-diagonal entries;
/// extra entries are ignored.
///
/// A number λ is above all eigenvalues if all pivots of λI - T are above 0. The pivots for one λ
/// depend on each other, so they cannot be computed in parallel. The midpoints for all outcomes of
/// three halvings are therefore evaluated in parallel. The result is bit-identical to one halving
/// at a time.
fn greatest_eigenvalue(diagonal: &[f64], off_diagonal: &[f64], bound: f64) -> f64 {
    let (mut low, mut high) = (-bound, bound * (1.0 + 1e-12));
    loop {
        let above = middles(low, high);
        let are_above = Instructions::best().run(Pivots { diagonal, off_diagonal, above: &above });
        let mut at = 1;
        while at < TRIES {
            let middle = above[at];
            if !(high - low > 1e-14 * bound && middle > low && middle < high) {
                return high;
            }
            *(if are_above[at] { &mut high } else { &mut low }) = middle;
            at = 2 * at + usize::from(!are_above[at]);
        }
    }
}

/// Returns the midpoints of three halvings of an interval, as a binary tree. Index 1 is the
/// midpoint of the interval. The midpoints of the lower and upper half at index k are at 2k and
/// 2k + 1. Index 0 is unused.
fn middles(low: f64, high: f64) -> [f64; TRIES] {
    let mut ends = [(low, high); TRIES];
    let mut middles = [high; TRIES];
    for k in 1..TRIES {
        let (low, high) = ends[k];
        middles[k] = 0.5 * (low + high);
        if 2 * k < TRIES {
            (ends[2 * k], ends[2 * k + 1]) = ((low, middles[k]), (middles[k], high));
        }
    }
    middles
}

/// Test of which numbers are above all eigenvalues.
struct Pivots<'a> {
    diagonal: &'a [f64],
    off_diagonal: &'a [f64],
    above: &'a [f64; TRIES],
}

impl NullaryFnOnce for Pivots<'_> {
    type Output = [bool; TRIES];

    #[inline(always)]
    fn call(self) -> [bool; TRIES] {
        let Self { diagonal, off_diagonal, above } = self;
        let (mut last, mut maximum, mut square) = ([1.0; TRIES], [1.0; TRIES], 0.0);
        for (i, diagonal) in diagonal.iter().enumerate() {
            for k in 0..TRIES {
                last[k] = above[k] - diagonal - square / last[k];
                maximum[k] = if last[k] > 0.0 { maximum[k] } else { 0.0 };
            }
            square = off_diagonal.get(i).map_or(0.0, |off_diagonal| off_diagonal * off_diagonal);
        }
        let mut are_above = [true; TRIES];
        for k in 0..TRIES {
            are_above[k] = maximum[k] > 0.0;
        }
        are_above
    }
}

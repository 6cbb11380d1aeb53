//! Linear systems of implicit methods: (M - α ∂f/∂v - β ∂f/∂x) y = r, with a block of
//! axes by axes for each pair of nodes whose forces depend on each other. Rows of pinned nodes are
//! those of the unit matrix.
//!
//! If all pairs are near to each other in the order of nodes, as along a rope, the matrix is banded
//! and solved directly. Otherwise, as for a cloth, conjugate gradients solve it.
//!
//! The pattern comes from all springs of the model, broken or not, so the same state gives the same
//! bits whatever happened before.

mod banded;
mod bisection;
pub(super) mod block;
pub(super) mod block_lanes;
mod conjugate_gradient;
mod diagonals;
pub mod spectrum;

use crate::body::{Model, State};
use crate::force::{Block, Entry, System};
use crate::instructions::Instructions;
use banded::Banded;
use conjugate_gradient::Sparse;
use diagonals::Diagonals;
pub(crate) use diagonals::Tridiagonal;

/// The greatest distance of nodes in a banded matrix: that of a rope with bending springs.
const WIDEST_BAND: usize = 2;

/// Nanoseconds of an operation on blocks.
const OPERATION: u64 = 6;

/// The factors in M - α ∂f/∂v - β ∂f/∂x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// α, a time.
    pub by_v: f64,
    /// β, a time squared.
    pub by_x: f64,
}

/// When conjugate gradients end; banded matrices ignore it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The residual that is small enough, as a share of the right side; above 0.
    pub tolerance: f64,
    /// The most iterations, at least 1.
    pub iterations: u64,
}

/// Whether a matrix must be positive definite or exact; see
/// [`Blocks::is_definite`](crate::force::Blocks::is_definite).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The exact derivative of the forces.
    Full,
    /// The derivative without terms that could make the matrix indefinite.
    Definite,
}

/// Storage and solver of a matrix of blocks.
trait Matrix: Send {
    /// Makes every diagonal block a multiple of the unit block, and all others 0.
    fn reset(&mut self, own: &dyn Fn(usize) -> f64);

    /// Adds a block; `false` if the matrix has no place for it.
    fn add(&mut self, i: usize, j: usize, block: &Block) -> bool;

    /// Prepares for [`Matrix::solve`]; `false` if the matrix cannot be solved.
    fn prepare(&mut self) -> bool;

    /// Solves for y with about `most` operations; both sides are flat by axis. Returns `false` if y
    /// is not as exact as asked for; y is NaN if there is no solution.
    fn solve(&mut self, rhs: &[f64], y: &mut [f64], most: u64) -> bool;

    /// Whether every solution takes the same number of operations.
    fn is_direct(&self) -> bool;

    /// Number of operations on blocks so far.
    fn operations(&self) -> u64;
}

/// A matrix that assembles itself, many springs at a time, to the bits of a plain one.
trait Fast: Send {
    /// Computes and prepares the matrix at a state, and what motion adds to a right side; `false`
    /// if it is singular. `None` if it knows not all of the forces, or numbers are not finite.
    fn assemble(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        motion: Option<&mut Motion<'_>>,
    ) -> Option<bool>;

    /// See [`Matrix::solve`].
    fn solve(&mut self, rhs: &[f64], y: &mut [f64], most: u64) -> bool;

    /// See [`Matrix::is_direct`].
    fn is_direct(&self) -> bool;

    /// See [`Matrix::operations`].
    fn operations(&self) -> u64;
}

/// Motion of which the effect is on the right side: α (∂f/∂x Δx + ∂f/∂v Δv) for free nodes.
/// All vectors are flat by axis.
#[derive(Debug)]
pub struct Motion<'a> {
    /// Δx.
    pub way: &'a [f64],
    /// Δv.
    pub change: &'a [f64],
    /// The right side, to which the effect is added.
    pub right: &'a mut [f64],
}

impl Motion<'_> {
    fn is_finite(&self) -> bool {
        self.way.iter().chain(self.change).all(|value| value.is_finite())
    }

    /// Adds what a block does.
    fn add(&mut self, entry: &Entry, model: &Model, factor: f64) {
        if model.pinned[entry.i] {
            return;
        }
        let (n, axes) = (model.nodes(), model.axes);
        for (p, (by_x, by_v)) in entry.by_x.iter().zip(&entry.by_v).enumerate().take(axes) {
            let mut sum = 0.0;
            for (q, (by_x, by_v)) in by_x.iter().zip(by_v).enumerate().take(axes) {
                let j = q * n + entry.j;
                sum += by_x * self.way[j] + by_v * self.change[j];
            }
            self.right[p * n + entry.i] += factor * sum;
        }
    }
}

/// A linear system over the nodes of a body.
///
/// The plain matrix takes blocks of any forces one by one, and is the reference for the fast one.
pub struct LinearSystem {
    fast: Option<Box<dyn Fast>>,
    /// Whether the fast matrix was assembled last.
    is_fast: bool,
    /// Made when it is first needed.
    plain: Option<Box<dyn Matrix>>,
    limits: Limits,
    /// Pairs that no spring joins and that some force couples.
    more: Vec<(usize, usize)>,
    is_regular: bool,
}

impl LinearSystem {
    /// A system for this model.
    pub fn new(model: &Model, limits: Limits) -> Self {
        Self::with(model, limits, Instructions::best())
    }

    /// The same with these vector instructions, which change no bit.
    pub fn with(model: &Model, limits: Limits, set: Instructions) -> Self {
        let fast = match model.axes {
            2 => Diagonals::<2>::new(model, limits, set).map(boxed),
            3 => Diagonals::<3>::new(model, limits, set).map(boxed),
            _ => None,
        };
        let more = Vec::new();
        Self { fast, is_fast: false, plain: None, limits, more, is_regular: false }
    }

    /// Whether the springs of the model go by direction, so that the matrix can be assembled many
    /// springs at a time where its forces are known.
    pub fn has_directions(&self) -> bool {
        self.fast.is_some()
    }

    /// Computes the matrix at a state, and what motion adds to a right side. Returns `false` if the
    /// matrix is singular.
    pub fn assemble(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        mut motion: Option<Motion<'_>>,
    ) -> bool {
        let fast = self.fast.as_mut();
        let done =
            fast.and_then(|fast| fast.assemble(system, state, weights, kind, motion.as_mut()));
        self.is_fast = done.is_some();
        self.is_regular =
            done.unwrap_or_else(|| self.assemble_plain(system, state, weights, kind, motion));
        self.is_regular
    }

    fn assemble_plain(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        motion: Option<Motion<'_>>,
    ) -> bool {
        let Self { plain, more, limits, .. } = self;
        let known = more.len();
        let mut matrix = plain.take().unwrap_or_else(|| matrix(system.model, more, *limits));
        fill(matrix.as_mut(), more, system, state, weights, kind, motion);
        if more.len() > known {
            more.sort_unstable();
            more.dedup();
            matrix = self::matrix(system.model, more, *limits);
            fill(matrix.as_mut(), more, system, state, weights, kind, None);
        }
        plain.insert(matrix).prepare()
    }

    /// Solves for y, with both sides flat by axis. Rows of pinned nodes give y = r. Returns `false`
    /// if y is not as exact as asked for; y is NaN if the matrix is singular.
    pub fn solve(&mut self, rhs: &[f64], y: &mut [f64]) -> bool {
        self.solve_within(rhs, y, u64::MAX)
    }

    fn solve_within(&mut self, rhs: &[f64], y: &mut [f64], most: u64) -> bool {
        match (&mut self.fast, &mut self.plain) {
            _ if !self.is_regular => {
                y.fill(f64::NAN);
                false
            }
            (Some(fast), _) if self.is_fast => fast.solve(rhs, y, most),
            (_, Some(plain)) => plain.solve(rhs, y, most),
            _ => false,
        }
    }

    /// Solves as [`LinearSystem::solve`] does, within a step of a method: the meter counts
    /// iterations and can end them.
    pub(super) fn solve_for(&mut self, system: &System<'_>, rhs: &[f64], y: &mut [f64]) -> bool {
        let is_direct = match (&self.fast, &self.plain) {
            (Some(fast), _) if self.is_fast => fast.is_direct(),
            (_, plain) => plain.as_ref().is_some_and(|plain| plain.is_direct()),
        };
        if !self.is_regular || is_direct {
            return self.solve(rhs, y);
        }
        let before = self.operations();
        let is_exact = self.solve_within(rhs, y, system.left() / OPERATION);
        let taken = self.operations() - before;
        system.spend(OPERATION.saturating_mul(taken)) && is_exact
    }

    /// Number of operations on blocks (products, factorisations) so far, a measure of cost.
    pub fn operations(&self) -> u64 {
        let fast = self.fast.as_ref().map_or(0, |fast| fast.operations());
        fast + self.plain.as_ref().map_or(0, |plain| plain.operations())
    }
}

fn boxed<const A: usize>(fast: Diagonals<A>) -> Box<dyn Fast> {
    Box::new(fast)
}

/// Adds the blocks of all forces to a matrix, and what motion adds to a right side. Pairs that the
/// matrix has no place for go to `more`.
fn fill(
    matrix: &mut dyn Matrix,
    more: &mut Vec<(usize, usize)>,
    system: &System<'_>,
    state: &State,
    weights: Weights,
    kind: Kind,
    mut motion: Option<Motion<'_>>,
) {
    let model = system.model;
    let Model { axes, mass, pinned, .. } = model;
    matrix.reset(&|i| if pinned[i] { 1.0 } else { mass[i] });
    system.each_block(state, kind == Kind::Definite, &mut |entry| {
        if let Some(motion) = &mut motion {
            motion.add(entry, model, weights.by_v);
        }
        if pinned[entry.i] || pinned[entry.j] {
            return;
        }
        let mut block = [[0.0; 3]; 3];
        for (p, row) in block.iter_mut().enumerate().take(*axes) {
            for (q, value) in row.iter_mut().enumerate().take(*axes) {
                *value = -(weights.by_v * entry.by_v[p][q] + weights.by_x * entry.by_x[p][q]);
            }
        }
        if !matrix.add(entry.i, entry.j, &block) {
            more.push((entry.i, entry.j));
        }
    });
}

/// An empty matrix for the springs of a model and some more pairs of nodes.
fn matrix(model: &Model, more: &[(usize, usize)], limits: Limits) -> Box<dyn Matrix> {
    let springs = model.springs.iter().map(|spring| (spring.a, spring.b));
    let pairs = || springs.clone().chain(more.iter().copied());
    let reach = pairs().map(|(i, j)| i.abs_diff(j)).max().unwrap_or(0);
    let nodes = model.nodes();
    match (model.axes, reach <= WIDEST_BAND) {
        (2, true) => Box::new(Banded::<2>::new(nodes, reach)),
        (2, false) => Box::new(Sparse::<2>::new(nodes, pairs(), limits)),
        (_, true) => Box::new(Banded::<3>::new(nodes, reach)),
        (_, false) => Box::new(Sparse::<3>::new(nodes, pairs(), limits)),
    }
}

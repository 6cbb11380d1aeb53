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
pub(super) mod block;
mod conjugate_gradient;
pub mod spectrum;

use crate::body::{Model, State};
use crate::force::{Block, Entry, System};
use banded::Banded;
use conjugate_gradient::Sparse;

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

/// A linear system over the nodes of a body.
pub struct LinearSystem {
    matrix: Box<dyn Matrix>,
    limits: Limits,
    /// Pairs that no spring joins and that some force couples.
    more: Vec<(usize, usize)>,
    is_regular: bool,
}

impl LinearSystem {
    /// A system for this model.
    pub fn new(model: &Model, limits: Limits) -> Self {
        Self { matrix: matrix(model, &[], limits), limits, more: Vec::new(), is_regular: false }
    }

    /// Computes the matrix at a state. `also` receives each block of the derivative of the forces
    /// once, including those of pinned nodes. Returns `false` if the matrix is singular.
    pub fn assemble(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        also: &mut dyn FnMut(&Entry),
    ) -> bool {
        let known = self.more.len();
        self.fill(system, state, weights, kind, also);
        if self.more.len() > known {
            self.more.sort_unstable();
            self.more.dedup();
            self.matrix = matrix(system.model, &self.more, self.limits);
            self.fill(system, state, weights, kind, &mut |_| ());
        }
        self.is_regular = self.matrix.prepare();
        self.is_regular
    }

    fn fill(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        also: &mut dyn FnMut(&Entry),
    ) {
        let Model { axes, mass, pinned, .. } = system.model;
        let Self { matrix, more, .. } = self;
        matrix.reset(&|i| if pinned[i] { 1.0 } else { mass[i] });
        system.each_block(state, kind == Kind::Definite, &mut |entry| {
            also(entry);
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

    /// Solves for y, with both sides flat by axis. Rows of pinned nodes give y = r. Returns `false`
    /// if y is not as exact as asked for; y is NaN if the matrix is singular.
    pub fn solve(&mut self, rhs: &[f64], y: &mut [f64]) -> bool {
        if !self.is_regular {
            y.fill(f64::NAN);
            return false;
        }
        self.matrix.solve(rhs, y, u64::MAX)
    }

    /// Solves as [`LinearSystem::solve`] does, within a step of a method: the meter counts
    /// iterations and can end them.
    pub(super) fn solve_for(&mut self, system: &System<'_>, rhs: &[f64], y: &mut [f64]) -> bool {
        if !self.is_regular || self.matrix.is_direct() {
            return self.solve(rhs, y);
        }
        let before = self.matrix.operations();
        let is_exact = self.matrix.solve(rhs, y, system.left() / OPERATION);
        let taken = self.matrix.operations() - before;
        system.spend(OPERATION.saturating_mul(taken)) && is_exact
    }

    /// Number of operations on blocks (products, factorisations) so far, a measure of cost.
    pub fn operations(&self) -> u64 {
        self.matrix.operations()
    }
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

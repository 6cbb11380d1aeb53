//! The linear systems of implicit methods: (M - α ∂f/∂v - β ∂f/∂x) y = r, in blocks of axes by axes, one for each pair of
//! nodes whose forces depend on each other. Pinned nodes take no part: their rows are those of the unit matrix.
//!
//! Where all pairs are near to each other in the order of nodes, as along a rope, the matrix is banded and is solved
//! directly. Elsewhere, as in a cloth, conjugate gradients solve it.
//!
//! The pattern comes from the springs of the model, whether they are whole or not, so the same state gives the same bits
//! whatever happened before.

mod banded;
pub(super) mod block;
mod conjugate_gradient;
pub mod spectrum;

use crate::body::{Model, State};
use crate::force::{Block, Entry, System};
use banded::Banded;
use conjugate_gradient::Sparse;

/// The greatest distance of nodes in a banded matrix: a rope with springs over two nodes.
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

/// When conjugate gradients end; of no effect on banded matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The residual that is small enough, as a share of the right side.
    pub tolerance: f64,
    /// How many iterations are made at most.
    pub iterations: u64,
}

/// Whether a matrix is to be positive definite or exact; see [`Blocks::is_definite`](crate::force::Blocks::is_definite).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All that forces say.
    Full,
    /// Without what would make it indefinite.
    Definite,
}

/// How a matrix of blocks is kept and solved.
trait Matrix: Send {
    /// Makes every diagonal block a multiple of the unit block, and all others 0.
    fn reset(&mut self, own: &dyn Fn(usize) -> f64);

    /// Adds a block; `false` when the matrix has no place for it.
    fn add(&mut self, i: usize, j: usize, block: &Block) -> bool;

    /// Prepares for [`Matrix::solve`]; `false` when the matrix cannot be solved.
    fn prepare(&mut self) -> bool;

    /// Solves for y, both sides flat by axis, by iterations with about `most` operations; `false`
    /// when y is not as exact as asked for. Where there is no solution at all, y is not a number.
    fn solve(&mut self, rhs: &[f64], y: &mut [f64], most: u64) -> bool;

    /// Whether a solution takes always the same number of operations.
    fn is_direct(&self) -> bool;

    /// How many operations on blocks were made so far.
    fn operations(&self) -> u64;
}

/// A system over the nodes of a body.
pub struct LinearSystem {
    matrix: Box<dyn Matrix>,
    limits: Limits,
    /// Pairs that no spring joins and that forces made dependent all the same.
    more: Vec<(usize, usize)>,
    is_regular: bool,
}

impl LinearSystem {
    /// A system for this model.
    pub fn new(model: &Model, limits: Limits) -> Self {
        Self { matrix: matrix(model, &[], limits), limits, more: Vec::new(), is_regular: false }
    }

    /// Makes the matrix at a state. `also` is handed each block of the derivative of the forces once, those of pinned
    /// nodes included. Returns `false` when the matrix is singular.
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

    /// Solves for y, both sides flat by axis. Rows of pinned nodes give y = r. Returns `false` when y is not as exact as
    /// asked for; y is not a number when the matrix is singular.
    pub fn solve(&mut self, rhs: &[f64], y: &mut [f64]) -> bool {
        if !self.is_regular {
            y.fill(f64::NAN);
            return false;
        }
        self.matrix.solve(rhs, y, u64::MAX)
    }

    /// The same for a step of a method: iterations are counted, and end with the run.
    pub(super) fn solve_for(&mut self, system: &System<'_>, rhs: &[f64], y: &mut [f64]) -> bool {
        if !self.is_regular || self.matrix.is_direct() {
            return self.solve(rhs, y);
        }
        let before = self.matrix.operations();
        let is_exact = self.matrix.solve(rhs, y, system.left() / OPERATION);
        let taken = self.matrix.operations() - before;
        system.spend(OPERATION.saturating_mul(taken)) && is_exact
    }

    /// How many operations on blocks (products, factorisations) were made so far: what a solution costs.
    pub fn operations(&self) -> u64 {
        self.matrix.operations()
    }
}

/// The matrix for the springs of a model and some more pairs of nodes.
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

//! Linear systems of implicit methods: (M - α ∂f/∂v - β ∂f/∂x) y = r. The matrix has one block of
//! axes by axes per pair of nodes whose forces depend on each other. Rows of pinned nodes are rows
//! of the identity.
//!
//! If the indices of all pairs are close, as along a rope, the matrix is banded and solved
//! directly. Otherwise, as for a cloth, conjugate gradients solve it.
//!
//! The pattern includes all springs of the model, broken or not. Equal states therefore give
//! bit-identical results, independent of the history of the run.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod band;
mod banded;
pub(super) mod block;
pub(super) mod block_lanes;
mod conjugate_gradient;
mod diagonals;
mod places;
mod shared;
pub mod spectrum;

use crate::body::{Model, State};
use crate::budget::{Bill, Item};
use crate::force::{Block, Entry, Shared, System};
use crate::instructions::Instructions;
use band::Band;
use banded::Banded;
use conjugate_gradient::Sparse;
use diagonals::Diagonals;
pub(crate) use diagonals::Tridiagonal;
use places::Places;
use shared::SharedTerms;

/// Maximum reach of a banded matrix: the reach of a rope with bending springs.
const WIDEST_BAND: usize = 2;

/// Maximum index distance of two unknowns that depend on each other, for the direct solution of a
/// body with rods.
const WIDEST_OF_RODS: usize = 24;

/// Coefficients in M - α ∂f/∂v - β ∂f/∂x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// α, in units of time.
    pub by_v: f64,
    /// β, in units of time squared.
    pub by_x: f64,
}

/// Stopping criteria of conjugate gradients; banded matrices ignore them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum residual relative to the right-hand side, above 0.
    pub tolerance: f64,
    /// Maximum number of iterations, at least 1.
    pub iterations: u64,
}
crate::identity!(Limits { tolerance, iterations });

/// Whether a matrix must be exact or positive definite; see
/// [`Blocks::is_definite`](crate::force::Blocks::is_definite).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Exact derivative of the forces.
    Full,
    /// Derivative without the terms that could make the matrix indefinite.
    Definite,
}

/// Storage and solver of a block matrix.
trait Matrix: Send {
    /// Sets every diagonal block to `own(node)` times the identity, and all other entries to 0.
    /// This includes all entries of a node's additional unknown.
    fn reset(&mut self, own: &dyn Fn(usize) -> f64);

    /// Adds a block. Returns `false` if the matrix has no entry for it.
    fn add(&mut self, i: usize, j: usize, block: &Block) -> bool;

    /// Adds a number to the entry of two unknowns, each given as node and component: a coordinate,
    /// or 3 for the additional unknown. Returns `false` if the matrix has no such entry.
    fn add_at(&mut self, at: [(usize, usize); 2], value: f64) -> bool;

    /// Prepares for [`Matrix::solve`]. Returns `false` if the matrix cannot be solved.
    fn prepare(&mut self) -> bool;

    /// Solves for y in about `maximum` operations; both sides are flat by axis. Returns `false` if
    /// y does not have the required accuracy. y is NaN if there is no solution.
    fn solve(&mut self, rhs: &[f64], y: &mut [f64], maximum: u64) -> bool;

    /// Whether every solution takes the same number of operations.
    fn is_direct(&self) -> bool;

    /// Returns the number of operations on blocks so far.
    fn operations(&self) -> u64;
}

/// A matrix that is assembled in vectors of springs, bit-identical to a plain matrix.
trait Fast: Send {
    /// Assembles and prepares the matrix at a state, and adds the effect of `motion` to its
    /// right-hand side. Returns `Some(false)` if the matrix is singular. Returns `None` if a force
    /// is not supported or a number is not finite.
    fn assemble(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        motion: Option<&mut Motion<'_>>,
    ) -> Option<bool>;

    /// Solves for y; see [`Matrix::solve`].
    fn solve(&mut self, rhs: &[f64], y: &mut [f64], maximum: u64) -> bool;

    /// Whether every solution takes the same number of operations.
    fn is_direct(&self) -> bool;

    /// Returns the number of operations on blocks so far.
    fn operations(&self) -> u64;
}

/// Motion that contributes α (∂f/∂x Δx + ∂f/∂v Δv) to the right-hand side, for free nodes. All
/// vectors are flat by axis.
#[derive(Debug)]
pub struct Motion<'a> {
    /// Displacement Δx.
    pub displacement: &'a [f64],
    /// Velocity change Δv.
    pub change: &'a [f64],
    /// Right-hand side, to which the effect is added.
    pub right: &'a mut [f64],
}

impl Motion<'_> {
    /// Adds the effect of a coupling over many nodes.
    fn add_shared(&mut self, shared: &Shared, model: &Model, factor: f64) {
        shared.apply(model, self.displacement, factor, self.right);
    }

    fn is_finite(&self) -> bool {
        self.displacement.iter().chain(self.change).all(|value| value.is_finite())
    }

    /// Adds the effect of a block.
    fn add(&mut self, entry: &Entry, model: &Model, factor: f64) {
        if model.pinned[entry.i] {
            return;
        }
        let (n, axes) = (model.nodes(), model.axes);
        for (p, (by_x, by_v)) in entry.by_x.iter().zip(&entry.by_v).enumerate().take(axes) {
            let mut sum = 0.0;
            for (q, (by_x, by_v)) in by_x.iter().zip(by_v).enumerate().take(axes) {
                let j = q * n + entry.j;
                sum += by_x * self.displacement[j] + by_v * self.change[j];
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
    /// Whether the last assembly used the fast matrix.
    is_fast: bool,
    /// Plain matrix, created on first use.
    plain: Option<Box<dyn Matrix>>,
    limits: Limits,
    /// Pairs of nodes that a force couples but no spring joins.
    more: Vec<(usize, usize)>,
    /// Couplings over many nodes. If each quantity of a coupling has a node, the plain matrix
    /// contains the coupling.
    shared: SharedTerms,
    /// Whether nodes of the plain matrix have another unknown in addition to their coordinates.
    /// `wide` holds both sides of the system, including this unknown.
    is_wide: bool,
    wide: [Vec<f64>; 2],
    is_regular: bool,
}

impl LinearSystem {
    /// Creates a system for a model.
    pub fn new(model: &Model, limits: Limits) -> Self {
        Self::with(model, limits, Instructions::best())
    }

    /// Creates a system that uses the vector instructions `set`. Results are bit-identical for
    /// every set.
    pub fn with(model: &Model, limits: Limits, set: Instructions) -> Self {
        let fast = match model.axes {
            2 => Diagonals::<2>::new(model, limits, set).map(boxed),
            3 => Diagonals::<3>::new(model, limits, set).map(boxed),
            _ => None,
        };
        let (more, shared) = (Vec::new(), SharedTerms::default());
        Self {
            fast,
            is_fast: false,
            plain: None,
            limits,
            more,
            shared,
            is_wide: false,
            wide: Default::default(),
            is_regular: false,
        }
    }

    /// Whether the model's springs are ordered by direction. The matrix can then be assembled in
    /// vectors if all forces support it.
    pub fn has_directions(&self) -> bool {
        self.fast.is_some()
    }

    /// Assembles the matrix at a state, and adds the effect of `motion` to its right-hand side.
    /// Returns `false` if the matrix is singular.
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
        self.is_regular = match done {
            Some(is_regular) => is_regular && self.add_shared(system, state, weights, motion),
            None => self.assemble_plain(system, state, weights, kind, motion),
        };
        self.is_regular
    }

    /// Adds couplings over many nodes to the fast matrix. Only rods have such couplings.
    fn add_shared(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        mut motion: Option<Motion<'_>>,
    ) -> bool {
        let Self { shared, fast, .. } = self;
        shared.clear();
        for rods in system.forces().iter().filter_map(|force| force.rods()) {
            rods.each_shared(&system.body(), state, &mut |term| shared.push(term));
        }
        for term in shared.terms() {
            if let Some(motion) = &mut motion {
                motion.add_shared(term, system.model, weights.by_v);
            }
        }
        let Some(fast) = fast else { return false };
        shared.prepare(system.model, weights.by_x, |rhs, y| fast.solve(rhs, y, u64::MAX))
    }

    fn assemble_plain(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        motion: Option<Motion<'_>>,
    ) -> bool {
        let Self { plain, more, limits, shared, is_wide, .. } = self;
        let known = more.len();
        let has_rods = system.forces().iter().any(|force| force.rods().is_some());
        let new = |more: &[(usize, usize)], is_wide: bool| match has_rods {
            true => matrix_of_rods(system.model, more, *limits, is_wide),
            false => matrix(system.model, more, *limits),
        };
        let mut matrix = plain.take().unwrap_or_else(|| new(more, *is_wide));
        let beyond = Beyond { more, shared, is_wide: *is_wide };
        fill(matrix.as_mut(), beyond, system, state, weights, kind, motion);
        let becomes_wide = !*is_wide && shared.has_homes();
        if more.len() > known || becomes_wide {
            more.sort_unstable();
            more.dedup();
            *is_wide |= becomes_wide;
            matrix = new(more, *is_wide);
            let beyond = Beyond { more, shared, is_wide: *is_wide };
            fill(matrix.as_mut(), beyond, system, state, weights, kind, None);
        }
        let matrix = plain.insert(matrix);
        matrix.prepare()
            && shared.prepare(system.model, weights.by_x, |rhs, y| matrix.solve(rhs, y, u64::MAX))
    }

    /// Solves for y, with both sides flat by axis. Rows of pinned nodes give y = r. Returns `false`
    /// if y does not have the required accuracy. y is NaN if the matrix is singular.
    pub fn solve(&mut self, rhs: &[f64], y: &mut [f64]) -> bool {
        self.solve_within(rhs, y, u64::MAX)
    }

    fn solve_within(&mut self, rhs: &[f64], y: &mut [f64], maximum: u64) -> bool {
        match (&mut self.fast, &mut self.plain) {
            _ if !self.is_regular => {
                y.fill(f64::NAN);
                false
            }
            (Some(fast), _) if self.is_fast => {
                let is_exact = fast.solve(rhs, y, maximum);
                self.shared.correct(y);
                is_exact
            }
            (_, Some(plain)) => {
                let is_exact = match self.is_wide {
                    true => solve_wide(plain.as_mut(), &mut self.wide, rhs, y, maximum),
                    false => plain.solve(rhs, y, maximum),
                };
                self.shared.correct(y);
                is_exact
            }
            _ => false,
        }
    }

    /// Solves for y within an amount of work, in nanoseconds of one core; see
    /// [`LinearSystem::solve`]. Returns the work as counted, above 0 only for iterative solutions.
    pub fn solve_counted(&mut self, rhs: &[f64], y: &mut [f64], maximum: u64) -> u64 {
        let item = self.iteration_item();
        let before = self.operations();
        self.solve_within(rhs, y, maximum.saturating_mul(1000) / item.price());
        let is_direct = self.is_direct();
        let taken = self.operations() - before;
        if is_direct { 0 } else { Bill::of(item, taken).amount() }
    }

    /// Price item of an operation on a block of the last assembled matrix.
    fn iteration_item(&self) -> Item {
        if self.is_fast { Item::SheetOperation } else { Item::BlockOperation }
    }

    /// Whether every solution with the last assembled matrix takes the same number of operations.
    fn is_direct(&self) -> bool {
        match (&self.fast, &self.plain) {
            (Some(fast), _) if self.is_fast => fast.is_direct(),
            (_, plain) => plain.as_ref().is_some_and(|plain| plain.is_direct()),
        }
    }

    /// Solves for y within a step of a method; see [`LinearSystem::solve`]. The meter counts the
    /// iterations and can end them.
    pub(super) fn solve_for(&mut self, system: &System<'_>, rhs: &[f64], y: &mut [f64]) -> bool {
        if !self.is_regular || self.is_direct() {
            return self.solve(rhs, y);
        }
        let item = self.iteration_item();
        let before = self.operations();
        let is_exact = self.solve_within(rhs, y, system.left_for(item));
        let taken = self.operations() - before;
        system.count(item, taken) && is_exact
    }

    /// Returns the number of operations on blocks so far (products, factorisations), a measure of
    /// cost.
    pub fn operations(&self) -> u64 {
        let fast = self.fast.as_ref().map_or(0, |fast| fast.operations());
        fast + self.plain.as_ref().map_or(0, |plain| plain.operations())
    }
}

fn boxed<const A: usize>(fast: Diagonals<A>) -> Box<dyn Fast> {
    Box::new(fast)
}

/// Couplings for which a matrix has no entry.
struct Beyond<'a> {
    /// Pairs of nodes.
    more: &'a mut Vec<(usize, usize)>,
    /// Couplings over many nodes.
    shared: &'a mut SharedTerms,
    /// Whether nodes of the matrix have another unknown in addition to their coordinates.
    is_wide: bool,
}

/// Assembles a matrix: resets it, then adds the blocks of all forces. Adds the effect of motion to
/// its right-hand side. Replaces `beyond.shared` by the couplings over many nodes; couplings whose
/// quantities have nodes also become unknowns of the matrix. Appends pairs without an entry in the
/// matrix to `beyond.more`.
fn fill(
    matrix: &mut dyn Matrix,
    beyond: Beyond<'_>,
    system: &System<'_>,
    state: &State,
    weights: Weights,
    kind: Kind,
    mut motion: Option<Motion<'_>>,
) {
    let Beyond { more, shared, is_wide } = beyond;
    let model = system.model;
    let Model { axes, mass, pinned, .. } = model;
    matrix.reset(&|i| if pinned[i] { 1.0 } else { mass[i] });
    shared.clear();
    let mut take = |entry: &Entry| {
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
    };
    system.each_coupling(state, kind == Kind::Definite, &mut take, &mut |term| shared.push(term));
    if let Some(motion) = &mut motion {
        for term in shared.terms() {
            motion.add_shared(term, model, weights.by_v);
        }
    }
    shared.embed(matrix, more, model, weights.by_x, is_wide);
}

/// Solves a system whose nodes have another unknown in addition to their coordinates. The
/// right-hand side of this unknown is 0.
fn solve_wide(
    matrix: &mut dyn Matrix,
    sides: &mut [Vec<f64>; 2],
    rhs: &[f64],
    y: &mut [f64],
    maximum: u64,
) -> bool {
    let [wide_rhs, wide_y] = sides;
    let size = rhs.len() / 3 * 4;
    wide_rhs.clear();
    wide_rhs.extend_from_slice(rhs);
    wide_rhs.resize(size, 0.0);
    wide_y.resize(size, 0.0);
    let is_exact = matrix.solve(wide_rhs, wide_y, maximum);
    y.copy_from_slice(&wide_y[..y.len()]);
    is_exact
}

/// Creates an empty matrix for the springs of a model with rods and additional pairs of nodes. Wide
/// matrices have a fourth unknown per node.
fn matrix_of_rods(
    model: &Model,
    more: &[(usize, usize)],
    limits: Limits,
    is_wide: bool,
) -> Box<dyn Matrix> {
    let springs = model.springs.iter().map(|spring| (spring.a, spring.b));
    let pairs: Vec<_> = springs.chain(more.iter().copied()).collect();
    let size = model.axes + usize::from(is_wide);
    let places = Places::new(model, &pairs);
    match size * places.reach + size - 1 {
        0..=8 => Box::new(Band::<8>::new(size, places.of)),
        9..=12 => Box::new(Band::<12>::new(size, places.of)),
        13..=WIDEST_OF_RODS => Box::new(Band::<WIDEST_OF_RODS>::new(size, places.of)),
        _ if is_wide => Box::new(Sparse::<4>::new(model.nodes(), pairs.into_iter(), limits)),
        _ => matrix(model, more, limits),
    }
}

/// Creates an empty matrix for the springs of a model and additional pairs of nodes.
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

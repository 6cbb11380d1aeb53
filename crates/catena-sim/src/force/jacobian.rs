//! Derivatives of forces with respect to positions and velocities: blocks between pairs of nodes,
//! for implicit methods.

use super::SpringForce;
use super::formula::spring_block;
use super::shared::Shared;

/// A block of a Jacobian: derivative of a force component (row) with respect to a coordinate
/// (column). Unused axes are 0.
pub type Block = [[f64; 3]; 3];

/// ∂f_i/∂x_j and ∂f_i/∂v_j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Node that the force acts on.
    pub i: usize,
    /// Node whose position or velocity varies.
    pub j: usize,
    /// ∂f_i/∂x_j.
    pub by_x: Block,
    /// ∂f_i/∂v_j.
    pub by_v: Block,
}

/// Derivative of a force of a known kind, as numbers. Linear systems compute the blocks of
/// [`Force::add_jacobian`](super::Force) from them, for many springs at a time.
#[derive(Clone, Copy, Debug)]
pub enum Derivative<'a> {
    /// The force depends on neither positions nor velocities.
    Nothing,
    /// ∂f/∂v = -c on every node, with a finite c.
    Drag(f64),
    /// A force of springs.
    Springs(SpringForce<'a>),
}

/// The derivative of all forces, as a list of blocks. Several blocks of one pair of nodes are
/// summed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    /// Blocks in the order in which forces added them.
    pub entries: Vec<Entry>,
}

/// Receives blocks from forces and passes them to a function, so that a body of millions of nodes
/// needs no list of blocks.
pub struct Blocks<'a> {
    is_definite: bool,
    take: &'a mut dyn FnMut(&Entry),
    /// Receiver of couplings over many nodes; with `None`, couplings are passed as blocks.
    take_shared: Option<&'a mut dyn FnMut(Shared)>,
}

impl<'a> Blocks<'a> {
    /// Passes every block to `take`.
    pub fn new(is_definite: bool, take: &'a mut dyn FnMut(&Entry)) -> Self {
        Self { is_definite, take, take_shared: None }
    }

    /// Passes every block to `take`, and couplings over many nodes to `take_shared`.
    pub fn with_shared(
        is_definite: bool,
        take: &'a mut dyn FnMut(&Entry),
        take_shared: &'a mut dyn FnMut(Shared),
    ) -> Self {
        Self { is_definite, take, take_shared: Some(take_shared) }
    }

    /// Adds one block.
    pub fn add(&mut self, entry: &Entry) {
        (self.take)(entry);
    }

    /// Adds a coupling over many nodes.
    pub fn add_shared(&mut self, shared: Shared) {
        match &mut self.take_shared {
            Some(take) => take(shared),
            None => shared.expand(self.take),
        }
    }

    /// Whether forces omit the terms that may make the matrix of an implicit method indefinite,
    /// such as the rotation of a compressed spring. Such terms push a node further in the direction
    /// of its displacement.
    pub fn is_definite(&self) -> bool {
        self.is_definite
    }

    /// Adds the derivative of a force on one node that depends only on that node.
    pub fn add_own(&mut self, i: usize, by_x: Block, by_v: Block) {
        (self.take)(&Entry { i, j: i, by_x, by_v });
    }

    /// Adds the derivative of a force between two nodes, f_a = -f_b, that depends on x_b - x_a and
    /// v_b - v_a. The blocks are the derivatives of f_a with respect to these differences.
    pub fn add_pair(&mut self, a: usize, b: usize, by_x: Block, by_v: Block) {
        let (minus_x, minus_v) = (negative(&by_x), negative(&by_v));
        (self.take)(&Entry { i: a, j: b, by_x, by_v });
        (self.take)(&Entry { i: a, j: a, by_x: minus_x, by_v: minus_v });
        (self.take)(&Entry { i: b, j: a, by_x, by_v });
        (self.take)(&Entry { i: b, j: b, by_x: minus_x, by_v: minus_v });
    }
}

/// Returns the block times -1.
fn negative(block: &Block) -> Block {
    block.map(|row| row.map(|value| -value))
}

/// Returns a multiple of the unit block on the first `axes` axes.
pub fn diagonal(axes: usize, value: f64) -> Block {
    let mut block = [[0.0; 3]; 3];
    for (axis, row) in block.iter_mut().enumerate().take(axes) {
        row[axis] = value;
    }
    block
}

/// Returns along · u uᵀ + across · (1 - u uᵀ) for a unit vector u.
pub fn directional(axes: usize, u: &[f64; 3], along: f64, across: f64) -> Block {
    let mut block = spring_block(*u, along, across);
    for (p, row) in block.iter_mut().enumerate() {
        let known = if p < axes { axes } else { 0 };
        row[known..].fill(0.0);
    }
    block
}

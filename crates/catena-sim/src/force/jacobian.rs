//! How forces change with positions and velocities: blocks between pairs of nodes, for implicit
//! methods.

use super::SpringForce;
use super::formula::spring_block;

/// A block of a Jacobian: derivative of a force component (row) by a coordinate (column). Unused
/// axes are 0.
pub type Block = [[f64; 3]; 3];

/// ∂f_i/∂x_j and ∂f_i/∂v_j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The node that the force acts on.
    pub i: usize,
    /// The node that is moved.
    pub j: usize,
    /// ∂f_i/∂x_j.
    pub by_x: Block,
    /// ∂f_i/∂v_j.
    pub by_v: Block,
}

/// The derivative of a force of a known kind: that of [`Force::add_jacobian`](super::Force), as
/// numbers from which linear systems compute the blocks of many springs at a time.
#[derive(Clone, Copy, Debug)]
pub enum Derivative<'a> {
    /// The force changes with neither positions nor velocities.
    Nothing,
    /// ∂f/∂v = -c on every node, with a finite c.
    Drag(f64),
    /// A force of springs.
    Springs(SpringForce<'a>),
}

/// The derivative of all forces, as a list of blocks. Blocks of one pair of nodes add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    /// In the order in which forces added them.
    pub entries: Vec<Entry>,
}

/// Takes blocks from forces and hands them on, so that a body of millions of nodes needs no list of
/// them.
pub struct Blocks<'a> {
    is_definite: bool,
    take: &'a mut dyn FnMut(&Entry),
}

impl<'a> Blocks<'a> {
    /// Hands every block to `take`.
    pub fn new(is_definite: bool, take: &'a mut dyn FnMut(&Entry)) -> Self {
        Self { is_definite, take }
    }

    /// Whether forces leave out what would push a node on in the direction in which it is moved,
    /// such as the turning of a compressed spring. Then the matrix of an implicit method is
    /// positive definite.
    pub fn is_definite(&self) -> bool {
        self.is_definite
    }

    /// A force on one node that depends on that node alone.
    pub fn add_own(&mut self, i: usize, by_x: Block, by_v: Block) {
        (self.take)(&Entry { i, j: i, by_x, by_v });
    }

    /// A force between two nodes, f_a = -f_b, that depends on x_b - x_a and v_b - v_a: the blocks
    /// are the derivatives of f_a by those differences.
    pub fn add_pair(&mut self, a: usize, b: usize, by_x: Block, by_v: Block) {
        let (minus_x, minus_v) = (negative(&by_x), negative(&by_v));
        (self.take)(&Entry { i: a, j: b, by_x, by_v });
        (self.take)(&Entry { i: a, j: a, by_x: minus_x, by_v: minus_v });
        (self.take)(&Entry { i: b, j: a, by_x, by_v });
        (self.take)(&Entry { i: b, j: b, by_x: minus_x, by_v: minus_v });
    }
}

/// The block times -1.
fn negative(block: &Block) -> Block {
    block.map(|row| row.map(|value| -value))
}

/// A multiple of the unit block on the first `axes` axes.
pub fn diagonal(axes: usize, value: f64) -> Block {
    let mut block = [[0.0; 3]; 3];
    for (axis, row) in block.iter_mut().enumerate().take(axes) {
        row[axis] = value;
    }
    block
}

/// along · u uᵀ + across · (1 - u uᵀ) for a unit vector u.
pub fn directional(axes: usize, u: &[f64; 3], along: f64, across: f64) -> Block {
    let mut block = spring_block(*u, along, across);
    for (p, row) in block.iter_mut().enumerate() {
        let known = if p < axes { axes } else { 0 };
        row[known..].fill(0.0);
    }
    block
}

//! One step of one row of a cloth, vector by vector of its nodes.
//!
//! All springs that begin at a vector of nodes are computed together, direction by direction, so
//! that the sum stays in registers, and square roots and quotients of one spring overlap with those
//! of others. The pulls of springs that end at these nodes are known by then: those along the row
//! come from the vector before; those from rows above are kept with the node where they begin, and
//! replaced after their use.

use super::{
    lanes::{CacheLine, WIDTH, WideSimd},
    node_forces::{ADDENDS, Addend, NodeConstants, NodeForceVectors, NodeForces, NodeUpdate, pull},
    steps::Steps,
};
use crate::force::Part;

/// Number of constants of a node: rest lengths by direction of the springs that begin there, below
/// zero for a missing spring, and the three that follow.
pub const FIXED: usize = 9;
/// Place of the mass among them.
pub const MASS: usize = 6;
/// Place of its reciprocal.
pub const INVERSE: usize = 7;
/// Place of the pin flag: 1 for nodes that are held or missing.
pub const PINNED: usize = 8;

/// Number of kept pulls of a node: down, down to the right, down to the left, and over one node
/// down, from rows of even and of odd numbers.
const KEPT: usize = 5;

/// Numbers that are used together stand together: a cell has one vector of each kind. Cells begin
/// on a cache line, with one more cell at both ends, so that no vector checks whether its neighbour
/// exists.
#[derive(Debug)]
pub struct Cells {
    numbers: Vec<f64>,
    first: usize,
}

/// A vector for each axis.
type Axes<S, const A: usize> = [<S as pulp::Simd>::f64s; A];

impl Cells {
    /// Zeros for this many nodes and kinds of numbers.
    pub fn new(nodes: usize, kinds: usize) -> Self {
        let numbers = vec![0.0; (nodes + 2 * WIDTH) * kinds + WIDTH];
        let first = numbers.as_ptr().align_offset(align_of::<CacheLine>()).min(WIDTH - 1);
        Self { numbers, first }
    }

    /// Cells for the positions and velocities of a row.
    pub fn nodes<const A: usize>(width: usize) -> Self {
        Self::new(width, 2 * A)
    }

    /// Cells for the pulls that a step keeps.
    pub fn kept<const A: usize>(width: usize) -> Self {
        Self::new(width, KEPT * A)
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        self.numbers.fill(0.0);
    }

    /// The numbers as cells of `K` kinds.
    #[inline(always)]
    pub fn wide<S: WideSimd, const K: usize>(&self) -> &[[S::f64s; K]] {
        S::as_simd_f64s(&self.numbers[self.first..]).0.as_chunks().0
    }

    /// The numbers as cells, to change them.
    #[inline(always)]
    pub fn wide_mut<S: WideSimd, const K: usize>(&mut self) -> &mut [[S::f64s; K]] {
        S::as_mut_simd_f64s(&mut self.numbers[self.first..]).0.as_chunks_mut().0
    }

    /// Copies one component of a row of nodes into its cells.
    #[inline(always)]
    pub fn fetch<S: WideSimd, const A: usize>(
        &mut self,
        (kind, axis): (usize, usize),
        row: &[f64],
    ) {
        let (vectors, rest) = S::as_simd_f64s(row);
        let cells = &mut self.wide_mut::<S, A>().as_chunks_mut::<2>().0[1..];
        for (cell, vector) in cells.iter_mut().zip(vectors) {
            cell[kind][axis] = *vector;
        }
        let last = self.first + ((1 + vectors.len()) * 2 * A + kind * A + axis) * S::F64_LANES;
        self.numbers[last..last + rest.len()].copy_from_slice(rest);
    }

    /// Copies one component of a row of nodes from its cells.
    #[inline(always)]
    pub fn put_back<S: WideSimd, const A: usize>(
        &self,
        (kind, axis): (usize, usize),
        row: &mut [f64],
    ) {
        let (vectors, rest) = S::as_mut_simd_f64s(row);
        let last = self.first + ((1 + vectors.len()) * 2 * A + kind * A + axis) * S::F64_LANES;
        rest.copy_from_slice(&self.numbers[last..last + rest.len()]);
        let cells = &self.wide::<S, A>().as_chunks::<2>().0[1..];
        for (cell, vector) in cells.iter().zip(vectors) {
            *vector = cell[kind][axis];
        }
    }
}

/// What one step of a row reads and changes.
pub struct RowStep<'a, const A: usize> {
    /// Index of the row.
    pub row: usize,
    /// Nodes in a row, rounded up to whole vectors of any width.
    pub width: usize,
    /// The nodes of the row and of the two below it, if there are such.
    pub nodes: [&'a mut Cells; 3],
    /// Constants of all rows.
    pub fixed: &'a Cells,
    /// Pulls of the rows above.
    pub kept: &'a mut Cells,
    /// Stiffness by direction.
    pub stiffness: &'a [f64; 6],
    /// The forces on nodes.
    pub forces: &'a NodeForces<A>,
    /// Which steps are taken.
    pub steps: &'a Steps,
}

impl<const A: usize> RowStep<'_, A> {
    /// Takes the step. `USUAL` says that forces stand in their usual order.
    #[inline(always)]
    pub fn take<S: WideSimd, const USUAL: bool>(self, simd: S) {
        let zero = simd.splat_f64s(0.0);
        let Self { row, nodes: [here, below, two_below], forces, .. } = self;
        let (wide, motion) = (forces.wide(simd), NodeUpdate::new(simd, self.steps));
        let count = self.width / S::F64_LANES;
        let here = &mut here.wide_mut::<S, A>().as_chunks_mut::<2>().0[..count + 2];
        let below = &below.wide::<S, A>().as_chunks::<2>().0[..count + 2];
        let two_below = &two_below.wide::<S, A>().as_chunks::<2>().0[..count + 2];
        let fixed = &self.fixed.wide::<S, FIXED>()[row * count..(row + 1) * count];
        let kept = &mut self.kept.wide_mut::<S, A>().as_chunks_mut::<KEPT>().0[..count + 1];
        let mut springs = Springs::<S, A> {
            stiffness: self.stiffness.map(|stiffness| simd.splat_f64s(stiffness)),
            two_down: 3 + row % 2,
            along: [zero; A],
            two_along: [zero; A],
            aslant: [zero; A],
        };
        let forces = RowForces { forces, acts: forces.acting(), wide };
        for j in 0..count {
            let [this, velocity] = here[j + 1];
            let next = here[j + 2][0];
            let under = [below[j][0], below[j + 1][0], below[j + 2][0]];
            let around = Around { this, next, under, two_below: two_below[j + 1][0] };
            let fixed = &fixed[j];
            let [kept, kept_next] = &mut kept[j..j + 2] else { return };
            let node = NodeAround { around, velocity, fixed, kept: (kept, kept_next) };
            let f = springs.sum::<USUAL>(simd, &forces, node);
            let pinned = simd.less_than_f64s(zero, fixed[PINNED]);
            let node = NodeConstants { mass: fixed[MASS], inverse: fixed[INVERSE], pinned };
            let [new_x, new_v] = &mut here[j + 1];
            for axis in 0..A {
                (new_x[axis], new_v[axis]) =
                    motion.step(simd, &node, f[axis], (this[axis], velocity[axis]));
            }
        }
    }
}

/// The forces of a row.
struct RowForces<'a, S: WideSimd, const A: usize> {
    forces: &'a NodeForces<A>,
    /// Which of them act, in their usual order.
    acts: [bool; ADDENDS],
    wide: NodeForceVectors<S, A>,
}

/// Some nodes, and all that their sum of forces depends on.
struct NodeAround<'a, S: WideSimd, const A: usize> {
    around: Around<S, A>,
    velocity: Axes<S, A>,
    fixed: &'a [S::f64s; FIXED],
    /// Pulls of the rows above, at these nodes and at those of the next vector.
    kept: (&'a mut [Axes<S, A>; KEPT], &'a [Axes<S, A>; KEPT]),
}

/// Positions of some nodes, and of those that their springs lead to.
struct Around<S: WideSimd, const A: usize> {
    this: Axes<S, A>,
    /// The next vector in the row.
    next: Axes<S, A>,
    /// One row below: the vector before, the one below these nodes, and the next.
    under: [Axes<S, A>; 3],
    two_below: Axes<S, A>,
}

/// The springs of a row, and the pulls that one vector passes to the next.
struct Springs<S: WideSimd, const A: usize> {
    stiffness: [S::f64s; 6],
    /// Index of the kept pulls over one node down.
    two_down: usize,
    /// Pulls of the last vector: to the next column, and over one.
    along: Axes<S, A>,
    two_along: Axes<S, A>,
    /// Pulls of the last vector of the row above, down to the right.
    aslant: Axes<S, A>,
}

impl<S: WideSimd, const A: usize> Springs<S, A> {
    /// The sum of all forces. `USUAL` says that they stand in their usual order.
    #[inline(always)]
    fn sum<const USUAL: bool>(
        &mut self,
        simd: S,
        forces: &RowForces<'_, S, A>,
        node: NodeAround<'_, S, A>,
    ) -> Axes<S, A> {
        let RowForces { forces, acts, wide } = forces;
        let NodeAround { around, velocity, fixed, kept: (kept, kept_next) } = node;
        let mut f = [simd.splat_f64s(0.0); A];
        if USUAL {
            if acts[0] {
                self.add_held(simd, &mut f, &around, fixed, (kept, kept_next));
            }
            if acts[1] {
                self.add_bending(simd, &mut f, &around, fixed, kept);
            }
            if acts[2] {
                wide.add_gravity(simd, &mut f, fixed[MASS]);
            }
            if acts[3] {
                wide.add_drag(simd, &mut f, &velocity);
            }
            return f;
        }
        for addend in forces.order.iter().flatten() {
            match addend {
                Addend::Gravity => wide.add_gravity(simd, &mut f, fixed[MASS]),
                Addend::Drag => wide.add_drag(simd, &mut f, &velocity),
                Addend::Springs(Part::Held) => {
                    self.add_held(simd, &mut f, &around, fixed, (kept, kept_next));
                }
                Addend::Springs(Part::Bending) => {
                    self.add_bending(simd, &mut f, &around, fixed, kept);
                }
            }
        }
        f
    }

    /// The pulls of springs of one direction on their first nodes.
    #[inline(always)]
    fn pull(
        &self,
        simd: S,
        direction: usize,
        (from, to): (&Axes<S, A>, &Axes<S, A>),
        fixed: &[S::f64s; FIXED],
    ) -> Axes<S, A> {
        let mut d = *from;
        for axis in 0..A {
            d[axis] = simd.sub_f64s(to[axis], from[axis]);
        }
        pull(simd, d, self.stiffness[direction], fixed[direction])
    }

    /// Adds the springs to the next column and to the next row.
    #[inline(always)]
    fn add_held(
        &mut self,
        simd: S,
        f: &mut Axes<S, A>,
        around: &Around<S, A>,
        fixed: &[S::f64s; FIXED],
        (kept, kept_next): (&mut [Axes<S, A>; KEPT], &[Axes<S, A>; KEPT]),
    ) {
        let Around { this, next, under: [before_under, under, after_under], .. } = around;
        let (mut right, mut below_right, mut below_left) = (*this, *this, *this);
        for axis in 0..A {
            right[axis] = simd.after(this[axis], next[axis]);
            below_right[axis] = simd.after(under[axis], after_under[axis]);
            below_left[axis] = simd.before(before_under[axis], under[axis]);
        }
        let along = self.pull(simd, 0, (this, &right), fixed);
        let down = self.pull(simd, 1, (this, under), fixed);
        let aslant = self.pull(simd, 2, (this, &below_right), fixed);
        let back = self.pull(simd, 3, (this, &below_left), fixed);
        for axis in 0..A {
            let sum = &mut f[axis];
            add(simd, sum, simd.before(self.along[axis], along[axis]), along[axis]);
            add(simd, sum, kept[0][axis], down[axis]);
            add(simd, sum, simd.before(self.aslant[axis], kept[1][axis]), aslant[axis]);
            add(simd, sum, simd.after(kept[2][axis], kept_next[2][axis]), back[axis]);
        }
        (self.along, self.aslant) = (along, kept[1]);
        (kept[0], kept[1], kept[2]) = (down, aslant, back);
    }

    /// Adds the springs over one node.
    #[inline(always)]
    fn add_bending(
        &mut self,
        simd: S,
        f: &mut Axes<S, A>,
        around: &Around<S, A>,
        fixed: &[S::f64s; FIXED],
        kept: &mut [Axes<S, A>; KEPT],
    ) {
        let Around { this, next, two_below, .. } = around;
        let mut right = *this;
        for axis in 0..A {
            right[axis] = simd.two_after(this[axis], next[axis]);
        }
        let along = self.pull(simd, 4, (this, &right), fixed);
        let down = self.pull(simd, 5, (this, two_below), fixed);
        let kept = &mut kept[self.two_down];
        for axis in 0..A {
            let sum = &mut f[axis];
            add(simd, sum, simd.two_before(self.two_along[axis], along[axis]), along[axis]);
            add(simd, sum, kept[axis], down[axis]);
        }
        (self.two_along, *kept) = (along, down);
    }
}

/// Adds the pull of springs that end in nodes, and then of those that begin there.
#[inline(always)]
fn add<S: WideSimd>(simd: S, f: &mut S::f64s, ending: S::f64s, own: S::f64s) {
    *f = simd.add_f64s(simd.sub_f64s(*f, ending), own);
}

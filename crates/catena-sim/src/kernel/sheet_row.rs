//! One step of one row of a cloth, vector by vector of its nodes.
//!
//! All springs that start at a vector of nodes are computed together, direction by direction. The
//! sum stays in registers, and square roots and divisions of different springs overlap. The pulls
//! of springs that end at these nodes are already known. Pulls along the row come from the previous
//! vector. Pulls from rows above are stored with the node where they start, and replaced after
//! their use.

use super::{
    node_forces::{ADDENDS, Addend, NodeConstants, NodeForceLanes, NodeForces, NodeUpdate},
    steps::Steps,
};
use crate::force::{Part, formula::pull};
use crate::lane::{CacheLine, Lane, Vector, WIDTH, WideSimd, sub};

/// Number of constants per node: six rest lengths, one per direction of the springs that start at
/// the node, and the three constants below. The rest length of a missing spring is negative.
pub const FIXED: usize = 9;
/// Index of the mass.
pub const MASS: usize = 6;
/// Index of the reciprocal of the mass.
pub const INVERSE: usize = 7;
/// Index of the pin flag: 1 for pinned or missing nodes.
pub const PINNED: usize = 8;

/// Number of stored pulls per node. Three are by springs to the next row: down, down to the right
/// and down to the left. Two are by springs to the row after that, from even and from odd rows.
const KEPT: usize = 5;

/// Numbers grouped by use: a cell has one vector of each kind. Cells start on a cache line. An
/// extra cell at each end avoids checks for the existence of neighbours.
#[derive(Debug)]
pub struct Cells {
    numbers: Vec<f64>,
    first: usize,
}

/// One vector per axis, as cells store it.
type Kept<S, const A: usize> = [<S as pulp::Simd>::f64s; A];

/// One vector per axis.
type Axes<S, const A: usize> = [Vector<S>; A];

impl Cells {
    /// Creates cells of zeros for `nodes` nodes with `kinds` numbers each.
    pub fn new(nodes: usize, kinds: usize) -> Self {
        let numbers = vec![0.0; (nodes + 2 * WIDTH) * kinds + WIDTH];
        let first = numbers.as_ptr().align_offset(align_of::<CacheLine>()).min(WIDTH - 1);
        Self { numbers, first }
    }

    /// Creates cells for the positions and velocities of a row.
    pub fn nodes<const A: usize>(width: usize) -> Self {
        Self::new(width, 2 * A)
    }

    /// Creates cells for the pulls that a step keeps.
    pub fn kept<const A: usize>(width: usize) -> Self {
        Self::new(width, KEPT * A)
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.numbers.fill(0.0);
    }

    /// The values as cells of `K` kinds.
    #[inline(always)]
    pub fn wide<S: WideSimd, const K: usize>(&self) -> &[Kept<S, K>] {
        S::as_simd_f64s(&self.numbers[self.first..]).0.as_chunks().0
    }

    /// The values as mutable cells.
    #[inline(always)]
    pub fn wide_mut<S: WideSimd, const K: usize>(&mut self) -> &mut [Kept<S, K>] {
        S::as_mut_simd_f64s(&mut self.numbers[self.first..]).0.as_chunks_mut().0
    }

    /// Copies one component of a row of nodes into its cells.
    #[inline(always)]
    pub fn fetch<S: WideSimd, const A: usize>(&mut self, kind: usize, axis: usize, row: &[f64]) {
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
    pub fn put_back<S: WideSimd, const A: usize>(&self, kind: usize, axis: usize, row: &mut [f64]) {
        let (vectors, rest) = S::as_mut_simd_f64s(row);
        let last = self.first + ((1 + vectors.len()) * 2 * A + kind * A + axis) * S::F64_LANES;
        rest.copy_from_slice(&self.numbers[last..last + rest.len()]);
        let cells = &self.wide::<S, A>().as_chunks::<2>().0[1..];
        for (cell, vector) in cells.iter().zip(vectors) {
            *vector = cell[kind][axis];
        }
    }
}

/// Input and output of one step of a row.
pub struct RowStep<'a, const A: usize> {
    /// Index of the row.
    pub row: usize,
    /// Number of nodes in a row, rounded up to full vectors of any width.
    pub width: usize,
    /// Nodes of the row and of the two below it, if they exist.
    pub nodes: [&'a mut Cells; 3],
    /// Constants of all rows.
    pub fixed: &'a Cells,
    /// Pulls of the rows above.
    pub kept: &'a mut Cells,
    /// Stiffness by direction.
    pub stiffness: &'a [f64; 6],
    /// The forces on nodes.
    pub forces: &'a NodeForces<A>,
    /// Length, number and kind of the steps.
    pub steps: &'a Steps,
}

impl<const A: usize> RowStep<'_, A> {
    /// Takes the step. `USUAL` means that forces are in their usual order.
    #[inline(always)]
    pub fn run<S: WideSimd, const USUAL: bool>(self, simd: S) {
        let zero = Vector::splat(simd, 0.0);
        let Self { row, nodes: [here, below, two_below], forces, .. } = self;
        let (wide, motion) = (forces.wide(simd), NodeUpdate::new(simd, self.steps));
        let count = self.width / S::F64_LANES;
        let here = &mut here.wide_mut::<S, A>().as_chunks_mut::<2>().0[..count + 2];
        let below = &below.wide::<S, A>().as_chunks::<2>().0[..count + 2];
        let two_below = &two_below.wide::<S, A>().as_chunks::<2>().0[..count + 2];
        let fixed = &self.fixed.wide::<S, FIXED>()[row * count..(row + 1) * count];
        let kept = &mut self.kept.wide_mut::<S, A>().as_chunks_mut::<KEPT>().0[..count + 1];
        let mut springs = RowSprings::<S, A> {
            stiffness: self.stiffness.map(|stiffness| Vector::splat(simd, stiffness)),
            two_down: 3 + row % 2,
            along: [zero; A],
            two_along: [zero; A],
            aslant: [zero; A],
        };
        let forces = RowForces { forces, acts: forces.acting(), wide };
        for j in 0..count {
            let around = RowAround {
                this: Vector::wrap(simd, here[j + 1][0]),
                next: Vector::wrap(simd, here[j + 2][0]),
                under: [
                    Vector::wrap(simd, below[j][0]),
                    Vector::wrap(simd, below[j + 1][0]),
                    Vector::wrap(simd, below[j + 2][0]),
                ],
                two_below: Vector::wrap(simd, two_below[j + 1][0]),
            };
            let velocity = Vector::wrap(simd, here[j + 1][1]);
            let fixed = Vector::wrap(simd, fixed[j]);
            let [kept, kept_next] = &mut kept[j..j + 2] else { return };
            let node = NodeAround { around, velocity, fixed, kept, kept_next };
            let f = springs.sum::<USUAL>(simd, &forces, node);
            let pinned = zero.is_below(fixed[PINNED]);
            let node = NodeConstants { mass: fixed[MASS], inverse: fixed[INVERSE], pinned };
            for axis in 0..A {
                let (x, v) = motion.step(&node, f[axis], around.this[axis], velocity[axis]);
                here[j + 1][0][axis] = x.numbers();
                here[j + 1][1][axis] = v.numbers();
            }
        }
    }
}

/// The forces of a row.
struct RowForces<'a, S: WideSimd, const A: usize> {
    forces: &'a NodeForces<A>,
    /// Flags of the acting forces, in their usual order.
    acts: [bool; ADDENDS],
    wide: NodeForceLanes<Vector<S>, A>,
}

/// Some nodes, with all inputs of their sum of forces.
struct NodeAround<'a, S: WideSimd, const A: usize> {
    around: RowAround<S, A>,
    velocity: Axes<S, A>,
    fixed: [Vector<S>; FIXED],
    /// Pulls of the rows above, at these nodes.
    kept: &'a mut [Kept<S, A>; KEPT],
    /// Pulls of the rows above, at the nodes of the next vector.
    kept_next: &'a [Kept<S, A>; KEPT],
}

/// Positions of some nodes, and of the other ends of their springs.
#[derive(Clone, Copy)]
struct RowAround<S: WideSimd, const A: usize> {
    this: Axes<S, A>,
    /// The next vector in the row.
    next: Axes<S, A>,
    /// One row below: the previous vector, the vector below these nodes, and the next vector.
    under: [Axes<S, A>; 3],
    two_below: Axes<S, A>,
}

/// Springs of a row, and the pulls that one vector passes to the next.
struct RowSprings<S: WideSimd, const A: usize> {
    stiffness: [Vector<S>; 6],
    /// Index of the stored pulls by springs to the second next row.
    two_down: usize,
    /// Pulls by springs that start at the previous vector: to the next column, and to the column
    /// after that.
    along: Axes<S, A>,
    two_along: Axes<S, A>,
    /// Pulls by springs down to the right that start at the previous vector of the row above.
    aslant: Axes<S, A>,
}

impl<S: WideSimd, const A: usize> RowSprings<S, A> {
    /// Returns the sum of all forces, and stores the pulls for later nodes and rows. `USUAL` means
    /// that forces are in their usual order.
    #[inline(always)]
    fn sum<const USUAL: bool>(
        &mut self,
        simd: S,
        forces: &RowForces<'_, S, A>,
        mut node: NodeAround<'_, S, A>,
    ) -> Axes<S, A> {
        let RowForces { forces, acts, wide } = forces;
        let NodeAround { velocity, fixed, .. } = node;
        let mut f = [Vector::splat(simd, 0.0); A];
        if USUAL {
            if acts[0] {
                self.add_held(simd, &mut f, &mut node);
            }
            if acts[1] {
                self.add_bending(simd, &mut f, &mut node);
            }
            if acts[2] {
                wide.add_gravity(&mut f, fixed[MASS]);
            }
            if acts[3] {
                wide.add_drag(&mut f, &velocity);
            }
            return f;
        }
        for addend in forces.order.iter().flatten() {
            match addend {
                Addend::Gravity => wide.add_gravity(&mut f, fixed[MASS]),
                Addend::Drag => wide.add_drag(&mut f, &velocity),
                Addend::Springs(Part::Held) => self.add_held(simd, &mut f, &mut node),
                Addend::Springs(Part::Bending) => self.add_bending(simd, &mut f, &mut node),
            }
        }
        f
    }

    /// Pulls of springs of one direction on their first nodes.
    #[inline(always)]
    fn pull(
        &self,
        direction: usize,
        from: Axes<S, A>,
        to: Axes<S, A>,
        fixed: &[Vector<S>; FIXED],
    ) -> Axes<S, A> {
        pull(sub(to, from), self.stiffness[direction], fixed[direction])
    }

    /// Adds the springs to the next column and to the next row.
    #[inline(always)]
    fn add_held(&mut self, simd: S, f: &mut Axes<S, A>, node: &mut NodeAround<'_, S, A>) {
        let NodeAround { around, fixed, kept, kept_next, .. } = node;
        let RowAround { this, next, under: [before_under, under, after_under], .. } = *around;
        let (mut right, mut below_right, mut below_left) = (this, this, this);
        for axis in 0..A {
            right[axis] = this[axis].after(next[axis]);
            below_right[axis] = under[axis].after(after_under[axis]);
            below_left[axis] = under[axis].before(before_under[axis]);
        }
        let along = self.pull(0, this, right, fixed);
        let down = self.pull(1, this, under, fixed);
        let aslant = self.pull(2, this, below_right, fixed);
        let back = self.pull(3, this, below_left, fixed);
        let from_above = Vector::wrap(simd, kept[0]);
        let from_left = Vector::wrap(simd, kept[1]);
        let (from_right, next) = (Vector::wrap(simd, kept[2]), Vector::wrap(simd, kept_next[2]));
        for axis in 0..A {
            let sum = &mut f[axis];
            add(sum, along[axis].before(self.along[axis]), along[axis]);
            add(sum, from_above[axis], down[axis]);
            add(sum, from_left[axis].before(self.aslant[axis]), aslant[axis]);
            add(sum, from_right[axis].after(next[axis]), back[axis]);
        }
        (self.along, self.aslant) = (along, from_left);
        (kept[0], kept[1], kept[2]) =
            (Vector::bare(down), Vector::bare(aslant), Vector::bare(back));
    }

    /// Adds the bending springs, which join each node to the second next one.
    #[inline(always)]
    fn add_bending(&mut self, simd: S, f: &mut Axes<S, A>, node: &mut NodeAround<'_, S, A>) {
        let RowAround { this, next, two_below, .. } = node.around;
        let mut right = this;
        for axis in 0..A {
            right[axis] = this[axis].two_after(next[axis]);
        }
        let along = self.pull(4, this, right, &node.fixed);
        let down = self.pull(5, this, two_below, &node.fixed);
        let kept = &mut node.kept[self.two_down];
        let from_above = Vector::wrap(simd, *kept);
        for axis in 0..A {
            let sum = &mut f[axis];
            add(sum, along[axis].two_before(self.two_along[axis]), along[axis]);
            add(sum, from_above[axis], down[axis]);
        }
        (self.two_along, *kept) = (along, Vector::bare(down));
    }
}

/// Adds the pull of springs that end at nodes, and then of springs that start there.
#[inline(always)]
fn add<V: Lane>(f: &mut V, ending: V, own: V) {
    *f = *f - ending + own;
}

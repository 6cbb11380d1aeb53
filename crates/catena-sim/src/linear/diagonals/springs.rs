//! Contributions of the springs of a direction to a matrix and its right-hand side, in vectors.
//!
//! Contributions are computed at the first node of each spring, then added to both nodes. A node
//! first gets the contribution of the spring that ends at it, and then the contribution of the
//! spring that starts at it. This is the order of the model. Springs without effect, such as
//! springs of length zero, add -0.0, which changes no number.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use super::directions::Direction;
use super::table::{Row, Table, after, at, before, here, squares_mut, vectors_mut};
use crate::force::formula::{spring_block, tension};
use crate::lane::{Lane, LaneMask, Mask, Vector, WideSimd, WideWork, divided, length, sub};
use crate::linear::block_lanes::{positive, times};

/// Derivative of a spring's force along the spring and perpendicular to it.
#[derive(Clone, Copy)]
pub(super) enum Change<'a> {
    /// With respect to position, for Hooke's law.
    Hooke,
    /// With respect to position, for any law with this slope and tension.
    Law { slope: &'a [f64], tension: &'a [f64] },
    /// With respect to velocity, for friction along the spring.
    Along(&'a [f64]),
    /// With respect to velocity, for friction that is equal in all directions, even for a spring of
    /// length 0.
    Alike(&'a [f64]),
}

/// Computes the lengths of springs.
pub(super) struct Lengths<'a, const A: usize> {
    pub(super) offset: usize,
    pub(super) x: &'a Table,
    pub(super) length: &'a mut [f64],
}

impl<const A: usize> WideWork for Lengths<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let [from, to] = ends::<S, A>(self.x, self.offset);
        for (j, length) in vectors_mut::<S>(self.length).iter_mut().enumerate() {
            *length = self::length(sub(at(simd, &to, j), at(simd, &from, j))).numbers();
        }
    }
}

/// Returns rows at the first nodes and at the second nodes of springs.
#[inline(always)]
fn ends<S: WideSimd, const A: usize>(table: &Table, offset: usize) -> [[&[S::f64s]; A]; 2] {
    let rows: [Row<'_>; A] = table.rows();
    [here::<S, A>(&rows), after::<S, A>(&rows, offset)]
}

/// Springs of a direction, and the derivative of their force.
#[derive(Clone, Copy)]
pub(super) struct Springs<'a> {
    pub(super) direction: &'a Direction,
    pub(super) change: Change<'a>,
    /// Whether terms that could make the matrix indefinite are omitted.
    pub(super) is_definite: bool,
}

impl Springs<'_> {
    /// Returns the j-th vector of blocks, and the lanes in which they have no effect.
    #[inline(always)]
    fn blocks<S: WideSimd, const A: usize>(
        self,
        simd: S,
        from: &[&[S::f64s]; A],
        to: &[&[S::f64s]; A],
        j: usize,
    ) -> ([[Vector<S>; A]; A], Mask<S>) {
        let zero = Vector::splat(simd, 0.0);
        let is_missing = Vector::load(simd, &self.direction.acts, j).is_zero();
        let mut k = [[zero; A]; A];
        if let Change::Alike(coefficient) = self.change {
            for p in 0..A {
                k[p][p] = Vector::load(simd, coefficient, j);
            }
            return (k, is_missing);
        }
        let d = sub(at(simd, to, j), at(simd, from, j));
        let length = length(d);
        let (along, across) = self.slopes(simd, length, j);
        (spring_block(divided(d, length), along, across), is_missing | length.is_zero())
    }

    /// Returns the derivatives of the force along springs of these lengths, and perpendicular to
    /// them.
    #[inline(always)]
    fn slopes<S: WideSimd>(self, simd: S, length: Vector<S>, j: usize) -> (Vector<S>, Vector<S>) {
        let read = |numbers: &[f64]| Vector::load(simd, numbers, j);
        let (along, tension) = match self.change {
            Change::Along(coefficient) | Change::Alike(coefficient) => {
                return (read(coefficient), Vector::splat(simd, 0.0));
            }
            Change::Law { slope, tension } => (read(slope), read(tension)),
            Change::Hooke => {
                let stiffness = read(&self.direction.stiffness);
                (stiffness, tension(stiffness, length, read(&self.direction.rest)))
            }
        };
        let across = tension / length;
        if self.is_definite { (positive(along), positive(across)) } else { (along, across) }
    }
}

/// Contribution of motion to the right-hand side, per spring.
pub(super) struct Moved<'a, const A: usize> {
    /// Motion that is multiplied by the blocks.
    pub(super) motion: &'a Table,
    /// Factor of the products.
    pub(super) factor: f64,
    /// Four results per spring: effect of the second node on the first, of the first on itself, of
    /// the first on the second, and of the second on itself.
    pub(super) results: &'a mut Table,
}

/// Computes the blocks of springs, and the contribution of motion to the right-hand side.
pub(super) struct Compute<'a, const A: usize> {
    pub(super) springs: Springs<'a>,
    /// Factor of the blocks in the matrix.
    pub(super) weight: f64,
    pub(super) x: &'a Table,
    pub(super) blocks: &'a mut Table,
    pub(super) moved: Option<Moved<'a, A>>,
}

impl<const A: usize> WideWork for Compute<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { springs, weight, x, blocks, mut moved } = self;
        let offset = springs.direction.offset;
        let [from, to] = ends::<S, A>(x, offset);
        let (zero, none) = (Vector::splat(simd, 0.0), Vector::splat(simd, -0.0));
        let weight = Vector::splat(simd, weight);
        let mut blocks = squares_mut::<S, A, A>(blocks.square_mut(0));
        let mut moved = moved.as_mut().map(|moved| {
            let motion = ends::<S, A>(moved.motion, offset);
            let results = squares_mut::<S, A, 4>(moved.results.groups_mut(0));
            (Vector::splat(simd, moved.factor), motion, results)
        });
        for j in 0..blocks[0][0].len() {
            let (k, acts_not) = springs.blocks::<S, A>(simd, &from, &to, j);
            for (blocks, k) in blocks.iter_mut().zip(&k) {
                for (block, k) in blocks.iter_mut().zip(k) {
                    block[j] = acts_not.select(none, weight * *k).numbers();
                }
            }
            let Some((factor, [first, second], results)) = &mut moved else { continue };
            let (first, second) = (at(simd, first, j), at(simd, second, j));
            for p in 0..A {
                let (by_first, by_second) = (times(&k[p], &first), times(&k[p], &second));
                let all = [by_second, zero - by_first, by_first, zero - by_second];
                for (result, value) in results.iter_mut().zip(all) {
                    result[p][j] = acts_not.select(none, *factor * value).numbers();
                }
            }
        }
    }
}

/// Adds the computed values to the matrix and to the right-hand side.
pub(super) struct Add<'a, const A: usize> {
    pub(super) offset: usize,
    pub(super) blocks: &'a Table,
    pub(super) own: &'a mut Table,
    pub(super) between: &'a mut Table,
    /// Index of these springs in `between`, and whether its blocks are still empty.
    pub(super) slot: (usize, bool),
    /// Contribution of motion, and the right-hand side.
    pub(super) moved: Option<(&'a Table, &'a mut Table)>,
}

impl<const A: usize> WideWork for Add<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { offset, blocks, own, between, slot: (slot, is_new), moved } = self;
        let blocks = blocks.square::<A>(0);
        let own = own.square_mut::<A>(0);
        let between = between.square_mut::<A>(slot);
        let zero = Vector::splat(simd, 0.0);
        for ((blocks, own), between) in blocks.iter().zip(own).zip(between) {
            let rows = here::<S, A>(blocks).into_iter().zip(before::<S, A>(blocks, offset));
            for ((rows, own), between) in rows.zip(own).zip(between) {
                let own = vectors_mut::<S>(own).iter_mut().zip(vectors_mut::<S>(between));
                for ((own, between), (starts, ends)) in own.zip(rows.0.iter().zip(rows.1)) {
                    let (starts, ends) = (Vector::new(simd, *starts), Vector::new(simd, *ends));
                    *own = (Vector::new(simd, *own) + ends + starts).numbers();
                    let before = if is_new { zero } else { Vector::new(simd, *between) };
                    *between = (before - starts).numbers();
                }
            }
        }
        let Some((moved, right)) = moved else { return };
        let [to_first, first, to_second, second] = moved.groups::<A, 4>(0);
        let ends = [before::<S, A>(&to_second, offset), before::<S, A>(&second, offset)];
        let starts = [here::<S, A>(&to_first), here::<S, A>(&first)];
        for (p, right) in right.rows_mut::<A>().into_iter().enumerate() {
            for (j, right) in vectors_mut::<S>(right).iter_mut().enumerate() {
                let mut sum = Vector::new(simd, *right);
                for part in [&ends[0], &ends[1], &starts[0], &starts[1]] {
                    sum += Vector::new(simd, part[p][j]);
                }
                *right = sum.numbers();
            }
        }
    }
}

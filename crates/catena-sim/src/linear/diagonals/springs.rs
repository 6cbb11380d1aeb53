//! What the springs of a direction add to a matrix and to the right side, in vectors.
//!
//! It is computed at the first node of each spring, and added from there: a node gets that of the
//! spring which ends in it and then that of the one which begins in it, which is the order of the
//! model. What does not act, such as a spring of length zero, adds -0.0, which changes no number.

use super::directions::Direction;
use super::table::{Row, Table, after, before, here, squares_mut, vectors, vectors_mut};
use pulp::{Simd, WithSimd};

/// How the force along a spring and across it changes.
#[derive(Clone, Copy)]
pub(super) enum Change<'a> {
    /// A spring of Hooke's law, by position.
    Hooke,
    /// A spring of any law, by position, whose slope and tension are given.
    Law { slope: &'a [f64], tension: &'a [f64] },
    /// Friction along the spring, by velocity.
    Along(&'a [f64]),
    /// Friction alike in all directions, by velocity, also where the spring has no length.
    Alike(&'a [f64]),
}

/// Computes the lengths of springs.
pub(super) struct Lengths<'a, const A: usize> {
    pub(super) offset: usize,
    pub(super) x: &'a Table,
    pub(super) length: &'a mut [f64],
}

impl<const A: usize> WithSimd for Lengths<'_, A> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let [from, to] = ends::<S, A>(self.x, self.offset);
        for (j, length) in vectors_mut::<S>(self.length).iter_mut().enumerate() {
            (_, *length) = span(simd, &from, &to, j);
        }
    }
}

/// Some rows at the first nodes of springs and at their second nodes.
#[inline(always)]
fn ends<S: Simd, const A: usize>(table: &Table, offset: usize) -> [[&[S::f64s]; A]; 2] {
    let rows: [Row<'_>; A] = table.rows();
    [here::<S, A>(&rows), after::<S, A>(&rows, offset)]
}

/// From the first nodes of springs to their second nodes, and how far that is.
#[inline(always)]
fn span<S: Simd, const A: usize>(
    simd: S,
    from: &[&[S::f64s]; A],
    to: &[&[S::f64s]; A],
    j: usize,
) -> ([S::f64s; A], S::f64s) {
    let mut d = [simd.splat_f64s(0.0); A];
    let mut square = simd.splat_f64s(0.0);
    for p in 0..A {
        d[p] = simd.sub_f64s(to[p][j], from[p][j]);
        square = simd.add_f64s(square, simd.mul_f64s(d[p], d[p]));
    }
    (d, simd.sqrt_f64s(square))
}

/// The springs of a direction and how their force changes.
#[derive(Clone, Copy)]
pub(super) struct Springs<'a> {
    pub(super) direction: &'a Direction,
    pub(super) change: Change<'a>,
    /// Whether what would make a matrix indefinite is left out.
    pub(super) is_definite: bool,
}

impl Springs<'_> {
    /// The j-th vector of blocks, with the lanes in which they do not act.
    #[inline(always)]
    fn blocks<S: Simd, const A: usize>(
        self,
        simd: S,
        from: &[&[S::f64s]; A],
        to: &[&[S::f64s]; A],
        j: usize,
    ) -> ([[S::f64s; A]; A], S::m64s) {
        let zero = simd.splat_f64s(0.0);
        let is_missing = simd.equal_f64s(vectors::<S>(&self.direction.acts)[j], zero);
        let mut k = [[zero; A]; A];
        if let Change::Alike(coefficient) = self.change {
            for (p, row) in k.iter_mut().enumerate() {
                row[p] = vectors::<S>(coefficient)[j];
            }
            return (k, is_missing);
        }
        let (d, length) = span(simd, from, to, j);
        let mut u = d;
        for u in &mut u {
            *u = simd.div_f64s(*u, length);
        }
        let (along, across) = self.slopes(simd, length, j);
        let difference = simd.sub_f64s(along, across);
        for p in 0..A {
            for q in 0..A {
                let here = if p == q { across } else { zero };
                let share = simd.mul_f64s(simd.mul_f64s(difference, u[p]), u[q]);
                k[p][q] = simd.add_f64s(here, share);
            }
        }
        (k, simd.or_m64s(is_missing, simd.equal_f64s(length, zero)))
    }

    /// How much the force changes along springs of these lengths, and across them.
    #[inline(always)]
    fn slopes<S: Simd>(self, simd: S, length: S::f64s, j: usize) -> (S::f64s, S::f64s) {
        let zero = simd.splat_f64s(0.0);
        let (along, tension) = match self.change {
            Change::Along(coefficient) | Change::Alike(coefficient) => {
                return (vectors::<S>(coefficient)[j], zero);
            }
            Change::Law { slope, tension } => (vectors::<S>(slope)[j], vectors::<S>(tension)[j]),
            Change::Hooke => {
                let stiffness = vectors::<S>(&self.direction.stiffness)[j];
                let stretch = simd.sub_f64s(length, vectors::<S>(&self.direction.rest)[j]);
                (stiffness, simd.mul_f64s(stiffness, stretch))
            }
        };
        let across = simd.div_f64s(tension, length);
        if !self.is_definite {
            return (along, across);
        }
        (positive(simd, along), positive(simd, across))
    }
}

/// The number, or 0 where it is below that or NaN.
#[inline(always)]
fn positive<S: Simd>(simd: S, value: S::f64s) -> S::f64s {
    let zero = simd.splat_f64s(0.0);
    simd.select_f64s(simd.less_than_f64s(zero, value), value, zero)
}

/// What motion adds to the right side, by spring.
pub(super) struct Moved<'a, const A: usize> {
    /// The motion by which blocks are multiplied.
    pub(super) motion: &'a Table,
    /// The factor of that.
    pub(super) factor: f64,
    /// Where the results go: what the second node does to the first, the first to itself, the
    /// first to the second, and the second to itself.
    pub(super) results: &'a mut Table,
}

/// Computes the blocks of springs, and what motion adds to the right side.
pub(super) struct Compute<'a, const A: usize> {
    pub(super) springs: Springs<'a>,
    /// The factor of the blocks in the matrix.
    pub(super) weight: f64,
    pub(super) x: &'a Table,
    pub(super) blocks: &'a mut Table,
    pub(super) moved: Option<Moved<'a, A>>,
}

impl<const A: usize> WithSimd for Compute<'_, A> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { springs, weight, x, blocks, mut moved } = self;
        let offset = springs.direction.offset;
        let [from, to] = ends::<S, A>(x, offset);
        let (zero, none) = (simd.splat_f64s(0.0), simd.splat_f64s(-0.0));
        let weight = simd.splat_f64s(weight);
        let mut blocks = squares_mut::<S, A, A>(blocks.square_mut(0));
        let mut moved = moved.as_mut().map(|moved| {
            let motion = ends::<S, A>(moved.motion, offset);
            let results = squares_mut::<S, A, 4>(moved.results.groups_mut(0));
            (simd.splat_f64s(moved.factor), motion, results)
        });
        for j in 0..blocks[0][0].len() {
            let (k, acts_not) = springs.blocks::<S, A>(simd, &from, &to, j);
            for (blocks, k) in blocks.iter_mut().zip(&k) {
                for (block, k) in blocks.iter_mut().zip(k) {
                    block[j] = simd.select_f64s(acts_not, none, simd.mul_f64s(weight, *k));
                }
            }
            let Some((factor, [first, second], results)) = &mut moved else { continue };
            for p in 0..A {
                let by_first = times(simd, &k[p], first, j);
                let by_second = times(simd, &k[p], second, j);
                let minus_first = simd.sub_f64s(zero, by_first);
                let minus_second = simd.sub_f64s(zero, by_second);
                let all = [by_second, minus_first, by_first, minus_second];
                for (result, value) in results.iter_mut().zip(all) {
                    let value = simd.mul_f64s(*factor, value);
                    result[p][j] = simd.select_f64s(acts_not, none, value);
                }
            }
        }
    }
}

/// A row of a block times the motion of a node.
#[inline(always)]
fn times<S: Simd, const A: usize>(
    simd: S,
    row: &[S::f64s; A],
    motion: &[&[S::f64s]; A],
    j: usize,
) -> S::f64s {
    let mut sum = simd.splat_f64s(0.0);
    for (k, motion) in row.iter().zip(motion) {
        sum = simd.add_f64s(sum, simd.mul_f64s(*k, motion[j]));
    }
    sum
}

/// Adds what was computed to the matrix and to the right side.
pub(super) struct Add<'a, const A: usize> {
    pub(super) offset: usize,
    pub(super) blocks: &'a Table,
    pub(super) own: &'a mut Table,
    pub(super) between: &'a mut Table,
    /// The place of these springs in `between`, and whether nothing is there yet.
    pub(super) slot: (usize, bool),
    /// What motion adds, and the right side.
    pub(super) moved: Option<(&'a Table, &'a mut Table)>,
}

impl<const A: usize> WithSimd for Add<'_, A> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { offset, blocks, own, between, slot: (slot, is_new), moved } = self;
        let blocks = blocks.square::<A>(0);
        let own = own.square_mut::<A>(0);
        let between = between.square_mut::<A>(slot);
        let zero = simd.splat_f64s(0.0);
        for ((blocks, own), between) in blocks.iter().zip(own).zip(between) {
            let rows = here::<S, A>(blocks).into_iter().zip(before::<S, A>(blocks, offset));
            for ((rows, own), between) in rows.zip(own).zip(between) {
                let own = vectors_mut::<S>(own).iter_mut().zip(vectors_mut::<S>(between));
                for ((own, between), (begins, ends)) in own.zip(rows.0.iter().zip(rows.1)) {
                    *own = simd.add_f64s(simd.add_f64s(*own, *ends), *begins);
                    *between = simd.sub_f64s(if is_new { zero } else { *between }, *begins);
                }
            }
        }
        let Some((moved, right)) = moved else { return };
        let [to_first, first, to_second, second] = moved.groups::<A, 4>(0);
        let ends = [before::<S, A>(&to_second, offset), before::<S, A>(&second, offset)];
        let begins = [here::<S, A>(&to_first), here::<S, A>(&first)];
        for (p, right) in right.rows_mut::<A>().into_iter().enumerate() {
            for (j, right) in vectors_mut::<S>(right).iter_mut().enumerate() {
                for part in [&ends[0], &ends[1], &begins[0], &begins[1]] {
                    *right = simd.add_f64s(*right, part[p][j]);
                }
            }
        }
    }
}

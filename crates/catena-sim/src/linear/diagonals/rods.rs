//! Rods in matrices by diagonals: bending couples a node to two nodes on each side.
//!
//! Second derivatives of the energy are computed at the middle node of each joint, then added in
//! the order of the joints. The two blocks between a pair of nodes differ by rounding, so both are
//! stored. The matrix is solved as a band.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use super::table::{
    Table, TableShape, after, all_mut, at, before, here, put, squares_mut, vectors_mut,
};
use crate::body::Body;
use crate::force::rod::{Bend, Rods, WideHessian, hessian};
use crate::instructions::Instructions;
use crate::lane::{Lane, LaneMask, Vector, WideSimd, WideWork, dot, length, scaled, sub};
use crate::linear::Matrix;
use crate::linear::band::Band;

/// Reach of a matrix with rods.
pub(super) const REACH: usize = 2;

/// Maximum index distance of two unknowns that depend on each other, in space.
const WIDTH: usize = 8;

/// Blocks of rods, and the band matrix that solves them.
pub(super) struct RodBlocks<const A: usize> {
    /// Directions of edges and reciprocals of their lengths, at their first nodes.
    directions: Table,
    inverses: Table,
    bend: Vec<f64>,
    rest: Vec<f64>,
    /// Second derivatives of the energy of a joint: with respect to the edge before the middle node
    /// twice, both edges, and the edge after it twice.
    second: [Table; 3],
    /// Contributions of motion to the nodes before, at and after the middle, each by the motion of
    /// these three nodes.
    moved: [Table; 3],
    /// Blocks between a node and the next one, stored at the first node, for both orders of the
    /// nodes.
    near: [Table; 2],
    /// Blocks between a node and the second next one, stored like `near`.
    far: [Table; 2],
    band: Band<WIDTH>,
}

/// Rods of a body at a time.
#[derive(Clone, Copy)]
pub(super) struct MovingRods<'a> {
    pub(super) rods: &'a Rods,
    pub(super) body: Body<'a>,
    pub(super) t: f64,
    /// Whether terms that could make the matrix indefinite are omitted.
    pub(super) is_definite: bool,
}

/// Motion and the right-hand side that it contributes to.
pub(super) struct Right<'a> {
    pub(super) displacement: &'a Table,
    pub(super) factor: f64,
    pub(super) right: &'a mut Table,
}

impl<const A: usize> RodBlocks<A> {
    pub(super) fn new(nodes: usize, shape: TableShape) -> Self {
        let square = || Table::new(A * A, shape, 0.0);
        let moved = || Table::new(3 * A, shape, -0.0);
        Self {
            directions: Table::new(A, shape, 0.0),
            inverses: Table::new(1, shape, 0.0),
            bend: vec![0.0; shape.width],
            rest: vec![0.0; shape.width],
            second: [square(), square(), square()],
            moved: [moved(), moved(), moved()],
            near: [square(), square()],
            far: [square(), square()],
            band: Band::new(A, (0..nodes).collect()),
        }
    }

    /// Sets the blocks between nodes to the blocks of other forces. `near` and `far` are indices of
    /// squares in `between`; `None` if no spring has such blocks.
    pub(super) fn start(&mut self, between: &Table, near: usize, far: Option<usize>) {
        for table in &mut self.near {
            table.copy(between, near * A * A, A * A);
        }
        for table in &mut self.far {
            match far {
                Some(far) => table.copy(between, far * A * A, A * A),
                None => table.clear(),
            }
        }
    }

    /// Adds rods at positions `x`, with the weight of the stiffness. `own` contains the diagonal
    /// blocks.
    pub(super) fn add(
        &mut self,
        set: Instructions,
        MovingRods { rods, body, t, is_definite }: MovingRods<'_>,
        weight: f64,
        x: &Table,
        own: &mut Table,
        right: Option<Right<'_>>,
    ) {
        let Self { directions, inverses, bend, rest, second, moved, near, far, .. } = self;
        set.run_with(Directions::<A> { x, directions, inverses });
        bend.fill(0.0);
        rest.fill(0.0);
        rods.each_chain(&body, t, is_definite, &mut |chain| {
            let nodes = chain.first..chain.first + chain.bend.len();
            bend[nodes.clone()].copy_from_slice(chain.bend);
            rest[nodes.clone()].copy_from_slice(chain.rest);
            for (end, place) in chain.ends.into_iter().zip([nodes.start, nodes.end]) {
                let Some(tangent) = end else { continue };
                inverses.set_before(0, place, 0.0);
                for (row, value) in tangent.iter().take(A).enumerate() {
                    directions.set_before(row, place, *value);
                }
            }
        });
        let motion = right.as_ref().map(|right| (right.displacement, right.factor, &mut *moved));
        set.run_with(Derive::<A> {
            directions,
            inverses,
            bend,
            rest,
            is_definite,
            second,
            moved: motion,
        });
        let right = right.map(|right| (&*moved, right.right));
        set.run_with(Add::<A> { second, weight, own, near, far, right });
    }

    /// Sets the blocks between pinned nodes and all other nodes to 0.
    pub(super) fn hold(&mut self, pinned: &[bool]) {
        for (distance, tables) in [(1, &mut self.near), (2, &mut self.far)] {
            for table in tables {
                for row in table.square_mut::<A>(0).into_iter().flatten() {
                    for i in (0..pinned.len()).filter(|i| pinned[*i]) {
                        row[i] = 0.0;
                        if let Some(first) = i.checked_sub(distance) {
                            row[first] = 0.0;
                        }
                    }
                }
            }
        }
    }

    /// Fills the band and factors it. Returns `false` if it cannot be solved.
    pub(super) fn prepare(&mut self, own: &Table, nodes: usize) -> bool {
        let Self { near, far, band, .. } = self;
        // Margins and blocks beyond the last node are 0.
        let all = [
            numbers_of::<A>(&far[1], 2, nodes),
            numbers_of::<A>(&near[1], 1, nodes),
            numbers_of::<A>(own, 0, nodes),
            numbers_of::<A>(&near[0], 0, nodes),
            numbers_of::<A>(&far[0], 0, nodes),
        ];
        for i in 0..nodes {
            let mut blocks = [[[0.0; A]; A]; 5];
            for (block, rows) in blocks.iter_mut().zip(&all) {
                for (block, rows) in block.iter_mut().zip(rows) {
                    for (value, row) in block.iter_mut().zip(rows) {
                        *value = row[i];
                    }
                }
            }
            band.set_rows(i, &blocks);
        }
        band.prepare()
    }

    pub(super) fn solve(&mut self, rhs: &[f64], y: &mut [f64]) -> bool {
        self.band.solve(rhs, y, u64::MAX)
    }

    pub(super) fn operations(&self) -> u64 {
        self.band.operations()
    }
}

/// Returns the values of each row in the first square of a table, from `back` nodes before the
/// first node.
fn numbers_of<const A: usize>(table: &Table, back: usize, nodes: usize) -> [[&[f64]; A]; A] {
    table.square::<A>(0).map(|rows| rows.map(|row| row.numbers(back, nodes)))
}

/// Computes directions and reciprocal lengths between successive nodes.
struct Directions<'a, const A: usize> {
    x: &'a Table,
    directions: &'a mut Table,
    inverses: &'a mut Table,
}

impl<const A: usize> WideWork for Directions<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let rows = self.x.rows::<A>();
        let (from, to) = (here::<S, A>(&rows), after::<S, A>(&rows, 1));
        let mut directions = all_mut::<S, A>(self.directions.rows_mut());
        let [inverses] = all_mut::<S, 1>(self.inverses.rows_mut());
        for j in 0..inverses.len() {
            let d = sub(at(simd, &to, j), at(simd, &from, j));
            let inverse = Vector::splat(simd, 1.0) / length(d);
            put(&mut directions, j, &scaled(d, inverse));
            inverses[j] = inverse.numbers();
        }
    }
}

/// Computes the second derivatives of joints at their middle nodes, and the contribution of motion.
struct Derive<'a, const A: usize> {
    directions: &'a Table,
    inverses: &'a Table,
    bend: &'a [f64],
    rest: &'a [f64],
    is_definite: bool,
    second: &'a mut [Table; 3],
    /// Motion, the factor of its contribution, and the output of the contribution.
    moved: Option<(&'a Table, f64, &'a mut [Table; 3])>,
}

/// Rows that [`Derive`] reads.
struct EdgeRows<'a, S: WideSimd, const A: usize> {
    directions: [[&'a [S::f64s]; A]; 2],
    inverses: [&'a [S::f64s]; 2],
    bend: &'a [f64],
    rest: &'a [f64],
}

impl<S: WideSimd, const A: usize> EdgeRows<'_, S, A> {
    /// Returns the j-th vector of joints.
    #[inline(always)]
    fn bend(&self, simd: S, j: usize) -> Bend<Vector<S>> {
        let mut t = [[Vector::splat(simd, 0.0); 3]; 2];
        for side in 0..2 {
            for axis in 0..A {
                t[side][axis] = Vector::new(simd, self.directions[side][axis][j]);
            }
        }
        Bend {
            stiffness: Vector::load(simd, self.bend, j),
            rest: Vector::load(simd, self.rest, j),
            t,
            inverse: [
                Vector::new(simd, self.inverses[0][j]),
                Vector::new(simd, self.inverses[1][j]),
            ],
        }
    }
}

/// Returns the negated second derivatives with respect to the nodes before, at and after the
/// middle.
#[inline(always)]
fn by_nodes<S: WideSimd, const A: usize>(
    simd: S,
    [ee, ef, ff]: &[[[Vector<S>; A]; A]; 3],
) -> [[[[Vector<S>; A]; A]; 3]; 3] {
    let mut all = [[[[Vector::splat(simd, 0.0); A]; A]; 3]; 3];
    for p in 0..A {
        for q in 0..A {
            let (ee, ef, fe, ff) = (ee[p][q], ef[p][q], ef[q][p], ff[p][q]);
            let rows =
                [[-ee, ee - ef, ef], [ee - fe, -ee + ef + fe - ff, ff - ef], [fe, ff - fe, -ff]];
            for i in 0..3 {
                for j in 0..3 {
                    all[i][j][p][q] = rows[i][j];
                }
            }
        }
    }
    all
}

impl<const A: usize> WideWork for Derive<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { directions, inverses, bend, rest, is_definite, second, moved } = self;
        let (zero, none) = (Vector::splat(simd, 0.0), Vector::splat(simd, -0.0));
        let (rows, [inverses]) = (directions.rows::<A>(), inverses.rows::<1>());
        let edges = EdgeRows::<S, A> {
            directions: [before::<S, A>(&rows, 1), here::<S, A>(&rows)],
            inverses: [inverses.before::<S>(1), inverses.here::<S>()],
            bend,
            rest,
        };
        let [ee, ef, ff] = second;
        let second = [
            squares_mut::<S, A, A>(ee.square_mut(0)),
            squares_mut::<S, A, A>(ef.square_mut(0)),
            squares_mut::<S, A, A>(ff.square_mut(0)),
        ];
        let mut moved = moved.map(|(displacement, factor, results)| {
            let (rows, [a, b, c]) = (displacement.rows::<A>(), results);
            let displacements =
                [before::<S, A>(&rows, 1), here::<S, A>(&rows), after::<S, A>(&rows, 1)];
            let results = [
                squares_mut::<S, A, 3>(a.groups_mut(0)),
                squares_mut::<S, A, 3>(b.groups_mut(0)),
                squares_mut::<S, A, 3>(c.groups_mut(0)),
            ];
            (displacements, Vector::splat(simd, factor), results)
        });
        for j in 0..bend.len() / S::F64_LANES {
            let bend = edges.bend(simd, j);
            let is_none = bend.stiffness.is_zero();
            let WideHessian { ee, ef, ff } = hessian::<_, A>(&bend, is_definite);
            let wide = [ee, ef, ff];
            let mut blocks = [[[zero; A]; A]; 3];
            for k in 0..3 {
                for p in 0..A {
                    for q in 0..A {
                        blocks[k][p][q] = is_none.select(zero, wide[k][p][q]);
                        second[k][p][q][j] = blocks[k][p][q].numbers();
                    }
                }
            }
            let Some((displacements, factor, results)) = &mut moved else { continue };
            let displacements = [
                at(simd, &displacements[0], j),
                at(simd, &displacements[1], j),
                at(simd, &displacements[2], j),
            ];
            let blocks = by_nodes(simd, &blocks);
            for to in 0..3 {
                for from in 0..3 {
                    for p in 0..A {
                        let moved = *factor * dot(blocks[to][from][p], displacements[from]);
                        results[to][from][p][j] = is_none.select(none, moved).numbers();
                    }
                }
            }
        }
    }
}

/// Adds the computed values to the matrix and to the right-hand side.
struct Add<'a, const A: usize> {
    second: &'a [Table; 3],
    weight: f64,
    own: &'a mut Table,
    near: &'a mut [Table; 2],
    far: &'a mut [Table; 2],
    right: Option<(&'a [Table; 3], &'a mut Table)>,
}

impl<const A: usize> Add<'_, A> {
    /// Adds to the entries in row p and column q of all blocks.
    #[inline(always)]
    fn add<S: WideSimd>(&mut self, simd: S, p: usize, q: usize) {
        let weight = Vector::splat(simd, self.weight);
        let row = |k: usize, p: usize, q: usize| self.second[k].square::<A>(0)[p][q];
        let [ee, ef, fe, ff] = [row(0, p, q), row(1, p, q), row(1, q, p), row(2, p, q)];
        let read = |row: &[S::f64s], j: usize| Vector::new(simd, row[j]);
        let here = [ee.here::<S>(), ef.here::<S>(), fe.here::<S>(), ff.here::<S>()];
        let next = [ee.after::<S>(1), ef.after::<S>(1), fe.after::<S>(1)];
        let last = ff.before::<S>(1);
        let own = &mut *self.own.square_mut::<A>(0)[p][q];
        let own = vectors_mut::<S>(own);
        let [near, back] = &mut *self.near;
        let near = vectors_mut::<S>(near.square_mut::<A>(0)[p][q]);
        let back = vectors_mut::<S>(back.square_mut::<A>(0)[p][q]);
        let [far, far_back] = &mut *self.far;
        let far = vectors_mut::<S>(far.square_mut::<A>(0)[p][q]);
        let far_back = vectors_mut::<S>(far_back.square_mut::<A>(0)[p][q]);
        for j in 0..own.len() {
            let [ee, ef, fe, ff] =
                [read(here[0], j), read(here[1], j), read(here[2], j), read(here[3], j)];
            let [next_ee, next_ef, next_fe] =
                [read(next[0], j), read(next[1], j), read(next[2], j)];
            let sum = read(own, j) + weight * read(last, j);
            let sum = sum - weight * (-ee + ef + fe - ff);
            own[j] = (sum + weight * next_ee).numbers();
            let sum = read(near, j) - weight * (ff - ef);
            near[j] = (sum - weight * (next_ee - next_ef)).numbers();
            let sum = read(back, j) - weight * (ff - fe);
            back[j] = (sum - weight * (next_ee - next_fe)).numbers();
            far[j] = (read(far, j) - weight * next_ef).numbers();
            far_back[j] = (read(far_back, j) - weight * next_fe).numbers();
        }
    }
}

impl<const A: usize> WideWork for Add<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(mut self, simd: S) {
        for p in 0..A {
            for q in 0..A {
                self.add(simd, p, q);
            }
        }
        let Some((moved, right)) = self.right else { return };
        let [before_it, middle, after_it] =
            [moved[0].groups::<A, 3>(0), moved[1].groups::<A, 3>(0), moved[2].groups::<A, 3>(0)];
        for (p, right) in right.rows_mut::<A>().into_iter().enumerate() {
            let right = vectors_mut::<S>(right);
            for j in 0..right.len() {
                let mut sum = Vector::new(simd, right[j]);
                for from in 0..3 {
                    sum += Vector::new(simd, after_it[from][p].before::<S>(1)[j]);
                }
                for from in 0..3 {
                    sum += Vector::new(simd, middle[from][p].here::<S>()[j]);
                }
                for from in 0..3 {
                    sum += Vector::new(simd, before_it[from][p].after::<S>(1)[j]);
                }
                right[j] = sum.numbers();
            }
        }
    }
}

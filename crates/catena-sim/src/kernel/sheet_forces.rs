//! Euler's methods on a cloth of Hooke's springs.
//!
//! The springs of a cloth are ordered by direction, and within a direction by their first nodes.
//! For each direction, a node first gets the pull of the spring that ends at it, then the pull of
//! the spring that starts at it. This module sums pulls in this order, row by row. The pulls of
//! springs on the next one or two rows are stored until these rows are processed. Positions of rows
//! above are not needed, so nodes move as soon as their sum is complete.
//!
//! A row can take the next step as soon as the two rows below it have taken the current one.
//! Several steps follow each other, two rows apart, so that one sweep through memory takes all of
//! them. Only the rows between the first step and the last are copied. The copies have margins at
//! their ends, so that no spring needs to check whether its second node exists. The pull of a
//! missing spring is zero, which changes no sum.

use super::{
    node_forces::NodeForces,
    sheet_row::{Cells, FIXED, INVERSE, MASS, PINNED, RowStep},
    steps::{StartAndEnd, Steps},
};
use crate::body::{Arrangement, Model};
use crate::instructions::Instructions;
use crate::lane::{WIDTH, WideSimd, WideWork};
use std::ops::Range;

/// Number of consecutive steps in a sweep.
const STEPS: usize = 4;

/// Number of rows between steps, equal to the reach of springs.
const LAG: usize = 2;

/// Number of rows from the last step's row to the farthest row that the first step reads.
const RING: usize = LAG * (STEPS - 1) + LAG + 1;

/// Offset from the first node of a spring to its second.
struct Direction {
    down: usize,
    across: isize,
}

/// Directions in the order of the springs; the last two are bending springs.
const DIRECTIONS: [Direction; 6] = [
    Direction { down: 0, across: 1 },
    Direction { down: 1, across: 0 },
    Direction { down: 1, across: 1 },
    Direction { down: 1, across: -1 },
    Direction { down: 0, across: 2 },
    Direction { down: 2, across: 0 },
];

/// Number of directions of held springs.
const HELD: usize = 4;

impl Direction {
    /// Returns the column of the second node of the spring that starts at a node; `None` if no
    /// spring starts there.
    fn end(&self, rows: usize, columns: usize, row: usize, column: usize) -> Option<usize> {
        let end = column.checked_add_signed(self.across)?;
        (row + self.down < rows && end < columns).then_some(end)
    }
}

/// Constants of a cloth, and the workspace of the kernel. Holds no state between bursts.
#[derive(Debug)]
pub struct Sheet<const A: usize> {
    rows: usize,
    columns: usize,
    /// Number of columns, rounded up to full vectors.
    width: usize,
    stiffness: [f64; 6],
    /// Constants of all nodes, row by row.
    fixed: Cells,
    /// Positions and velocities of the rows within the sweep.
    ring: [Cells; RING],
    /// Pulls of the last rows of each step.
    kept: [Cells; STEPS],
}

impl<const A: usize> Sheet<A> {
    /// Creates the kernel. Returns `None` if the springs do not form a cloth, or differ in
    /// stiffness within a direction.
    pub fn new(model: &Model) -> Option<Self> {
        let Arrangement::Sheet { rows, columns } = model.arrangement else { return None };
        let width = columns.next_multiple_of(WIDTH);
        let mut table =
            NodeTable { rows, columns, width, numbers: vec![-1.0; FIXED * rows * width] };
        table.read_nodes(model);
        let stiffness = table.read_springs(model)?;
        let mut fixed = Cells::new(rows * width, FIXED);
        Instructions::best().run_with(Interleave { table: &table, cells: &mut fixed });
        Some(Self {
            rows,
            columns,
            width,
            stiffness,
            fixed,
            ring: std::array::from_fn(|_| Cells::nodes::<A>(width)),
            kept: std::array::from_fn(|_| Cells::kept::<A>(width)),
        })
    }

    /// Takes all steps.
    pub fn run(&mut self, ends: &mut StartAndEnd<'_>, forces: &NodeForces<A>, steps: &Steps) {
        let mut left = steps.count;
        while left > 0 {
            let count = left.min(STEPS as u64);
            self.kept.iter_mut().for_each(Cells::clear);
            let (sheet, taken) = (&mut *self, count as usize);
            if forces.is_usual() {
                let sweep = ClothSweep::<A, true> { sheet, ends, forces, steps, count: taken };
                Instructions::best().run_with(sweep);
            } else {
                let sweep = ClothSweep::<A, false> { sheet, ends, forces, steps, count: taken };
                Instructions::best().run_with(sweep);
            }
            ends.start = None;
            left -= count;
        }
    }

    /// The range of a row in the flat vectors of a state.
    fn range(&self, row: usize, axis: usize) -> Range<usize> {
        let start = (axis * self.rows + row) * self.columns;
        start..start + self.columns
    }
}

/// Constants of a cloth, by kind.
struct NodeTable {
    rows: usize,
    columns: usize,
    width: usize,
    numbers: Vec<f64>,
}

impl NodeTable {
    /// The constants of one kind in a row.
    fn row(&mut self, kind: usize, row: usize) -> &mut [f64] {
        &mut self.numbers[(kind * self.rows + row) * self.width..][..self.width]
    }

    fn read_nodes(&mut self, model: &Model) {
        for row in 0..self.rows {
            for kind in [MASS, INVERSE, PINNED] {
                self.row(kind, row).fill(1.0);
            }
            for column in 0..self.columns {
                let node = row * self.columns + column;
                self.row(MASS, row)[column] = model.mass[node];
                self.row(INVERSE, row)[column] = 1.0 / model.mass[node];
                self.row(PINNED, row)[column] = f64::from(model.pinned[node]);
            }
        }
    }

    /// Reads rest lengths, and returns the stiffness of each direction. Returns `None` if the
    /// springs do not form a cloth in the order of a cloth.
    fn read_springs(&mut self, model: &Model) -> Option<[f64; 6]> {
        let mut springs = model.springs.iter();
        let mut all = [0.0; 6];
        for (index, direction) in DIRECTIONS.iter().enumerate() {
            if index == HELD && springs.len() != model.springs.len() - model.held {
                return None;
            }
            let mut stiffness = None;
            for a in 0..self.rows * self.columns {
                let (row, column) = (a / self.columns, a % self.columns);
                let Some(end) = direction.end(self.rows, self.columns, row, column) else {
                    continue;
                };
                let b = (row + direction.down) * self.columns + end;
                let spring = springs.next().filter(|spring| spring.a == a && spring.b == b)?;
                let is_alike = spring.stiffness == *stiffness.get_or_insert(spring.stiffness);
                let is_length = spring.rest_length >= 0.0;
                if !is_alike || !is_length {
                    return None;
                }
                self.row(index, row)[column] = spring.rest_length;
            }
            all[index] = stiffness.unwrap_or(0.0);
        }
        springs.next().is_none().then_some(all)
    }
}

/// Moves all constants of a node next to each other.
struct Interleave<'a> {
    table: &'a NodeTable,
    cells: &'a mut Cells,
}

impl WideWork for Interleave<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, _simd: S) {
        let kinds = self.table.numbers.chunks_exact(self.table.rows * self.table.width);
        for (kind, numbers) in kinds.enumerate() {
            let cells = self.cells.wide_mut::<S, FIXED>().iter_mut();
            for (cell, vector) in cells.zip(S::as_simd_f64s(numbers).0) {
                cell[kind] = *vector;
            }
        }
    }
}

/// Consecutive steps. `USUAL` means that forces are in their usual order.
struct ClothSweep<'a, 'b, const A: usize, const USUAL: bool> {
    sheet: &'a mut Sheet<A>,
    ends: &'a mut StartAndEnd<'b>,
    forces: &'a NodeForces<A>,
    steps: &'a Steps,
    /// Number of consecutive steps.
    count: usize,
}

impl<const A: usize, const USUAL: bool> WideWork for ClothSweep<'_, '_, A, USUAL> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(mut self, simd: S) {
        let lag = LAG * (self.count - 1);
        let mut fetched = 0;
        for first in 0..self.sheet.rows + lag {
            let reach = self.sheet.rows.min(first + LAG + 1);
            for row in fetched..reach {
                self.fetch::<S>(row);
            }
            fetched = reach;
            self.advance(simd, first);
            if let Some(done) = first.checked_sub(lag) {
                self.put_back::<S>(done);
            }
        }
    }
}

impl<const A: usize, const USUAL: bool> ClothSweep<'_, '_, A, USUAL> {
    /// Advances every step by one row.
    #[inline(always)]
    fn advance<S: WideSimd>(&mut self, simd: S, first: usize) {
        let Self { sheet, forces, steps, .. } = self;
        for step in 0..self.count {
            let Some(row) = first.checked_sub(LAG * step) else { break };
            let slots = [0, 1, 2].map(|down| (row + down) % RING);
            if row < sheet.rows
                && let Ok(nodes) = sheet.ring.get_disjoint_mut(slots)
            {
                let (width, stiffness) = (sheet.width, &sheet.stiffness);
                let (fixed, kept) = (&sheet.fixed, &mut sheet.kept[step]);
                let step = RowStep { row, width, nodes, fixed, kept, stiffness, forces, steps };
                step.run::<S, USUAL>(simd);
            }
        }
    }

    /// Copies a row into the ring.
    #[inline(always)]
    fn fetch<S: WideSimd>(&mut self, row: usize) {
        for axis in 0..A {
            let range = self.sheet.range(row, axis);
            let cells = &mut self.sheet.ring[row % RING];
            let from = self.ends.from();
            cells.fetch::<S, A>(0, axis, &from.x[range.clone()]);
            cells.fetch::<S, A>(1, axis, &from.v[range]);
        }
    }

    /// Copies a row from the ring.
    #[inline(always)]
    fn put_back<S: WideSimd>(&mut self, row: usize) {
        for axis in 0..A {
            let range = self.sheet.range(row, axis);
            let cells = &self.sheet.ring[row % RING];
            cells.put_back::<S, A>(0, axis, &mut self.ends.end.x[range.clone()]);
            cells.put_back::<S, A>(1, axis, &mut self.ends.end.v[range]);
        }
    }
}

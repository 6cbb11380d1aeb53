//! Euler's methods on a cloth whose springs follow Hooke's law.
//!
//! The springs of a cloth stand by direction, and within one direction in the order of their first nodes. So a node
//! gets from each direction first the spring that ends in it, then the one that begins in it, and the directions one
//! after the other. That is how it is summed here, a row of nodes at a time: for each direction the pulls of all springs that begin
//! in the row, then the sum. The pulls of the one or two rows before are kept, for the springs that end in this row;
//! positions of rows before are not needed, so a row moves as soon as its sum is done.
//!
//! A row can take the next step as soon as the two rows below it have taken this one. Some steps run behind each other, two rows
//! apart, so that one sweep through memory takes all of them.
//!
//! Positions and velocities are copied to rows with room at their ends, so that no spring needs to ask whether its second
//! node is there; springs that do not exist pull with zero, which changes no sum.

use super::{
    euler::Stepping,
    instructions::Instructions,
    lanes::{WIDTH, Wide, WideWork},
    node_forces::{Addend, NodeForces, WideMotion, WideNode, pull},
};
use crate::sim::{Arrangement, Model, Spring, State, force::Part};
use std::ops::Range;

/// Steps that run behind each other.
const STEPS: usize = 4;

/// How many rows a step is behind the one before it.
const LAG: usize = 2;

/// Room before the first row and behind each.
const MARGIN: usize = WIDTH;

/// From the first node of a spring to its second.
struct Direction {
    down: usize,
    across: isize,
}

/// In the order of the springs; the last two are bending springs.
const DIRECTIONS: [Direction; 6] = [
    Direction { down: 0, across: 1 },
    Direction { down: 1, across: 0 },
    Direction { down: 1, across: 1 },
    Direction { down: 1, across: -1 },
    Direction { down: 0, across: 2 },
    Direction { down: 2, across: 0 },
];

/// How many of them are held.
const HELD: usize = 4;

impl Direction {
    /// The column of the second node, if there is such a spring.
    fn end(&self, (rows, columns): (usize, usize), row: usize, column: usize) -> Option<usize> {
        let end = column.checked_add_signed(self.across)?;
        (row + self.down < rows && end < columns).then_some(end)
    }

    /// How many rows of pulls are kept: its own and those that end in it.
    const fn depth(&self) -> usize {
        self.down + 1
    }
}

/// A cloth in rows of its own, and the memory of the kernel. It holds no state between bursts.
#[derive(Debug)]
pub struct Sheet<const A: usize> {
    rows: usize,
    columns: usize,
    /// Columns, rounded up to whole vectors.
    width: usize,
    /// From one row to the next.
    stride: usize,
    stiffness: [f64; 6],
    /// By direction and first node; below zero where there is no spring.
    rest_length: [Vec<f64>; 6],
    mass: Vec<f64>,
    inverse: Vec<f64>,
    /// 1 for nodes that are held, and where there is no node.
    pinned: Vec<f64>,
    x: [Vec<f64>; A],
    v: [Vec<f64>; A],
    /// The sum of forces on a row.
    f: [Vec<f64>; A],
    /// Pulls of the last rows, by step, direction, row and axis.
    pulls: Vec<f64>,
}

impl<const A: usize> Sheet<A> {
    /// `None` where the springs are not those of a cloth, or not equally stiff in a direction.
    pub fn new(model: &Model) -> Option<Self> {
        let Arrangement::Sheet { rows, columns } = model.arrangement else { return None };
        let width = columns.next_multiple_of(WIDTH);
        let stride = width + MARGIN;
        let size = MARGIN + stride * (rows + 2) + MARGIN;
        let filled = |value: f64| vec![value; size];
        let mut sheet = Self {
            rows,
            columns,
            width,
            stride,
            stiffness: [0.0; 6],
            rest_length: std::array::from_fn(|_| filled(-1.0)),
            mass: filled(1.0),
            inverse: filled(1.0),
            pinned: filled(1.0),
            x: std::array::from_fn(|_| filled(0.0)),
            v: std::array::from_fn(|_| filled(0.0)),
            f: std::array::from_fn(|_| vec![0.0; width]),
            pulls: Vec::new(),
        };
        sheet.pulls = vec![0.0; STEPS * sheet.pulls_of_a_step()];
        sheet.take_nodes(model);
        sheet.take_springs(model).then_some(sheet)
    }

    fn take_nodes(&mut self, model: &Model) {
        for row in 0..self.rows {
            let (at, node) = (self.at(row), row * self.columns);
            for column in 0..self.columns {
                self.mass[at + column] = model.mass[node + column];
                self.inverse[at + column] = 1.0 / model.mass[node + column];
                self.pinned[at + column] = f64::from(model.pinned[node + column]);
            }
        }
    }

    /// Whether the springs are those of a cloth, in its order.
    fn take_springs(&mut self, model: &Model) -> bool {
        let shape = (self.rows, self.columns);
        let mut springs = model.springs.iter();
        for (index, direction) in DIRECTIONS.iter().enumerate() {
            if index == HELD && springs.len() != model.springs.len() - model.held {
                return false;
            }
            let mut stiffness = None;
            for a in 0..self.rows * self.columns {
                let (row, column) = (a / self.columns, a % self.columns);
                let Some(end) = direction.end(shape, row, column) else { continue };
                let b = (row + direction.down) * self.columns + end;
                let fits = |spring: &&Spring| spring.a == a && spring.b == b;
                let Some(spring) = springs.next().filter(fits) else { return false };
                let is_alike = spring.stiffness == *stiffness.get_or_insert(spring.stiffness);
                let is_length = spring.rest_length >= 0.0;
                if !is_alike || !is_length {
                    return false;
                }
                let at = self.at(row) + column;
                self.rest_length[index][at] = spring.rest_length;
            }
            self.stiffness[index] = stiffness.unwrap_or(0.0);
        }
        springs.next().is_none()
    }

    /// Where a row begins.
    fn at(&self, row: usize) -> usize {
        MARGIN + row * self.stride
    }

    /// How long a row of pulls is, with its margins.
    fn pull_length(&self) -> usize {
        self.width + 2 * MARGIN
    }

    fn pulls_of_a_step(&self) -> usize {
        DIRECTIONS.iter().map(Direction::depth).sum::<usize>() * A * self.pull_length()
    }

    /// Takes all steps.
    pub fn run(&mut self, state: &mut State, forces: &NodeForces<A>, stepping: &Stepping) {
        let n = self.rows * self.columns;
        for row in 0..self.rows {
            let at = self.at(row)..self.at(row) + self.columns;
            for axis in 0..A {
                let from = axis * n + row * self.columns;
                let from = from..from + self.columns;
                self.x[axis][at.clone()].copy_from_slice(&state.x[from.clone()]);
                self.v[axis][at.clone()].copy_from_slice(&state.v[from]);
            }
        }
        let mut left = stepping.count;
        while left > 0 {
            let steps = left.min(STEPS as u64);
            self.pulls.fill(0.0);
            let steps = steps as usize;
            let sweep = Sweep { sheet: self, forces, stepping, steps };
            sweep.run_with(Instructions::best());
            left -= steps as u64;
        }
        for row in 0..self.rows {
            let at = self.at(row)..self.at(row) + self.columns;
            for axis in 0..A {
                let to = axis * n + row * self.columns;
                let to = to..to + self.columns;
                state.x[to.clone()].copy_from_slice(&self.x[axis][at.clone()]);
                state.v[to].copy_from_slice(&self.v[axis][at.clone()]);
            }
        }
    }
}

/// Some steps behind each other.
struct Sweep<'a, const A: usize> {
    sheet: &'a mut Sheet<A>,
    forces: &'a NodeForces<A>,
    stepping: &'a Stepping,
    steps: usize,
}

impl<const A: usize> WideWork for Sweep<'_, A> {
    #[inline(always)]
    fn run<S: Wide>(self, simd: S) {
        let Self { sheet, forces, stepping, steps } = self;
        let size = sheet.pulls_of_a_step();
        let mut pulls = std::mem::take(&mut sheet.pulls);
        for first in 0..sheet.rows + LAG * (steps - 1) {
            for (step, pulls) in pulls.chunks_exact_mut(size).enumerate().take(steps) {
                let row = first.checked_sub(LAG * step);
                if let Some(row) = row.filter(|row| *row < sheet.rows) {
                    step_row(simd, sheet, pulls, row, forces, stepping);
                }
            }
        }
        sheet.pulls = pulls;
    }
}

/// One step of one row.
#[inline(always)]
fn step_row<S: Wide, const A: usize>(
    simd: S,
    sheet: &mut Sheet<A>,
    pulls: &mut [f64],
    row: usize,
    forces: &NodeForces<A>,
    stepping: &Stepping,
) {
    for axis in &mut sheet.f {
        axis.fill(0.0);
    }
    for addend in forces.order.iter().flatten() {
        match addend {
            Addend::Gravity | Addend::Drag => add_own(simd, sheet, row, forces, *addend),
            Addend::Springs(Part::Held) => add_springs(simd, sheet, pulls, row, 0..HELD),
            Addend::Springs(Part::Bending) => add_springs(simd, sheet, pulls, row, HELD..6),
        }
    }
    move_row(simd, sheet, row, stepping);
}

/// Adds gravity or drag.
#[inline(always)]
fn add_own<S: Wide, const A: usize>(
    simd: S,
    sheet: &mut Sheet<A>,
    row: usize,
    forces: &NodeForces<A>,
    addend: Addend,
) {
    let (wide, zero) = (forces.wide(simd), simd.splat_f64s(0.0));
    let at = sheet.at(row)..sheet.at(row) + sheet.width;
    let mass = S::as_simd_f64s(&sheet.mass[at.clone()]).0;
    let v = sheet.v.each_ref().map(|v| S::as_simd_f64s(&v[at.clone()]).0);
    let f = sheet.f.each_mut().map(|f| S::as_mut_simd_f64s(f).0);
    for (j, mass) in mass.iter().enumerate() {
        let (mut sum, mut velocity) = ([zero; A], [zero; A]);
        for axis in 0..A {
            (sum[axis], velocity[axis]) = (f[axis][j], v[axis][j]);
        }
        match addend {
            Addend::Gravity => wide.add_gravity(simd, &mut sum, *mass),
            _ => wide.add_drag(simd, &mut sum, &velocity),
        }
        for axis in 0..A {
            f[axis][j] = sum[axis];
        }
    }
}

/// Adds the springs of these directions.
#[inline(always)]
fn add_springs<S: Wide, const A: usize>(
    simd: S,
    sheet: &mut Sheet<A>,
    mut pulls: &mut [f64],
    row: usize,
    which: Range<usize>,
) {
    let length = sheet.pull_length();
    for (index, direction) in DIRECTIONS.iter().enumerate() {
        let kept;
        (kept, pulls) = pulls.split_at_mut(direction.depth() * A * length);
        if !which.contains(&index) {
            continue;
        }
        let own = row % direction.depth() * A * length;
        let mut rows = kept[own..own + A * length].chunks_exact_mut(length);
        let into = [(); A].map(|()| rows.next().unwrap_or_default());
        compute_pulls(simd, sheet, into, row, index);

        // The row that ends in this one is the one that is overwritten next.
        let before = (row + 1) % direction.depth() * A * length;
        for (axis, f) in sheet.f.iter_mut().enumerate() {
            let own = &kept[own + axis * length + MARGIN..][..sheet.width];
            let start = before + axis * length + MARGIN;
            let before = &kept[start.saturating_add_signed(-direction.across)..][..sheet.width];
            let own = S::as_simd_f64s(own).0.iter();
            let before = S::as_simd_f64s(before).0.iter();
            for ((f, own), before) in S::as_mut_simd_f64s(f).0.iter_mut().zip(own).zip(before) {
                *f = simd.add_f64s(simd.sub_f64s(*f, *before), *own);
            }
        }
    }
}

/// The pulls of the springs of one direction that begin in a row.
#[inline(always)]
fn compute_pulls<S: Wide, const A: usize>(
    simd: S,
    sheet: &Sheet<A>,
    into: [&mut [f64]; A],
    row: usize,
    index: usize,
) {
    let Direction { down, across } = DIRECTIONS[index];
    let at = sheet.at(row);
    let end = (at + down * sheet.stride).saturating_add_signed(across);
    let here = sheet.x.each_ref().map(|x| S::as_simd_f64s(&x[at..at + sheet.width]).0);
    let there = sheet.x.each_ref().map(|x| S::as_simd_f64s(&x[end..end + sheet.width]).0);
    let rest_length = S::as_simd_f64s(&sheet.rest_length[index][at..at + sheet.width]).0;
    let stiffness = simd.splat_f64s(sheet.stiffness[index]);
    let inside = MARGIN..MARGIN + sheet.width;
    let into = into.map(|into| S::as_mut_simd_f64s(&mut into[inside.clone()]).0);
    for (j, rest_length) in rest_length.iter().enumerate() {
        let mut d = [simd.splat_f64s(0.0); A];
        for axis in 0..A {
            d[axis] = simd.sub_f64s(there[axis][j], here[axis][j]);
        }
        let pulls = pull(simd, d, stiffness, *rest_length);
        for axis in 0..A {
            into[axis][j] = pulls[axis];
        }
    }
}

/// Moves a row under the sum of its forces.
#[inline(always)]
fn move_row<S: Wide, const A: usize>(
    simd: S,
    sheet: &mut Sheet<A>,
    row: usize,
    stepping: &Stepping,
) {
    let motion = WideMotion::new(simd, stepping);
    let zero = simd.splat_f64s(0.0);
    let at = sheet.at(row)..sheet.at(row) + sheet.width;
    let mass = S::as_simd_f64s(&sheet.mass[at.clone()]).0;
    let inverse = S::as_simd_f64s(&sheet.inverse[at.clone()]).0;
    let pinned = S::as_simd_f64s(&sheet.pinned[at.clone()]).0;
    for axis in 0..A {
        let f = S::as_simd_f64s(&sheet.f[axis]).0;
        let x = S::as_mut_simd_f64s(&mut sheet.x[axis][at.clone()]).0;
        let v = S::as_mut_simd_f64s(&mut sheet.v[axis][at.clone()]).0;
        for (j, (x, v)) in x.iter_mut().zip(v).enumerate() {
            let pinned = simd.less_than_f64s(zero, pinned[j]);
            let node = WideNode { mass: mass[j], inverse: inverse[j], pinned };
            (*x, *v) = motion.step(simd, &node, f[j], (*x, *v));
        }
    }
}

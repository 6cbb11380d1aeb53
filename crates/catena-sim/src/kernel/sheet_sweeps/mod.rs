//! Sweeps of PBD and XPBD over a cloth.
//!
//! The springs of a cloth are ordered by direction, and within a direction by their first nodes.
//! Vertical and diagonal springs from the nodes of one row touch each node once, so they form
//! vectors, one row of springs after the other. The springs along a row depend on each other, but
//! rows are independent. Each lane processes a row. For this purpose rows are transposed into lanes
//! and back.
//!
//! Every spring uses the results of earlier corrections as in the plain loop, so results are
//! bit-identical. The kernel uses copies with margins, in which missing springs are marked absent.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod across;
mod downwards;

use super::swept_spring::{ABSENT, Law, SweptSpring};
use crate::body::{Arrangement, Model};
use crate::instructions::Instructions;
use crate::lane::{CacheLine, Vector, WIDTH, WideSimd, WideWork};
use across::Across;
use downwards::Downwards;

/// Springs from each row to the next: column offsets of their first and second nodes.
const DOWNWARDS: [[usize; 2]; 3] = [[0, 0], [0, 1], [1, 0]];

/// A cloth, its constants and the workspace of the kernel.
#[derive(Debug)]
pub struct SheetSweeps {
    grid: Grid,
    is_reversed: bool,
    /// Flags of the springs that were broken when rest lengths were laid out; `None` before that.
    broken: Option<Vec<bool>>,
    across: Across,
    downwards: Vec<Downwards>,
    weights: Vec<f64>,
    x: [Vec<f64>; 3],
}

/// The sweeps of a step.
#[derive(Clone, Copy, Debug)]
pub struct SweepPlan<'a> {
    /// The correction of springs.
    pub law: Law<'a>,
    /// Length of the step.
    pub h: f64,
    /// Number of sweeps.
    pub iterations: u32,
}

/// Layout of the nodes.
#[derive(Clone, Copy, Debug)]
struct Grid {
    rows: usize,
    columns: usize,
    /// Number of values from one row to the next.
    stride: usize,
    /// Number of groups of rows that share lanes.
    groups: usize,
}

impl Grid {
    fn cells(&self) -> usize {
        // A vector that starts in the last column extends beyond it.
        self.rows * self.stride + 2 * WIDTH
    }

    fn lines(&self) -> usize {
        self.columns * self.groups
    }

    /// Returns the cache line and the lane of a spring or node along rows.
    fn lane(&self, row: usize, column: usize) -> (usize, usize) {
        (column * self.groups + row / WIDTH, row % WIDTH)
    }

    /// Iterates over the nodes: index of the cell, then index of the node.
    fn nodes(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.rows).flat_map(move |row| {
            (0..self.columns).map(move |c| (row * self.stride + c, row * self.columns + c))
        })
    }
}

impl SheetSweeps {
    /// Creates the kernel. Returns `None` if the held springs do not form a cloth. Weights are
    /// inverse masses, 0 for pins.
    pub fn new(model: &Model, weights: &[f64], is_reversed: bool, law: Law<'_>) -> Option<Self> {
        let Arrangement::Sheet { rows, columns } = model.arrangement else { return None };
        let stride = columns.next_multiple_of(WIDTH).max(2 * WIDTH);
        let grid = Grid { rows, columns, stride, groups: rows.div_ceil(WIDTH) };
        let lines = || vec![CacheLine::all(0.0); grid.lines()];
        let cells = || vec![0.0; grid.cells()];
        let across = Across {
            rest: lines(),
            compliance: lines(),
            tension: lines(),
            weights: lines(),
            x: [lines(), lines(), lines()],
        };
        let mut first = rows * (columns - 1);
        let mut downwards = Vec::new();
        for off in DOWNWARDS {
            if first == model.held {
                break;
            }
            let count = columns - off[0].max(off[1]);
            let (rest, compliance, tension) = (cells(), cells(), cells());
            downwards.push(Downwards { off, count, first, rest, compliance, tension });
            first += (rows - 1) * count;
        }
        let x = [cells(), cells(), cells()];
        let mut sheet =
            Self { grid, is_reversed, broken: None, across, downwards, weights: cells(), x };
        sheet.is_of(model).then(|| {
            sheet.lay_out(weights, law);
            sheet
        })
    }

    /// Whether the held springs match the springs of the grid, in its order.
    fn is_of(&self, model: &Model) -> bool {
        let mut count = 0;
        let mut are_same = true;
        self.each(|spring, _, nodes| {
            count += 1;
            let found = model.held().get(spring).map(|spring| [spring.a, spring.b]);
            are_same &= found == Some(nodes);
        });
        are_same && count == model.held && self.grid.rows * self.grid.columns == model.nodes()
    }

    /// Calls `call` for each spring with its index, its location and its nodes.
    fn each(&self, mut call: impl FnMut(usize, SpringPlace, [usize; 2])) {
        let Grid { rows, columns, stride, .. } = self.grid;
        for row in 0..rows {
            for column in 0..columns - 1 {
                let (line, lane) = self.grid.lane(row, column);
                let node = row * columns + column;
                let spring = row * (columns - 1) + column;
                call(spring, SpringPlace::Across(line, lane), [node, node + 1]);
            }
        }
        for (direction, Downwards { off, count, first, .. }) in self.downwards.iter().enumerate() {
            for row in 0..rows - 1 {
                for column in 0..*count {
                    let place = SpringPlace::Downwards(direction, row * stride + column);
                    let node = row * columns + column;
                    let nodes = [node + off[0], node + columns + off[1]];
                    call(first + row * count + column, place, nodes);
                }
            }
        }
    }

    fn lay_out(&mut self, weights: &[f64], law: Law<'_>) {
        for (cell, node) in self.grid.nodes() {
            self.weights[cell] = weights[node];
            let (row, column) = (node / self.grid.columns, node % self.grid.columns);
            let (line, lane) = self.grid.lane(row, column);
            self.across.weights[line].0[lane] = weights[node];
        }
        let Law::Compliance(compliance, _) = law else { return };
        let mut all = Vec::new();
        self.each(|spring, place, _| all.push((place, compliance[spring])));
        for (place, value) in all {
            match place {
                SpringPlace::Across(line, lane) => self.across.compliance[line].0[lane] = value,
                SpringPlace::Downwards(direction, cell) => {
                    self.downwards[direction].compliance[cell] = value;
                }
            }
        }
    }

    /// Lays out rest lengths, if springs have broken since the last layout.
    fn lay_out_rest(&mut self, model: &Model, broken: &[bool]) {
        if self.broken.as_deref() == Some(broken) {
            return;
        }
        self.across.rest.fill(CacheLine::all(ABSENT));
        self.downwards.iter_mut().for_each(|springs| springs.rest.fill(ABSENT));
        let mut all = Vec::new();
        self.each(|spring, place, [a, b]| {
            let is_held = model.pinned[a] && model.pinned[b];
            let is_broken = broken.get(spring).copied().unwrap_or(false);
            if !is_held && !is_broken {
                all.push((place, model.springs[spring].rest_length));
            }
        });
        for (place, value) in all {
            match place {
                SpringPlace::Across(line, lane) => self.across.rest[line].0[lane] = value,
                SpringPlace::Downwards(direction, cell) => {
                    self.downwards[direction].rest[cell] = value;
                }
            }
        }
        self.broken = Some(broken.to_vec());
    }

    /// Sweeps over all springs of a step. `x` is flat by axis; `tension` receives the tension of
    /// each held spring, if the law defines one. Returns whether the lengths of all springs match
    /// their tensions.
    pub fn sweep(
        &mut self,
        set: Instructions,
        model: &Model,
        broken: &[bool],
        plan: SweepPlan<'_>,
        x: &mut [f64],
        tension: &mut [f64],
    ) -> bool {
        self.lay_out_rest(model, broken);
        let n = model.nodes();
        let axes = model.axes;
        for (cell, node) in self.grid.nodes() {
            for axis in 0..axes {
                self.x[axis][cell] = x[axis * n + node];
            }
        }
        let is_loose = match (axes, plan.law) {
            (2, Law::Share(_)) => set.run_with(ClothSweeps::<2, false> { sheet: self, plan }),
            (2, _) => set.run_with(ClothSweeps::<2, true> { sheet: self, plan }),
            (_, Law::Share(_)) => set.run_with(ClothSweeps::<3, false> { sheet: self, plan }),
            _ => set.run_with(ClothSweeps::<3, true> { sheet: self, plan }),
        };
        for (cell, node) in self.grid.nodes() {
            for axis in 0..axes {
                x[axis * n + node] = self.x[axis][cell];
            }
        }
        if !tension.is_empty() {
            self.each(|spring, place, _| {
                tension[spring] = match place {
                    SpringPlace::Across(line, lane) => self.across.tension[line].0[lane],
                    SpringPlace::Downwards(direction, cell) => {
                        self.downwards[direction].tension[cell]
                    }
                };
            });
        }
        !is_loose
    }
}

/// Location of a spring's values.
#[derive(Clone, Copy)]
enum SpringPlace {
    /// Line and lane.
    Across(usize, usize),
    /// Direction and cell.
    Downwards(usize, usize),
}

/// All sweeps of a step.
struct ClothSweeps<'a, const D: usize, const GIVES: bool> {
    sheet: &'a mut SheetSweeps,
    plan: SweepPlan<'a>,
}

impl<const D: usize, const GIVES: bool> WideWork for ClothSweeps<'_, D, GIVES> {
    /// Whether the length of a spring does not match its tension.
    type Output = bool;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> bool {
        let Self { sheet, plan: SweepPlan { law, h, iterations } } = self;
        let spring = SweptSpring::<Vector<S>, GIVES>::new(simd, law, h);
        let SheetSweeps { grid, is_reversed, across, downwards, weights, x, .. } = sheet;
        across.tension.fill(CacheLine::all(0.0));
        downwards.iter_mut().for_each(|springs| springs.tension.fill(0.0));
        for _ in 0..iterations {
            if !*is_reversed {
                across.sweep::<S, D, GIVES>(simd, &spring, grid, false, x);
            }
            for place in 0..downwards.len() {
                let place = if *is_reversed { downwards.len() - 1 - place } else { place };
                for row in 0..grid.rows - 1 {
                    let row = if *is_reversed { grid.rows - 2 - row } else { row };
                    downwards[place].sweep::<S, D, GIVES>(simd, &spring, grid, row, weights, x);
                }
            }
            if *is_reversed {
                across.sweep::<S, D, GIVES>(simd, &spring, grid, true, x);
            }
        }
        GIVES
            && (across.is_loose::<S, D, GIVES>(simd, &spring, grid, x)
                || downwards.iter().any(|springs| {
                    (0..grid.rows - 1).any(|row| {
                        springs.is_loose::<S, D, GIVES>(simd, &spring, grid, row, weights, x)
                    })
                }))
    }
}

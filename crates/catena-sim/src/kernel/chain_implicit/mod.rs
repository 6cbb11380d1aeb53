//! A step of implicit Euler for a chain of Hooke's springs under gravity and drag, in two passes
//! over the nodes.
//!
//! The plain loop assembles the whole matrix, factors it, and solves; each goes through its own
//! memory, and a long rope waits for that memory. Here a `Window` of a few nodes is assembled in
//! arrays that stay in the cache, and eliminated at once. Only what the back substitution needs is
//! kept for each node: U = D⁻¹ A to the next node, and y = D⁻¹ r. The second pass goes back
//! over the nodes and moves them on.
//!
//! The elimination is a sequence of divisions, node after node, and determines the time. The
//! springs of a window do not depend on each other and are computed many at a time.
//!
//! The bits are those of the plain loop: every sum of a force, of the matrix and of the right side
//! adds its parts in the order of forces and springs, and the elimination takes the same steps.
//! What the plain loop skips, such as springs of length zero, is added here as -0.0, which changes
//! no number. Zeros that the plain loop adds are skipped where that changes nothing: a sum that
//! begins with 0.0 never becomes -0.0.

mod numbers;
mod window;

use crate::body::{Arrangement, Model, Spring, State};
use crate::force::{Part, System, Term};
use crate::instructions::Instructions;
use crate::linear::block::{Square, product, subtract_product};
use numbers::{Column, NODES, Properties};
use pulp::{NullaryFnOnce, Simd, WithSimd};
use std::{array::from_fn, hint::black_box};
use window::Window;

/// The kernel for the steps of one chain, with its workspace.
pub struct ChainImplicit {
    nodes: usize,
    solver: AxisSolver,
    properties: Properties,
    pins: Vec<Pin>,
}

/// The solver, by the number of axes.
enum AxisSolver {
    Planar(Solver<2>),
    Spatial(Solver<3>),
}

/// A pinned node, and its state before it moved to the end of the step.
struct Pin {
    node: usize,
    x: [f64; 3],
    v: [f64; 3],
    /// How far the step moves it.
    way: [f64; 3],
}

/// What the back substitution needs of a node.
#[derive(Clone)]
struct Row<const A: usize> {
    upper: Square<A>,
    y: [f64; A],
}

impl<const A: usize> Row<A> {
    const ZERO: Self = Self { upper: [[0.0; A]; A], y: [0.0; A] };
}

/// What a step reads.
struct Body<'a> {
    nodes: usize,
    properties: &'a Properties,
    /// Which springs have broken; empty if none ever breaks.
    broken: &'a [bool],
    terms: &'a [Term<'a>],
    /// In the order of nodes.
    pins: &'a [Pin],
    dt: f64,
}

impl ChainImplicit {
    /// The kernel for a model; `None` if it is not a chain of single springs.
    pub fn new(model: &Model) -> Option<Self> {
        let n = model.nodes();
        let joins_next = |(j, spring): (usize, &Spring)| (spring.a, spring.b) == (j, j + 1);
        let is_chain = model.arrangement == Arrangement::Chain
            && n >= 2
            && model.pinned.len() == n
            && model.springs.len() == n - 1
            && model.held == n - 1
            && model.springs.iter().enumerate().all(joins_next);
        if !is_chain {
            return None;
        }
        let properties = Properties {
            mass: Column::new(model.mass.iter().copied()),
            stiffness: Column::new(model.springs.iter().map(|spring| spring.stiffness)),
            rest: Column::new(model.springs.iter().map(|spring| spring.rest_length)),
        };
        let solver = match model.axes {
            2 => AxisSolver::Planar(Solver::new(&properties)),
            3 => AxisSolver::Spatial(Solver::new(&properties)),
            _ => return None,
        };
        let pinned = (0..n).filter(|&node| model.pinned[node]);
        let pins = pinned.map(|node| Pin { node, x: [0.0; 3], v: [0.0; 3], way: [0.0; 3] });
        Some(Self { nodes: n, solver, properties, pins: pins.collect() })
    }

    /// Takes a step of `dt` but for holding pins at its end. The system has the model of the
    /// kernel, and the state the time at the end of the step. Returns whether the matrix could be
    /// solved; if not, the state becomes NaN. `None` changes nothing: the kernel does not know the
    /// forces or cannot take these numbers.
    pub fn step(
        &mut self,
        set: Instructions,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
    ) -> Option<bool> {
        let model = system.model;
        let is_other = self.nodes != model.nodes() || state.x.len() != model.axes * self.nodes;
        if is_other || state.v.len() != state.x.len() {
            return None;
        }
        let terms = system.terms()?;
        let is_known = terms.iter().all(|term| match *term {
            Term::Gravity { acceleration } => acceleration.len() >= model.axes,
            Term::Drag { coefficient, wind } => coefficient.is_finite() && wind.len() >= model.axes,
            Term::Hooke(_) => true,
        });
        // Only one force may add blocks between nodes.
        let are_joined_once =
            terms.iter().filter(|term| **term == Term::Hooke(Part::Held)).count() == 1;
        let is_usual = is_known && are_joined_once && dt > 0.0 && (dt * dt).is_finite();
        if !is_usual || !self.find_pin_motion(system, state) {
            return None;
        }
        let body = Body {
            nodes: model.nodes(),
            properties: &self.properties,
            broken: &system.springs.broken,
            terms: &terms,
            pins: &self.pins,
            dt,
        };
        let is_exact = match &mut self.solver {
            AxisSolver::Planar(solver) => solver.step(set, &body, state),
            AxisSolver::Spatial(solver) => solver.step(set, &body, state),
        };
        if !is_exact {
            state.x.fill(f64::NAN);
            state.v.fill(f64::NAN);
        }
        Some(is_exact)
    }

    /// Finds out how pins move, and leaves them where they are. `false` if the change of velocity
    /// of one is not finite.
    fn find_pin_motion(&mut self, system: &System<'_>, state: &mut State) -> bool {
        let (n, axes) = (system.model.nodes(), system.model.axes);
        for pin in &mut self.pins {
            (pin.x, pin.v) = (state.position(n, pin.node), state.velocity(n, pin.node));
        }
        system.hold(state);
        let mut is_finite = true;
        for pin in &mut self.pins {
            for axis in 0..axes {
                let index = axis * n + pin.node;
                pin.way[axis] = state.x[index] - pin.x[axis];
                is_finite &= (state.v[index] - pin.v[axis]).is_finite();
                (state.x[index], state.v[index]) = (pin.x[axis], pin.v[axis]);
            }
        }
        is_finite
    }
}

/// The two passes over the nodes.
struct Solver<const A: usize> {
    window: Box<Window<A>>,
    /// Empty before the first step.
    rows: Vec<Row<A>>,
}

impl<const A: usize> Solver<A> {
    fn new(properties: &Properties) -> Self {
        Self { window: Window::new(properties), rows: Vec::new() }
    }

    /// Returns whether the matrix could be solved; if not, the state is unchanged.
    fn step(&mut self, set: Instructions, body: &Body<'_>, state: &mut State) -> bool {
        let n = body.nodes;
        self.rows.resize(n, Row::ZERO);
        let Self { window, rows } = self;
        let (x, v) = (axes(&state.x, n), axes(&state.v, n));
        let is_exact = set.run_with(Forward { window, rows, body, x, v });
        if is_exact {
            let (x, v) = (axes_mut(&mut state.x, n), axes_mut(&mut state.v, n));
            set.run(Backward { rows, x, v, dt: body.dt });
        }
        is_exact
    }
}

/// One slice for each axis.
fn axes<const A: usize>(flat: &[f64], n: usize) -> [&[f64]; A] {
    let mut axes = flat.chunks_exact(n);
    from_fn(|_| axes.next().unwrap_or_default())
}

/// One slice for each axis, to change it.
fn axes_mut<const A: usize>(flat: &mut [f64], n: usize) -> [&mut [f64]; A] {
    let mut axes = flat.chunks_exact_mut(n);
    from_fn(|_| axes.next().unwrap_or_default())
}

/// The first pass: assembles and eliminates, from the first node to the last.
struct Forward<'a, const A: usize> {
    window: &'a mut Window<A>,
    rows: &'a mut [Row<A>],
    body: &'a Body<'a>,
    x: [&'a [f64]; A],
    v: [&'a [f64]; A],
}

impl<const A: usize> WithSimd for Forward<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Self { window, rows, body, x, v } = self;
        let mut last = Eliminated { lower: [[0.0; A]; A], row: Row::ZERO };
        window.begin();
        for (index, rows) in rows.chunks_mut(NODES).enumerate() {
            window.load(body, &x, &v, index * NODES, rows.len());
            window.assemble_springs(simd, body.dt);
            window.sum_forces(body);
            window.assemble_nodes(body);
            for (i, row) in rows.iter_mut().enumerate() {
                if i % LINE == 0 {
                    prefetch(&x, (index + 1) * NODES + i + 1);
                    prefetch(&v, (index + 1) * NODES + i + 1);
                }
                if !last.eliminate(window, i) {
                    return false;
                }
                *row = last.row.clone();
            }
        }
        true
    }
}

/// Numbers on a cache line.
const LINE: usize = 8;

/// Reads a number that is needed later, so that memory is fetched while the elimination waits for
/// its own results.
#[inline(always)]
fn prefetch<const A: usize>(axes: &[&[f64]; A], node: usize) {
    for axis in axes {
        black_box(axis.get(node).copied());
    }
}

/// The node that was eliminated last.
struct Eliminated<const A: usize> {
    /// The block by which the next node depends on it.
    lower: Square<A>,
    row: Row<A>,
}

impl<const A: usize> Eliminated<A> {
    /// Eliminates the next node, the i-th of a window. `false` if a pivot is 0 or not finite.
    #[inline(always)]
    fn eliminate(&mut self, window: &Window<A>, i: usize) -> bool {
        let (mut own, mut y) = window.row(i);
        subtract_product(&mut own, &self.lower, &self.row.upper);
        subtract(&mut y, 1.0, &product(&self.lower, &self.row.y));
        // The matrix is symmetric, so the block below is the one to the right.
        let mut upper = window.upper_block(i);
        self.lower = upper;
        let is_regular = reduce(&mut own, &mut upper, &mut y);
        self.row = Row { upper, y };
        is_regular
    }
}

/// row -= share other.
#[inline(always)]
fn subtract<const A: usize>(row: &mut [f64; A], share: f64, other: &[f64; A]) {
    for (value, other) in row.iter_mut().zip(other) {
        *value -= share * other;
    }
}

/// Replaces b by a⁻¹ b and y by a⁻¹ y, with partial pivoting, in the order of operations of
/// `Factored::new`, `solve_block` and `solve`. `false` if a pivot is 0 or not finite.
#[inline(always)]
fn reduce<const A: usize>(a: &mut Square<A>, b: &mut Square<A>, y: &mut [f64; A]) -> bool {
    for k in 0..A {
        let (mut best, mut greatest) = (k, a[k][k].abs());
        for (row, values) in a.iter().enumerate().skip(k + 1) {
            if values[k].abs() > greatest {
                (best, greatest) = (row, values[k].abs());
            }
        }
        for row in k + 1..A {
            if row == best {
                a.swap(k, row);
                b.swap(k, row);
                y.swap(k, row);
            }
        }
        if a[k][k] == 0.0 || !a[k][k].is_finite() {
            return false;
        }
        for row in k + 1..A {
            let share = a[row][k] / a[k][k];
            let pivot = a[k];
            for (value, other) in a[row].iter_mut().zip(&pivot).skip(k + 1) {
                *value -= share * other;
            }
            let upper = b[k];
            subtract(&mut b[row], share, &upper);
            y[row] -= share * y[k];
        }
    }
    for k in (0..A).rev() {
        for other in k + 1..A {
            let below = b[other];
            subtract(&mut b[k], a[k][other], &below);
            y[k] -= a[k][other] * y[other];
        }
        for value in &mut b[k] {
            *value /= a[k][k];
        }
        y[k] /= a[k][k];
    }
    true
}

/// The second pass: substitutes back and moves the nodes on, from the last to the first.
struct Backward<'a, const A: usize> {
    rows: &'a [Row<A>],
    x: [&'a mut [f64]; A],
    v: [&'a mut [f64]; A],
    dt: f64,
}

impl<const A: usize> NullaryFnOnce for Backward<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rows, x, v, dt } = self;
        let mut next: Option<[f64; A]> = None;
        for (i, row) in rows.iter().enumerate().rev() {
            let mut change = row.y;
            if let Some(next) = next {
                subtract(&mut change, 1.0, &product(&row.upper, &next));
            }
            for axis in 0..A {
                let (x, v) = (&mut x[axis][i], &mut v[axis][i]);
                *v += change[axis];
                *x += dt * *v;
            }
            next = Some(change);
        }
    }
}

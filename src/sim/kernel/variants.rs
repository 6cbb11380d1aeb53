//! Constraint Verlet of many chains of one shape at once: one chain a lane.
//!
//! Chains that have the same number of nodes and the same pins go through the same sequence of operations, whatever their
//! lengths, masses, damping, accelerations and steps are. Side by side they need no tricks: every lane does what the plain
//! loop does, and so gives its bits. A node is moved on as soon as the spring behind it has been put right, which
//! is the last that the projection does with it.

use super::held_spring::{self, HeldSpring, Vector};
use super::instructions::Instructions;
use crate::sim::{Model, State, integrator::Lane};
use pulp::{Simd, WithSimd};

/// How many chains are moved on together: enough to hide the latency of square roots with the widest vectors.
pub const LANES: usize = 16;

/// Longer chains leave the fast part of memory, and have a kernel of their own.
const MOST_NODES: usize = 256;

/// Whether a chain can be a lane.
pub fn fits(model: &Model) -> bool {
    let nodes = model.nodes();
    (2..=MOST_NODES).contains(&nodes) && model.held + 1 == nodes && (2..=3).contains(&model.axes)
}

/// One number a lane.
type Row = [f64; LANES];

/// The chains that are moved on together; kept from call to call.
#[derive(Default)]
pub struct Variants {
    is_reversed: bool,
    nodes: usize,
    axes: usize,
    /// For each place of the sweep, what the spring behind it adds to its nodes.
    shares: Vec<Option<(f64, f64)>>,
    pinned: Vec<bool>,
    /// Positions: place by place, one row an axis. So are the positions one step before, those at the start of the last
    /// step, and a dt².
    x: Vec<Row>,
    last: Vec<Row>,
    start: Vec<Row>,
    push: Vec<Row>,
    /// One row a spring.
    rest: Vec<Row>,
    /// 1 - d.
    keep: Row,
    dt: Row,
    /// The last positions of the chain that was taken out.
    taken: Vec<f64>,
}

impl Variants {
    /// Makes room for chains of the shape of a model. Lanes that no chain is put into compute what nobody reads.
    fn begin(&mut self, model: &Model, is_reversed: bool) {
        (self.nodes, self.axes, self.is_reversed) = (model.nodes(), model.axes, is_reversed);
        let places = 0..self.nodes;
        self.shares.clear();
        let springs = places.clone().skip(1);
        self.shares.extend(springs.map(|i| held_spring::shares(model, is_reversed, i - 1)));
        self.pinned.clear();
        let nodes = places.map(|i| held_spring::node_at(model.nodes(), is_reversed, i));
        self.pinned.extend(nodes.map(|node| model.pinned[node]));
        let count = self.nodes * self.axes;
        for rows in [&mut self.x, &mut self.last, &mut self.start, &mut self.push] {
            rows.resize(count, [0.0; LANES]);
        }
        self.rest.resize(self.nodes - 1, [0.0; LANES]);
    }

    /// Puts a chain into a lane. The one that is put into lane 0, as the first, gives the shape.
    pub fn put(&mut self, lane: usize, model: &Model, state: &State, dt: f64, method: &Lane<'_>) {
        if lane == 0 {
            self.begin(model, method.is_reversed);
        }
        let n = self.nodes;
        for place in 0..n {
            let node = held_spring::node_at(n, self.is_reversed, place);
            for axis in 0..self.axes {
                let (row, index) = (place * self.axes + axis, axis * n + node);
                self.x[row][lane] = state.x[index];
                self.last[row][lane] = method.last[index];
                self.push[row][lane] = method.accelerations[index] * dt * dt;
            }
        }
        for (place, row) in self.rest.iter_mut().enumerate() {
            row[lane] = held_spring::rest_length(model, self.is_reversed, place);
        }
        self.keep[lane] = 1.0 - method.damping;
        self.dt[lane] = dt;
    }

    /// Takes a chain out of its lane, with the velocities of its last step; gives its positions one step before.
    pub fn take(&mut self, lane: usize, state: &mut State) -> &[f64] {
        let n = self.nodes;
        self.taken.resize(n * self.axes, 0.0);
        for place in 0..n {
            let node = held_spring::node_at(n, self.is_reversed, place);
            for axis in 0..self.axes {
                let (row, index) = (place * self.axes + axis, axis * n + node);
                state.x[index] = self.x[row][lane];
                state.v[index] = (self.x[row][lane] - self.start[row][lane]) / self.dt[lane];
                self.taken[index] = self.last[row][lane];
            }
        }
        &self.taken
    }

    /// Moves all lanes on by `count` steps.
    pub fn advance(&mut self, set: Instructions, count: u64) {
        match self.axes {
            2 => set.run_with(Steps::<2> { variants: self, count }),
            _ => set.run_with(Steps::<3> { variants: self, count }),
        }
    }
}

/// Steps of all lanes.
struct Steps<'a, const D: usize> {
    variants: &'a mut Variants,
    count: u64,
}

impl<const D: usize> WithSimd for Steps<'_, D> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match S::F64_LANES {
            8 => self.run::<S, 2>(simd),
            4 => self.run::<S, 4>(simd),
            _ => self.run::<S, 8>(simd),
        }
    }
}

impl<const D: usize> Steps<'_, D> {
    /// `R` vectors hold all lanes.
    #[inline(always)]
    fn run<S: Simd, const R: usize>(self, simd: S) {
        if R * S::F64_LANES != LANES {
            return;
        }
        let spring = HeldSpring::new(simd, self.variants.is_reversed);
        for step in 1..=self.count {
            if step == self.count {
                self.variants.start.copy_from_slice(&self.variants.x);
            }
            one_step::<S, D, R>(simd, spring, self.variants);
        }
    }
}

/// Numbers of one node: `R` vectors an axis.
type Node<S, const D: usize, const R: usize> = [[Vector<S>; D]; R];

#[inline(always)]
fn one_step<S: Simd, const D: usize, const R: usize>(
    simd: S,
    spring: HeldSpring<S>,
    variants: &mut Variants,
) {
    let Variants { shares, pinned, x, last, push, rest, keep, nodes, .. } = variants;
    let zero = simd.splat_f64s(0.0);
    let nothing = simd.less_than_f64s(zero, zero);
    let keep = vectors::<S, R>(keep);
    let mut carried = read::<S, D, R>(x, 0);
    for place in 0..*nodes {
        let mut next = carried;
        if place + 1 < *nodes {
            next = read::<S, D, R>(x, place + 1);
            if let Some((share, other)) = shares[place] {
                let shares = (simd.splat_f64s(share), simd.splat_f64s(other));
                let rest = vectors::<S, R>(&rest[place]);
                for r in 0..R {
                    let pair = (carried[r], next[r]);
                    (carried[r], next[r]) = spring.put_right(pair, rest[r], shares, nothing);
                }
            }
        }
        // A pin stays where it was before the sweep, whatever the springs made of it.
        if !pinned[place] {
            for axis in 0..D {
                let row = place * D + axis;
                let push = vectors::<S, R>(&push[row]);
                let x = vectors_mut::<S, R>(&mut x[row]);
                let last = vectors_mut::<S, R>(&mut last[row]);
                for (r, node) in carried.iter().enumerate() {
                    let before = node[axis];
                    x[r] = spring.moved(before, last[r], keep[r], push[r]);
                    last[r] = before;
                }
            }
        }
        carried = next;
    }
}

#[inline(always)]
fn read<S: Simd, const D: usize, const R: usize>(rows: &[Row], place: usize) -> Node<S, D, R> {
    let mut node = [[vectors::<S, R>(&rows[place * D])[0]; D]; R];
    for axis in 0..D {
        let row = vectors::<S, R>(&rows[place * D + axis]);
        for r in 0..R {
            node[r][axis] = row[r];
        }
    }
    node
}

#[inline(always)]
fn vectors<S: Simd, const R: usize>(row: &Row) -> &[Vector<S>] {
    &S::as_simd_f64s(row).0[..R]
}

#[inline(always)]
fn vectors_mut<S: Simd, const R: usize>(row: &mut Row) -> &mut [Vector<S>] {
    &mut S::as_mut_simd_f64s(row).0[..R]
}

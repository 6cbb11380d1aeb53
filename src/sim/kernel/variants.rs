//! Constraint Verlet of many chains of one shape at once: one chain a lane.
//!
//! Chains that have the same number of nodes and the same pins go through the same sequence of operations, whatever their
//! lengths, masses, damping, accelerations and steps are. Side by side they need no tricks: every lane does what the plain
//! loop does, and so gives its bits. A node is moved on as soon as the spring behind it has been put right, which
//! is the last that the projection does with it.

use super::held_spring::{self, HALVES, HeldSpring, Nodes, Vector};
use super::instructions::Instructions;
use super::lanes::{WIDTH, Wide, WideWork};
use crate::sim::{Model, State, integrator::Lane};

/// How many chains are moved on together: enough to hide the latency of square roots with the widest vectors.
pub const LANES: usize = 32;

/// With so few, half the vectors do.
const FEW: usize = LANES / 2;

/// Longer chains leave the fast part of memory, and have a kernel of their own.
const MOST_NODES: usize = 256;

/// Whether a chain can be a lane.
pub fn fits(model: &Model) -> bool {
    let nodes = model.nodes();
    (2..=MOST_NODES).contains(&nodes) && model.held + 1 == nodes && (2..=3).contains(&model.axes)
}

/// One number a lane, on whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([f64; LANES]);

impl Default for Row {
    fn default() -> Self {
        Self([0.0; LANES])
    }
}

/// The chains that are moved on together; kept from call to call.
#[derive(Default)]
pub struct Variants {
    is_reversed: bool,
    nodes: usize,
    axes: usize,
    /// How many lanes have a chain: the first ones.
    used: usize,
    /// For each place of the sweep, how the spring behind it is shared.
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
    /// Makes room for chains of the shape of a model.
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
            rows.resize(count, Row::default());
        }
        self.rest.resize(self.nodes - 1, Row::default());
    }

    /// Puts a chain into a lane, one lane after the other. The one that is put into lane 0 gives the shape.
    pub fn put(&mut self, lane: usize, model: &Model, state: &State, dt: f64, method: &Lane<'_>) {
        if lane == 0 {
            self.begin(model, method.is_reversed);
        }
        self.used = lane + 1;
        let n = self.nodes;
        for axis in 0..self.axes {
            let from = axis * n..(axis + 1) * n;
            let (x, last) = (&state.x[from.clone()], &method.last[from.clone()]);
            let accelerations = &method.accelerations[from];
            let rows = self.x.iter_mut().zip(&mut self.last).zip(&mut self.push);
            for (place, ((to, to_last), push)) in rows.skip(axis).step_by(self.axes).enumerate() {
                let node = held_spring::node_at(n, self.is_reversed, place);
                to.0[lane] = x[node];
                to_last.0[lane] = last[node];
                push.0[lane] = accelerations[node] * dt * dt;
            }
        }
        for (place, row) in self.rest.iter_mut().enumerate() {
            row.0[lane] = held_spring::rest_length(model, self.is_reversed, place);
        }
        self.keep.0[lane] = 1.0 - method.damping;
        self.dt.0[lane] = dt;
    }

    /// Takes a chain out of its lane, with the velocities of its last step; gives its positions one step before.
    pub fn take(&mut self, lane: usize, state: &mut State) -> &[f64] {
        let n = self.nodes;
        self.taken.resize(n * self.axes, 0.0);
        for place in 0..n {
            let node = held_spring::node_at(n, self.is_reversed, place);
            for axis in 0..self.axes {
                let (row, index) = (place * self.axes + axis, axis * n + node);
                state.x[index] = self.x[row].0[lane];
                state.v[index] = (self.x[row].0[lane] - self.start[row].0[lane]) / self.dt.0[lane];
                self.taken[index] = self.last[row].0[lane];
            }
        }
        &self.taken
    }

    /// Gives lanes without a chain the first one's, so that they have nothing odd in them.
    fn pad(&mut self) {
        let used = self.used;
        let places = [&mut self.x, &mut self.last, &mut self.push, &mut self.rest];
        let rows = places.into_iter().flatten().chain([&mut self.keep]);
        for Row(lanes) in rows {
            let first = lanes[0];
            lanes[used..].fill(first);
        }
    }

    /// Moves all lanes on by `count` steps.
    pub fn advance(&mut self, set: Instructions, count: u64) {
        if self.used < LANES {
            self.pad();
        }
        match self.axes {
            2 => Steps::<2> { variants: self, count }.run_with(set),
            _ => Steps::<3> { variants: self, count }.run_with(set),
        }
    }
}

/// Steps of all lanes.
struct Steps<'a, const D: usize> {
    variants: &'a mut Variants,
    count: u64,
}

impl<const D: usize> WideWork for Steps<'_, D> {
    #[inline(always)]
    fn run<S: Wide>(self, simd: S) {
        if S::F64_LANES == WIDTH && self.variants.used <= FEW {
            self.one_way::<S, 2>(simd);
        } else {
            self.one_way::<S, 4>(simd);
        }
    }
}

impl<const D: usize> Steps<'_, D> {
    #[inline(always)]
    fn one_way<S: Wide, const R: usize>(self, simd: S) {
        if self.variants.is_reversed {
            self.all::<S, R, true>(simd);
        } else {
            self.all::<S, R, false>(simd);
        }
    }

    /// `R` vectors at a time.
    #[inline(always)]
    fn all<S: Wide, const R: usize, const REVERSED: bool>(self, simd: S) {
        let spring = HeldSpring::<S, REVERSED> { simd };
        for step in 1..=self.count {
            if step == self.count {
                self.variants.start.copy_from_slice(&self.variants.x);
            }
            for part in 0..self.variants.used.div_ceil(R * S::F64_LANES) {
                one_step::<S, D, R, REVERSED>(spring, self.variants, part * R);
            }
        }
    }
}

/// One step of the `R` vectors from `first` on.
#[inline(always)]
fn one_step<S: Wide, const D: usize, const R: usize, const REVERSED: bool>(
    spring: HeldSpring<S, REVERSED>,
    variants: &mut Variants,
    first: usize,
) {
    let simd = spring.simd;
    let Variants { shares, pinned, x, last, push, rest, keep, nodes, .. } = variants;
    let keep = vectors::<S, R>(keep, first);
    let mut carried = read::<S, D, R>(x, 0, first);
    for place in 0..*nodes {
        let mut next = carried;
        if place + 1 < *nodes {
            next = read::<S, D, R>(x, place + 1, first);
            let rest = vectors::<S, R>(&rest[place], first);
            let pair = (&mut carried, &mut next);
            if let Some(shares) = shares[place] {
                let own = simd.splat_f64s(shares.0);
                if shares == HALVES {
                    let shares = |_: usize, shift| {
                        let share = simd.mul_f64s(own, shift);
                        (share, share)
                    };
                    spring.put_right(pair, &rest, shares);
                } else {
                    let other = simd.splat_f64s(shares.1);
                    let shares =
                        |_: usize, shift| (simd.mul_f64s(own, shift), simd.mul_f64s(other, shift));
                    spring.put_right(pair, &rest, shares);
                }
            }
        }
        // A pin stays where it was before the sweep, whatever the springs made of it.
        if !pinned[place] {
            for axis in 0..D {
                let row = place * D + axis;
                let push = vectors::<S, R>(&push[row], first);
                let x = vectors_mut::<S, R>(&mut x[row], first);
                let last = vectors_mut::<S, R>(&mut last[row], first);
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
fn read<S: Wide, const D: usize, const R: usize>(
    rows: &[Row],
    place: usize,
    first: usize,
) -> Nodes<S, D, R> {
    let mut node = [[vectors::<S, R>(&rows[place * D], first)[0]; D]; R];
    for axis in 0..D {
        let row = vectors::<S, R>(&rows[place * D + axis], first);
        for r in 0..R {
            node[r][axis] = row[r];
        }
    }
    node
}

#[inline(always)]
fn vectors<S: Wide, const R: usize>(row: &Row, first: usize) -> [Vector<S>; R] {
    let all = &S::as_simd_f64s(&row.0).0[first..first + R];
    let mut vectors = [all[0]; R];
    vectors.copy_from_slice(all);
    vectors
}

#[inline(always)]
fn vectors_mut<S: Wide, const R: usize>(row: &mut Row, first: usize) -> &mut [Vector<S>] {
    &mut S::as_mut_simd_f64s(&mut row.0).0[first..first + R]
}

//! Constraint Verlet along a chain as a wavefront: many steps in one sweep through memory.
//!
//! The projection in spring order looks sequential, but step s + 1 may treat a spring as soon as step s has finished
//! both of its nodes. So lane s runs step s, two springs behind lane s - 1. At each tick, every lane takes in the next
//! node, puts the spring between it and the node that it carries right, moves the carried node on, and hands it over:
//! the node that one lane finishes at a tick is what the next lane takes in at the next tick. Lane 0 takes its nodes
//! from memory, the last lane puts them back, as many steps on as there are lanes.
//!
//! Rounds follow each other without a pause: the chain is seen as an endless stream of slots, node after node and round
//! after round, with no spring where a round begins. A short chain is filled up with empty slots, since lane 0 can begin a round
//! only when the last lane has given back its first node.
//!
//! Every lane does with a node and a spring what the plain loop does with them, in the same order, so all bits are the
//! same. What must not happen (a spring without length, the motion of a pin) is computed too and left out by a select.

use super::held_spring::{self, HeldSpring};
use super::instructions::Instructions;
use crate::sim::Model;
use pulp::{Simd, WithSimd};

/// A chain whose spring i joins nodes i and i + 1, and what moves it.
pub struct Chain<'a> {
    /// Masses do not matter here, pins and springs do.
    pub model: &'a Model,
    /// Whether a sweep goes from the last spring to the first.
    pub is_reversed: bool,
    /// What acts beside the springs, flat by axis.
    pub accelerations: &'a [f64],
    /// The share of the last displacement that is lost in each step.
    pub damping: f64,
    /// The step.
    pub dt: f64,
}

/// Where the nodes of a chain are, flat by axis.
pub struct Motion<'a> {
    /// Positions.
    pub x: &'a mut [f64],
    /// Positions one step before.
    pub last: &'a mut [f64],
    /// Is given the positions at the start of the last step.
    pub start: &'a mut [f64],
}

/// Room for the stream, kept from call to call.
#[derive(Default)]
pub struct Room {
    /// A slot's node: its position, then the one before, all axes each.
    nodes: Vec<f64>,
    /// A slot's node at the start of the last step.
    starts: Vec<f64>,
    /// What lanes read: one row a quantity and parity of the slot, against the order of the slots.
    rows: Vec<f64>,
}

/// A share that no spring has: there is nothing to put right.
const ABSENT: f64 = 2.0;

/// Rows of a parity before the accelerations: rest length, shares of either end, whether the carried node is free.
const REST: usize = 0;
const SHARE: usize = 1;
const OTHER: usize = 2;
const FREE: usize = 3;
const ACCELERATION: usize = 4;

/// Fewer nodes gain nothing.
const LEAST_NODES: usize = 4;

/// Fewer steps gain nothing.
const LEAST_STEPS: u64 = 3;

/// Moves a chain on by `count` steps, and says whether it did: very little work is left to the plain loop.
pub fn advance(
    set: Instructions,
    chain: &Chain<'_>,
    motion: &mut Motion<'_>,
    room: &mut Room,
    count: u64,
) -> bool {
    let nodes = chain.model.nodes();
    if nodes < LEAST_NODES || count < LEAST_STEPS {
        return false;
    }
    match chain.model.axes {
        2 => sweep::<2>(set, chain, motion, room, count),
        3 => sweep::<3>(set, chain, motion, room, count),
        _ => return false,
    }
    true
}

/// How many steps a wave holds: more hide the latency of square roots, but the wave must fit on the chain.
fn lanes(nodes: usize, count: u64) -> usize {
    if nodes >= 64 && count > 8 { 16 } else { 8 }
}

fn sweep<const D: usize>(
    set: Instructions,
    chain: &Chain<'_>,
    motion: &mut Motion<'_>,
    room: &mut Room,
    count: u64,
) {
    let lanes = lanes(chain.model.nodes(), count);
    // Even, so that a slot has the same parity in every round.
    let period = chain.model.nodes().max(2 * lanes).next_multiple_of(2);
    fill::<D>(chain, motion, room, period, lanes);
    let wave = Wave::<D> { chain, room, period, lanes, count };
    set.run_with(wave);
    empty::<D>(chain, motion, room);
}

/// Lays out what the lanes read.
fn fill<const D: usize>(
    chain: &Chain<'_>,
    motion: &Motion<'_>,
    room: &mut Room,
    period: usize,
    lanes: usize,
) {
    let n = chain.model.nodes();
    room.nodes.clear();
    room.nodes.resize(2 * D * period, 0.0);
    room.starts.clear();
    room.starts.resize(D * period, 0.0);
    for (place, slot) in room.nodes.chunks_exact_mut(2 * D).take(n).enumerate() {
        let node = held_spring::node_at(n, chain.is_reversed, place);
        for axis in 0..D {
            slot[axis] = motion.x[axis * n + node];
            slot[D + axis] = motion.last[axis * n + node];
        }
    }

    let (half, planes) = (period / 2, ACCELERATION + D);
    let width = half + lanes;
    room.rows.clear();
    room.rows.resize(2 * planes * width, 0.0);
    for slot in 0..period {
        let values = slot_values::<D>(chain, slot, period);
        let rows = &mut room.rows[slot % 2 * planes * width..];
        // Lane s reads what stands s places on: the slot 2 s before. The row goes on with its beginning.
        let place = half - 1 - slot / 2;
        for (plane, value) in values.into_iter().enumerate().take(planes) {
            let row = &mut rows[plane * width..][..width];
            row[place] = value;
            if place < lanes {
                row[half + place] = value;
            }
        }
    }
}

/// What a lane needs to know at a slot: of the spring between the slot's node and the one before, which the lane carries, and
/// of the latter.
fn slot_values<const D: usize>(
    chain: &Chain<'_>,
    slot: usize,
    period: usize,
) -> [f64; ACCELERATION + 3] {
    let model = chain.model;
    let n = model.nodes();
    let mut values = [0.0; ACCELERATION + 3];
    values[SHARE] = ABSENT;
    // At slot 0 a round begins; what is carried there is of the round before.
    let carried = if slot == 0 { period - 1 } else { slot - 1 };
    if carried >= n {
        return values;
    }
    if slot > 0 && slot < n {
        values[REST] = held_spring::rest_length(model, chain.is_reversed, carried);
        if let Some(shares) = held_spring::shares(model, chain.is_reversed, carried) {
            (values[SHARE], values[OTHER]) = shares;
        }
    }
    let node = held_spring::node_at(n, chain.is_reversed, carried);
    values[FREE] = if model.pinned[node] { 0.0 } else { 1.0 };
    for axis in 0..D {
        values[ACCELERATION + axis] = chain.accelerations[axis * n + node] * chain.dt * chain.dt;
    }
    values
}

/// Takes the nodes back.
fn empty<const D: usize>(chain: &Chain<'_>, motion: &mut Motion<'_>, room: &Room) {
    let n = chain.model.nodes();
    let slots = room.nodes.chunks_exact(2 * D).zip(room.starts.chunks_exact(D));
    for (place, (slot, start)) in slots.take(n).enumerate() {
        let node = held_spring::node_at(n, chain.is_reversed, place);
        for axis in 0..D {
            motion.x[axis * n + node] = slot[axis];
            motion.last[axis * n + node] = slot[D + axis];
            motion.start[axis * n + node] = start[axis];
        }
    }
}

/// The wave, once everything is laid out.
struct Wave<'a, 'b, const D: usize> {
    chain: &'a Chain<'b>,
    room: &'a mut Room,
    period: usize,
    lanes: usize,
    count: u64,
}

impl<const D: usize> WithSimd for Wave<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match (S::F64_LANES, self.lanes) {
            (8, 8) => self.run::<S, 1>(simd),
            (8, _) | (4, 8) => self.run::<S, 2>(simd),
            (4, _) | (2, 8) => self.run::<S, 4>(simd),
            _ => self.run::<S, 8>(simd),
        }
    }
}

/// All lanes' nodes: on each axis, `R` vectors of lanes.
type Nodes<S, const D: usize, const R: usize> = [[<S as Simd>::f64s; R]; D];

/// What lanes hold from tick to tick.
struct Held<S: Simd, const D: usize, const R: usize> {
    /// Where the carried node is, as the spring before left it.
    at: Nodes<S, D, R>,
    /// Where it was at the start of the step.
    start: Nodes<S, D, R>,
    /// Where it was at the start of the step before.
    last: Nodes<S, D, R>,
}

impl<const D: usize> Wave<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd, const R: usize>(self, simd: S) {
        let Self { chain, room, period, lanes, count } = self;
        let lane_count = lanes as u64;
        let rounds = count.div_ceil(lane_count);
        let idle = rounds * lane_count - count;
        let ticks = rounds * period as u64 + 2 * lane_count - 1;
        let tick = Tick::<S, R>::new(simd, chain, (period, lanes), idle);
        let zero = [[simd.splat_f64s(0.0); R]; D];
        let mut held = Held::<S, D, R> { at: zero, start: zero, last: zero };
        // What lanes handed over at the tick before: position and last position.
        let mut given = [zero; 2];
        let is_first = first_lane(simd);
        let mut clock = simd.splat_f64s(0.0);
        let (mut slot, mut slot_out) = (0, 0);
        for t in 0..ticks {
            let node = &room.nodes[2 * D * slot..][..2 * D];
            for axis in 0..D {
                given[0][axis] = take_in::<S, R>(simd, is_first, given[0][axis], node[axis]);
                given[1][axis] = take_in::<S, R>(simd, is_first, given[1][axis], node[D + axis]);
            }
            let start = held.start;
            given = tick.run::<D>(&room.rows, slot, clock, &mut held, given);
            if t + 1 >= 2 * lane_count {
                let node = &mut room.nodes[2 * D * slot_out..][..2 * D];
                for axis in 0..D {
                    node[axis] = last_lane::<S, R>(&given[0][axis]);
                    node[D + axis] = last_lane::<S, R>(&given[1][axis]);
                }
                if t + period as u64 >= ticks {
                    let starts = &mut room.starts[D * slot_out..];
                    for (to, from) in starts.iter_mut().zip(&start) {
                        *to = last_lane::<S, R>(from);
                    }
                }
                slot_out = if slot_out + 1 == period { 0 } else { slot_out + 1 };
            }
            slot = if slot + 1 == period { 0 } else { slot + 1 };
            clock = simd.add_f64s(clock, simd.splat_f64s(1.0));
        }
    }
}

/// What stays the same from tick to tick.
struct Tick<S: Simd, const R: usize> {
    simd: S,
    half: usize,
    width: usize,
    /// The tick up to which a lane lets everything pass.
    idle_until: [S::f64s; R],
    spring: HeldSpring<S>,
    keep: S::f64s,
}

impl<S: Simd, const R: usize> Tick<S, R> {
    #[inline(always)]
    fn new(simd: S, chain: &Chain<'_>, (period, lanes): (usize, usize), idle: u64) -> Self {
        let mut idle_until = [simd.splat_f64s(-1.0); R];
        for r in 0..R {
            let until = pulp::bytemuck::cast_slice_mut::<S::f64s, f64>(&mut idle_until[r..=r]);
            for (i, until) in until.iter_mut().enumerate() {
                let lane = r * S::F64_LANES + i;
                if (lane as u64) < idle {
                    *until = (period + 2 * lane) as f64;
                }
            }
        }
        let spring = HeldSpring::new(simd, chain.is_reversed);
        let half = period / 2;
        let keep = simd.splat_f64s(1.0 - chain.damping);
        Self { simd, half, width: half + lanes, idle_until, spring, keep }
    }

    /// Puts a spring right in every lane, moves the carried node on and hands it over.
    #[inline(always)]
    fn run<const D: usize>(
        &self,
        rows: &[f64],
        slot: usize,
        clock: S::f64s,
        held: &mut Held<S, D, R>,
        taken: [Nodes<S, D, R>; 2],
    ) -> [Nodes<S, D, R>; 2] {
        let simd = self.simd;
        let zero = simd.splat_f64s(0.0);
        let rows = &rows[(slot % 2) * (ACCELERATION + D) * self.width..];
        let first = self.half - 1 - slot / 2;
        let mut given = taken;
        for r in 0..R {
            let read = |row: usize| load::<S>(rows, row * self.width + first + r * S::F64_LANES);
            let idle = simd.less_than_or_equal_f64s(clock, self.idle_until[r]);
            let shares = (read(SHARE), read(OTHER));
            let absent = simd.equal_f64s(shares.0, simd.splat_f64s(ABSENT));
            let absent = simd.or_m64s(absent, idle);
            let still = simd.or_m64s(simd.equal_f64s(read(FREE), zero), idle);
            let pair = (axes::<S, D, R>(&held.at, r), axes::<S, D, R>(&taken[0], r));
            let (at, next) = self.spring.put_right(pair, read(REST), shares, absent);
            for axis in 0..D {
                let (start, last) = (held.start[axis][r], held.last[axis][r]);
                let push = read(ACCELERATION + axis);
                let moved = self.spring.moved(at[axis], last, self.keep, push);
                given[0][axis][r] = simd.select_f64s(still, start, moved);
                given[1][axis][r] = simd.select_f64s(still, last, at[axis]);
                held.at[axis][r] = next[axis];
                held.start[axis][r] = taken[0][axis][r];
                held.last[axis][r] = taken[1][axis][r];
            }
        }
        given
    }
}

/// Vector `r` of every axis.
#[inline(always)]
fn axes<S: Simd, const D: usize, const R: usize>(nodes: &Nodes<S, D, R>, r: usize) -> [S::f64s; D] {
    let mut axes = [nodes[0][r]; D];
    for axis in 0..D {
        axes[axis] = nodes[axis][r];
    }
    axes
}

#[inline(always)]
fn load<S: Simd>(from: &[f64], at: usize) -> S::f64s {
    S::as_simd_f64s(&from[at..at + S::F64_LANES]).0[0]
}

/// Selects lane 0 of a vector.
#[inline(always)]
fn first_lane<S: Simd>(simd: S) -> S::m64s {
    let mut lane = [simd.splat_f64s(1.0)];
    pulp::bytemuck::cast_slice_mut::<S::f64s, f64>(&mut lane)[0] = 0.0;
    simd.equal_f64s(lane[0], simd.splat_f64s(0.0))
}

/// Every lane's number goes to the next lane; lane 0, which `is_first` selects, takes a new one.
#[inline(always)]
fn take_in<S: Simd, const R: usize>(
    simd: S,
    is_first: S::m64s,
    given: [S::f64s; R],
    new: f64,
) -> [S::f64s; R] {
    let mut before = simd.splat_f64s(new);
    let mut taken = given;
    for r in 0..R {
        let turned = simd.rotate_right_f64s(given[r], 1);
        taken[r] = simd.select_f64s(is_first, before, turned);
        before = turned;
    }
    taken
}

#[inline(always)]
fn last_lane<S: Simd, const R: usize>(values: &[S::f64s; R]) -> f64 {
    pulp::bytemuck::cast_slice::<S::f64s, f64>(values)[R * S::F64_LANES - 1]
}

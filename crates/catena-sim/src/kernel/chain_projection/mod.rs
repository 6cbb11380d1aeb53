//! Constraint Verlet along a chain as a wavefront: many steps in one sweep through memory.
//!
//! The projection in the order of springs looks sequential. However, step s + 1 may process a
//! spring as soon as step s has finished both of its nodes. Lane s therefore runs step s, two
//! springs behind lane s - 1. Each lane carries one node. At each tick every lane receives the next
//! node and corrects the spring between the two. The lane then moves the carried node and passes it
//! to the next lane, which receives it at the next tick. Lane 0 reads its nodes from memory. The
//! last lane writes them back, so a node takes one step per lane.
//!
//! Rounds follow each other without a pause. The chain is an endless stream of slots, node after
//! node and round after round, without a spring at the start of a round. A short chain is padded
//! with empty slots, because lane 0 can start a round only when the last lane has returned its
//! first node.
//!
//! Every lane processes a node and a spring in the order of the plain loop, so results are
//! bit-identical. Invalid operations (a spring of length 0, the motion of a pin) are computed too,
//! and a select discards them.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod rows;
mod smooth;
mod stream;
mod trail;

use super::held_spring::{HeldNodes, HeldSpring, ShareFactors, Shares, verlet};
use crate::body::Model;
use crate::instructions::Instructions;
use crate::lane::{Lane, LaneMask, Mask, Vector, WIDTH, WideSimd, WideWork};
use rows::{ABSENT, ACCELERATION, FREE, OTHER, REST, SHARE};
use stream::Stream;

pub use rows::Workspace;

/// A chain whose spring i joins nodes i and i + 1, and its parameters.
pub struct ProjectedChain<'a> {
    /// Masses, pins and springs.
    pub model: &'a Model,
    /// Whether a sweep runs from the last spring to the first.
    pub is_reversed: bool,
    /// Accelerations by all forces except springs, flat by axis.
    pub accelerations: &'a [f64],
    /// Fraction of the last displacement that each step removes.
    pub damping: f64,
    /// Fraction of a dt² by which nodes move.
    pub push_factor: f64,
    /// Factors on the corrections of springs.
    pub factors: ShareFactors,
    /// The time step, above 0.
    pub dt: f64,
}

/// States at the start and at the end of a burst, flat by axis.
pub struct BurstStates<'a> {
    /// Positions at the start, and one step before.
    pub start: [&'a [f64]; 2],
    /// Output of positions at the end, and one step before.
    pub end: [&'a mut [f64]; 2],
    /// Output of the velocities of the last step: its displacement over dt.
    pub v: &'a mut [f64],
}

/// Maximum number of lanes in a wavefront.
const MAX_LANES: usize = 4 * WIDTH;

/// Minimum number of nodes for which a wavefront is faster than the plain loop.
const MIN_NODES: usize = 4;

/// Minimum number of steps for which a wavefront is faster than the plain loop.
const MIN_STEPS: u64 = 3;

/// Advances a chain by `count` steps. Returns `false` and changes nothing if the plain loop would
/// be equally fast. A workspace may be used for one chain only, with one direction and one set of
/// accelerations.
pub fn advance(
    set: Instructions,
    chain: &ProjectedChain<'_>,
    motion: BurstStates<'_>,
    workspace: &mut Workspace,
    count: u64,
) -> bool {
    let nodes = chain.model.nodes();
    if nodes < MIN_NODES || count < MIN_STEPS {
        return false;
    }
    match chain.model.axes {
        2 => set.run_with(ProjectionSweep::<2> { chain, motion, workspace, count }),
        3 => set.run_with(ProjectionSweep::<3> { chain, motion, workspace, count }),
        _ => return false,
    }
    true
}

/// All steps of a chain.
struct ProjectionSweep<'a, 'b, const D: usize> {
    chain: &'a ProjectedChain<'b>,
    motion: BurstStates<'a>,
    workspace: &'a mut Workspace,
    count: u64,
}

impl<const D: usize> WideWork for ProjectionSweep<'_, '_, D> {
    type Output = ();

    /// Uses as many vectors of lanes as fit on the chain, to hide the latency of square roots.
    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let fits =
            |lanes: usize| self.chain.model.nodes() >= 4 * lanes && self.count > lanes as u64 / 2;
        match S::F64_LANES {
            8 if fits(32) => self.roll::<S, 4>(simd),
            8 if fits(16) => self.roll::<S, 2>(simd),
            8 => self.roll::<S, 1>(simd),
            4 if fits(16) => self.roll::<S, 4>(simd),
            4 => self.roll::<S, 2>(simd),
            _ => self.roll::<S, 4>(simd),
        }
    }
}

impl<const D: usize> ProjectionSweep<'_, '_, D> {
    /// Runs a wavefront of `R` vectors of lanes.
    #[inline(always)]
    fn roll<S: WideSimd, const R: usize>(self, simd: S) {
        let Self { chain, motion, workspace, count } = self;
        let lanes = R * S::F64_LANES;
        // An even period gives a slot the same parity in every round.
        let period = chain.model.nodes().max(2 * lanes).next_multiple_of(2);
        workspace.prepare::<D>(chain, period, lanes);
        let stream = Stream::<D>::new(chain, motion);
        let wave = Wave::<D> { chain, workspace, stream, period, count };
        if chain.is_reversed {
            wave.run::<S, R, true>(simd);
        } else {
            wave.run::<S, R, false>(simd);
        }
    }
}

/// A wavefront with all of its inputs.
struct Wave<'a, 'b, const D: usize> {
    chain: &'a ProjectedChain<'b>,
    workspace: &'a Workspace,
    stream: Stream<'a, D>,
    period: usize,
    count: u64,
}

/// Position of a round: first, last or neither.
#[derive(Clone, Copy)]
struct Round {
    /// Whether nodes are read from the start of the burst.
    is_first: bool,
    /// Whether nodes return from their last step.
    is_last: bool,
}

/// State of lanes between ticks.
struct LaneState<S: WideSimd, const D: usize, const R: usize> {
    /// Position of the carried node after the correction of the previous spring.
    at: HeldNodes<S, D, R>,
    /// Position of the carried node at the start of the step.
    start: HeldNodes<S, D, R>,
    /// Position of the carried node at the start of the previous step.
    last: HeldNodes<S, D, R>,
    /// Nodes that lanes passed on at the last tick: position and last position.
    given: [HeldNodes<S, D, R>; 2],
}

impl<const D: usize> Wave<'_, '_, D> {
    #[inline(always)]
    fn run<S: WideSimd, const R: usize, const REVERSED: bool>(self, simd: S) {
        let Self { chain, workspace, mut stream, period, count } = self;
        let lanes = R * S::F64_LANES;
        let rounds = count.div_ceil(lanes as u64) as usize;
        let idle = rounds * lanes - count as usize;
        let ticks = rounds * period + 2 * lanes - 1;
        let tick = Tick::<S, R, REVERSED>::new(simd, chain, period, idle);
        let zero = [[Vector::splat(simd, 0.0); D]; R];
        let mut held = LaneState::<S, D, R> { at: zero, start: zero, last: zero, given: [zero; 2] };
        // Number of consecutive smooth slots up to this one.
        let mut smooth = 0;
        // First tick at which nodes return from their last step.
        let first_of_last = ticks - period;
        let (mut t, mut slot) = (0, 0);
        while t < ticks {
            let ahead = workspace.smooth[slot];
            smooth = if ahead == 0 || t < tick.idle_end { 0 } else { smooth + 1 };
            // This branch runs the last tick of a smooth stretch, because it stores values that the
            // next tick may need.
            if smooth >= 2 * lanes && ahead > 1 {
                let of = Round { is_first: t < period, is_last: t + ahead > first_of_last };
                smooth::run(&tick, workspace, &mut stream, slot..slot + ahead - 1, of, &mut held);
                smooth += ahead - 2;
                t += ahead - 1;
                slot += ahead - 1;
                continue;
            }
            // If the last lane passes nodes directly to the first one, no lane waits for the
            // latency of memory.
            let is_ring = period == 2 * lanes;
            let node = (!is_ring || t < period).then(|| stream.fetch(slot, t < period));
            let mut given = held.given;
            for (which, given) in given.iter_mut().enumerate() {
                let first = match node {
                    Some(node) => Vector::splat_all(simd, node[which]),
                    None => given[R - 1],
                };
                *given = shift_lanes(given, &first);
            }
            let start = held.start[R - 1];
            tick.run::<D>(&workspace.rows, t, slot, &mut held, given);
            let is_last = t >= first_of_last;
            if is_last || (!is_ring && t + 1 >= 2 * lanes) {
                let slot_out = (slot + 1 + period - 2 * lanes) % period;
                let node = held.given.map(|given| given[R - 1].map(Vector::last));
                stream.put(slot_out, node, is_last.then(|| start.map(Vector::last)));
            }
            t += 1;
            slot = if slot + 1 == period { 0 } else { slot + 1 };
        }
    }
}

/// Constants of all ticks.
struct Tick<S: WideSimd, const R: usize, const REVERSED: bool> {
    period: usize,
    width: usize,
    /// Tick up to which a lane passes nodes on unchanged.
    idle_until: [Vector<S>; R],
    /// First tick at which no lane passes nodes on unchanged.
    idle_end: usize,
    spring: HeldSpring<S, R, REVERSED>,
    keep: Vector<S>,
}

impl<S: WideSimd, const R: usize, const REVERSED: bool> Tick<S, R, REVERSED> {
    #[inline(always)]
    fn new(simd: S, chain: &ProjectedChain<'_>, period: usize, idle: usize) -> Self {
        let mut ticks = [-1.0; MAX_LANES];
        for (lane, until) in ticks.iter_mut().enumerate().take(idle) {
            *until = (period + 2 * lane) as f64;
        }
        let idle_until = window(simd, &ticks);
        let idle_end = if idle == 0 { 0 } else { period + 2 * idle };
        let width = period / 2 + R * S::F64_LANES;
        let keep = Vector::splat(simd, 1.0 - chain.damping);
        Self { period, width, idle_until, idle_end, spring: HeldSpring { simd }, keep }
    }

    /// Returns the rows for the parity of a slot, and the index within each row at which the lanes
    /// read.
    #[inline(always)]
    fn rows<'r, const D: usize>(&self, rows: &'r [f64], slot: usize) -> (&'r [f64], usize) {
        let rows = &rows[(slot % 2) * (ACCELERATION + D) * self.width..];
        (rows, self.period / 2 - 1 - slot / 2)
    }

    /// Corrects a spring in every lane, moves the carried node and passes it on.
    #[inline(always)]
    fn run<const D: usize>(
        &self,
        rows: &[f64],
        t: usize,
        slot: usize,
        held: &mut LaneState<S, D, R>,
        taken: [HeldNodes<S, D, R>; 2],
    ) {
        let simd = self.spring.simd;
        let (rows, first) = self.rows::<D>(rows, slot);
        let read = |row: usize| window::<S, R>(simd, &rows[row * self.width + first..]);
        let (mut at, mut next) = (held.at, taken[0]);
        let (own, others, free) = (read(SHARE), read(OTHER), read(FREE));
        let shares = std::array::from_fn(|r| Shares::Of(own[r], others[r]));
        self.spring.correct_all(&mut at, &mut next, &read(REST), &shares);
        for r in 0..R {
            let is_idle = self.is_idle(r, t);
            let is_absent = own[r].equals(Vector::splat(simd, ABSENT)) | is_idle;
            let is_still = free[r].is_zero() | is_idle;
            for axis in 0..D {
                let push = read(ACCELERATION + axis)[r];
                let (start, last) = (held.start[r][axis], held.last[r][axis]);
                let before = is_absent.select(held.at[r][axis], at[r][axis]);
                let moved = verlet(before, last, self.keep, push);
                held.given[0][r][axis] = is_still.select(start, moved);
                held.given[1][r][axis] = is_still.select(last, before);
                held.at[r][axis] = is_absent.select(taken[0][r][axis], next[r][axis]);
            }
        }
        (held.start, held.last) = (taken[0], taken[1]);
    }

    #[inline(always)]
    fn is_idle(&self, r: usize, t: usize) -> Mask<S> {
        self.keep.like(t as f64).is_at_most(self.idle_until[r])
    }
}

/// Loads the first `R` vectors of `numbers`.
#[inline(always)]
fn window<S: WideSimd, const R: usize>(simd: S, numbers: &[f64]) -> [Vector<S>; R] {
    let numbers = &numbers[..R * S::F64_LANES];
    let mut window = [Vector::splat(simd, 0.0); R];
    for r in 0..R {
        window[r] = Vector::load(simd, numbers, r);
    }
    window
}

/// Passes every lane's node to the next lane; lane 0 gets the last one of `new`.
#[inline(always)]
fn shift_lanes<S: WideSimd, const D: usize, const R: usize>(
    given: &HeldNodes<S, D, R>,
    new: &[Vector<S>; D],
) -> HeldNodes<S, D, R> {
    let mut taken = *given;
    for axis in 0..D {
        taken[0][axis] = given[0][axis].before(new[axis]);
        for r in 1..R {
            taken[r][axis] = given[r][axis].before(given[r - 1][axis]);
        }
    }
    taken
}

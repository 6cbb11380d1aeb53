//! Constraint Verlet of many chains of one shape at once, one chain per lane.
//!
//! Chains with the same number of nodes and the same pins take the same sequence of operations, for
//! any lengths, masses, damping, accelerations and steps. Every lane runs the plain loop, so
//! results are bit-identical. A node takes its step right after the correction of the spring that
//! follows it in the sweep. This correction is the last operation of the projection on the node.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod forces;

use super::held_spring::{self, HALVES, HeldSpring, ShareFactors, Shares, verlet};
use crate::body::{Model, State};
use crate::force::Term;
use crate::instructions::Instructions;
use crate::lane::{Vector, WIDTH, WideSimd, WideWork};
use forces::LaneForces;

/// The parameters of constraint Verlet along a chain, besides the model and the state.
pub struct ChainLane<'a> {
    /// Positions one step before, flat by axis.
    pub last: &'a [f64],
    /// Effect of all forces except springs.
    pub push: Push<'a>,
    /// Fraction of the last displacement that each step removes.
    pub damping: f64,
    /// Fraction of a dt² by which nodes move.
    pub push_factor: f64,
    /// Factors on the corrections of springs.
    pub factors: ShareFactors,
    /// Whether a sweep runs from the last spring to the first.
    pub is_reversed: bool,
}

/// Effect of all forces except springs on a chain.
pub enum Push<'a> {
    /// Constant accelerations, flat by axis.
    Constant(&'a [f64]),
    /// Gravity and drag, in the order in which they are summed.
    Terms(Vec<Term<'a>>),
}

/// Number of chains that advance together: enough to hide the latency of square roots with the
/// widest vectors.
pub const LANES: usize = 32;

/// Maximum number of chains for which half of the vectors suffice.
const FEW: usize = LANES / 2;

/// Maximum number of nodes. Longer chains exceed the inner caches and have their own kernel.
const MAX_NODES: usize = 256;

/// Whether a chain can be a lane.
pub fn fits(model: &Model) -> bool {
    let nodes = model.nodes();
    (2..=MAX_NODES).contains(&nodes) && model.held + 1 == nodes && (2..=3).contains(&model.axes)
}

/// One number per chain.
type LaneRow = crate::lane::LaneRow<LANES>;

/// Shares of the correction of springs at one place, in all lanes.
#[derive(Clone, Copy, PartialEq)]
enum Sharing {
    /// Nothing to correct: both nodes are pinned.
    Nothing,
    Halves,
    /// Shares from the rows of `shares`.
    Rows,
}

/// Constants of chains that advance together.
#[derive(Default)]
pub struct LaneChains {
    is_reversed: bool,
    nodes: usize,
    axes: usize,
    /// Number of lanes with a chain. The others repeat lane 0, so that they contain valid numbers.
    used: usize,
    /// Sharing of the correction of the spring after each place of the sweep.
    sharing: Vec<Sharing>,
    /// Shares of the node at each place and of the next one, one row per spring.
    shares: [Vec<LaneRow>; 2],
    pinned: Vec<bool>,
    /// The fraction of a dt² by which nodes move, by place, one row per axis; empty if
    /// accelerations are not constant.
    push: Vec<LaneRow>,
    /// Forces, if accelerations are not constant.
    forces: LaneForces,
    /// Rest lengths, one row per spring.
    rest: Vec<LaneRow>,
    /// Fraction of the velocity that remains after a step, per lane: 1 - d, with the damping option
    /// d.
    keep: LaneRow,
    /// Fraction of a dt² by which nodes move.
    push_factor: LaneRow,
    dt: LaneRow,
}

impl LaneChains {
    /// Takes the shape of a model: nodes, pins and the direction of the sweep.
    fn begin(&mut self, model: &Model, is_reversed: bool) {
        (self.nodes, self.axes, self.is_reversed) = (model.nodes(), model.axes, is_reversed);
        self.sharing.clear();
        self.sharing.resize(self.nodes - 1, Sharing::Nothing);
        for shares in &mut self.shares {
            shares.resize(self.nodes - 1, LaneRow::default());
        }
        self.pinned.clear();
        let places = 0..self.nodes;
        let nodes = places.map(|place| held_spring::node_at(model.nodes(), is_reversed, place));
        self.pinned.extend(nodes.map(|node| model.pinned[node]));
        self.push.resize(self.nodes * self.axes, LaneRow::default());
        self.forces.begin(self.nodes);
        self.rest.resize(self.nodes - 1, LaneRow::default());
    }

    /// Index of the node at a place of the sweep.
    fn node(&self, place: usize) -> usize {
        held_spring::node_at(self.nodes, self.is_reversed, place)
    }

    /// Index of the row of a node and an axis. Reversing places twice has no effect.
    fn row(&self, axis: usize, node: usize) -> usize {
        self.node(node) * self.axes + axis
    }

    /// Sets the chain of a lane. Lanes must be set in order; lane 0 defines the shape.
    pub fn put(&mut self, lane: usize, model: &Model, dt: f64, method: &ChainLane<'_>) {
        if lane == 0 {
            self.begin(model, method.is_reversed);
        }
        self.used = lane + 1;
        for place in 0..self.nodes {
            let node = self.node(place);
            self.forces.put_mass(lane, place, model.mass[node]);
            if let Push::Constant(accelerations) = method.push {
                for axis in 0..self.axes {
                    let acceleration = accelerations[axis * self.nodes + node];
                    self.push[place * self.axes + axis]
                        .put(lane, acceleration * dt * dt * method.push_factor);
                }
            }
        }
        if let Push::Terms(terms) = &method.push {
            self.forces.put(lane, terms);
        }
        for (place, row) in self.rest.iter_mut().enumerate() {
            row.put(lane, held_spring::rest_length(model, self.is_reversed, place));
            if let Some(shares) =
                held_spring::shares(model, self.is_reversed, place, method.factors)
            {
                self.sharing[place] = match (lane, self.sharing[place]) {
                    (0, _) | (_, Sharing::Halves) if shares == HALVES => Sharing::Halves,
                    _ => Sharing::Rows,
                };
                self.shares[0][place].put(lane, shares.0);
                self.shares[1][place].put(lane, shares.1);
            }
        }
        self.keep.put(lane, 1.0 - method.damping);
        self.push_factor.put(lane, method.push_factor);
        self.dt.put(lane, dt);
    }

    /// Takes `count` steps in all lanes.
    pub fn advance(&self, set: Instructions, motions: &mut LaneMotions, count: u64) {
        match self.axes {
            2 => set.run_with(LaneSteps::<2> { chains: self, motions, count }),
            _ => set.run_with(LaneSteps::<3> { chains: self, motions, count }),
        }
    }
}

/// The motion of chains in lanes.
#[derive(Default)]
pub struct LaneMotions {
    /// Positions by place, one row per axis. The next two fields have the same layout and hold the
    /// positions one step before and the velocities of the last step.
    x: Vec<LaneRow>,
    last: Vec<LaneRow>,
    velocity: Vec<LaneRow>,
    /// State of the chain that was last read.
    taken: State,
    taken_last: Vec<f64>,
}

impl LaneMotions {
    /// Sets the state of a lane. Lanes must be set in order. `last` holds the positions one step
    /// before.
    pub fn put(&mut self, chains: &LaneChains, lane: usize, state: &State, last: &[f64]) {
        let (n, axes) = (chains.nodes, chains.axes);
        if lane == 0 {
            for rows in [&mut self.x, &mut self.last, &mut self.velocity] {
                rows.resize(n * axes, LaneRow::default());
            }
        }
        for axis in 0..axes {
            let [x, v, last] = [&state.x, &state.v, last].map(|all| &all[axis * n..][..n]);
            let rows = self.x.iter_mut().zip(&mut self.velocity).zip(&mut self.last);
            for (place, ((to, to_velocity), to_last)) in rows.skip(axis).step_by(axes).enumerate() {
                let node = chains.node(place);
                to.put(lane, x[node]);
                to_velocity.put(lane, v[node]);
                to_last.put(lane, last[node]);
            }
        }
    }

    /// Positions of a node along an axis, one per lane.
    pub fn x(&self, chains: &LaneChains, axis: usize, node: usize) -> &[f64] {
        &self.x[chains.row(axis, node)].0
    }

    /// Velocities of a node along an axis in the last step, one per lane.
    pub fn v(&self, chains: &LaneChains, axis: usize, node: usize) -> &[f64] {
        &self.velocity[chains.row(axis, node)].0
    }

    /// Returns the state of a lane with the velocities of its last step, and the positions one step
    /// before.
    pub fn state_of_lane(&mut self, chains: &LaneChains, lane: usize) -> (&State, &[f64]) {
        let (n, axes) = (chains.nodes, chains.axes);
        let Self { taken: State { x: to, v: to_velocity, .. }, taken_last: to_last, .. } = self;
        for numbers in [&mut *to, &mut *to_velocity, &mut *to_last] {
            numbers.resize(n * axes, 0.0);
        }
        for axis in 0..axes {
            let rows = self.x.iter().zip(&self.velocity).zip(&self.last).skip(axis).step_by(axes);
            for (place, ((x, velocity), last)) in rows.enumerate() {
                let index = axis * n + chains.node(place);
                to[index] = x.0[lane];
                to_velocity[index] = velocity.0[lane];
                to_last[index] = last.0[lane];
            }
        }
        (&self.taken, &self.taken_last)
    }
}

/// Steps of all lanes.
struct LaneSteps<'a, const D: usize> {
    chains: &'a LaneChains,
    motions: &'a mut LaneMotions,
    count: u64,
}

impl<const D: usize> WideWork for LaneSteps<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        if S::F64_LANES == WIDTH && self.chains.used <= FEW {
            self.one_direction::<S, 2>(simd);
        } else {
            self.one_direction::<S, 4>(simd);
        }
    }
}

impl<const D: usize> LaneSteps<'_, D> {
    #[inline(always)]
    fn one_direction<S: WideSimd, const R: usize>(self, simd: S) {
        if self.chains.is_reversed {
            self.all::<S, R, true>(simd);
        } else {
            self.all::<S, R, false>(simd);
        }
    }

    /// Takes all steps, `R` vectors at a time.
    #[inline(always)]
    fn all<S: WideSimd, const R: usize, const REVERSED: bool>(self, simd: S) {
        let spring = HeldSpring::<S, R, REVERSED> { simd };
        let keeps_velocity = !self.chains.forces.is_empty();
        for step in 1..=self.count {
            if step == self.count && !keeps_velocity {
                self.motions.velocity.copy_from_slice(&self.motions.x);
            }
            for part in 0..self.chains.used.div_ceil(R * S::F64_LANES) {
                one_step::<S, D, R, REVERSED>(spring, self.chains, self.motions, part * R);
            }
        }
        if keeps_velocity {
            return;
        }
        let (LaneMotions { x, velocity, .. }, dt) = (self.motions, &self.chains.dt);
        for (velocity, x) in velocity.iter_mut().zip(x) {
            for at in 0..LANES / S::F64_LANES {
                let displacement = x.get(simd, at) - velocity.get(simd, at);
                velocity.set(at, displacement / dt.get(simd, at));
            }
        }
    }
}

/// Returns the shares of the correction of the springs after a place, in the `R` vectors from
/// `first` on.
#[inline(always)]
fn shares_after<S: WideSimd, const R: usize>(
    simd: S,
    shares: &[Vec<LaneRow>; 2],
    place: usize,
    first: usize,
) -> [Shares<Vector<S>>; R] {
    let mut of = [Shares::Halves; R];
    for (r, of) in of.iter_mut().enumerate() {
        let [own, other] = [0, 1].map(|end| shares[end][place].get(simd, first + r));
        *of = Shares::Of(own, other);
    }
    of
}

/// Takes one step of the `R` vectors from `first` on.
#[inline(always)]
fn one_step<S: WideSimd, const D: usize, const R: usize, const REVERSED: bool>(
    spring: HeldSpring<S, R, REVERSED>,
    chains: &LaneChains,
    motions: &mut LaneMotions,
    first: usize,
) {
    let simd = spring.simd;
    let zero = Vector::splat(simd, 0.0);
    let LaneChains { sharing, shares, pinned, push, forces, rest, nodes, .. } = chains;
    let LaneChains { keep, push_factor, dt, .. } = chains;
    let LaneMotions { x, last, velocity, .. } = motions;
    let mut carried = [[zero; D]; R];
    for (r, node) in carried.iter_mut().enumerate() {
        *node = LaneRow::get_all(x, simd, first + r);
    }
    for place in 0..*nodes {
        let mut next = carried;
        if place + 1 < *nodes {
            let mut rests = [zero; R];
            for r in 0..R {
                next[r] = LaneRow::get_all(&x[(place + 1) * D..], simd, first + r);
                rests[r] = rest[place].get(simd, first + r);
            }
            let (carried, next) = (&mut carried, &mut next);
            match sharing[place] {
                Sharing::Halves => spring.correct_all(carried, next, &rests, &[Shares::Halves; R]),
                Sharing::Rows => {
                    let of = shares_after::<S, R>(simd, shares, place, first);
                    spring.correct_all(carried, next, &rests, &of);
                }
                Sharing::Nothing => {}
            }
        }
        // A pin stays where it was before the sweep.
        if !pinned[place] {
            for (r, node) in carried.iter().enumerate() {
                let (keep, dt) = (keep.get(simd, first + r), dt.get(simd, first + r));
                for (axis, &before) in node.iter().enumerate() {
                    let row = place * D + axis;
                    let push = match forces.is_empty() {
                        true => push[row].get(simd, first + r),
                        false => {
                            let v = velocity[row].get(simd, first + r);
                            let a = forces.acceleration(simd, place, axis, first + r, v);
                            a * dt * dt * push_factor.get(simd, first + r)
                        }
                    };
                    let moved = verlet(before, last[row].get(simd, first + r), keep, push);
                    if !forces.is_empty() {
                        let displacement = moved - x[row].get(simd, first + r);
                        velocity[row].set(first + r, displacement / dt);
                    }
                    x[row].set(first + r, moved);
                    last[row].set(first + r, before);
                }
            }
        }
        carried = next;
    }
}

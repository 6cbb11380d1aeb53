//! Implicit Euler of several chains of one shape at once, one chain per lane.
//!
//! Chains with the same number of nodes, the same pins and the same kinds of forces take the same
//! sequence of operations. Every lane runs the plain loop for a chain from end to end, node after
//! node, so results are bit-identical. Two cases depend on values and are selected per lane:
//! springs of length 0, and pivoting of rows.
//!
//! An unsolvable matrix is rare and ends its run, so this kernel only detects it.

mod step;

use super::{is_chain, is_usual};
use crate::body::{Model, State};
use crate::force::{Part, Term};
use crate::instructions::Instructions;
use crate::lane::{CacheLine, WIDTH};
use step::Steps;

/// Number of chains that advance together.
pub const LANES: usize = WIDTH;

/// Maximum number of nodes per chain. A longer chain is solved alone, with one segment per lane.
const MAX_NODES: usize = 256;

/// Chains in lanes: their constants and their motion.
pub struct ImplicitLanes(AxisLanes);

/// Chains in lanes, by the number of axes.
enum AxisLanes {
    Planar(Lanes<2>),
    Spatial(Lanes<3>),
}

/// A chain: its model, the forces on it and the step.
pub struct LaneChain<'a> {
    /// The model.
    pub model: &'a Model,
    /// All forces, in the order in which they are summed.
    pub terms: Vec<Term<'a>>,
    /// The step.
    pub dt: f64,
}

impl LaneChain<'_> {
    /// Whether the chain can be a lane.
    pub fn fits(&self) -> bool {
        is_chain(self.model)
            && self.model.nodes() <= MAX_NODES
            && (2..=3).contains(&self.model.axes)
            && is_usual(self.model, &self.terms, self.dt)
    }

    /// Whether two chains that fit can be lanes of one kernel.
    pub fn is_like(&self, other: &Self) -> bool {
        let kinds = self.terms.iter().zip(&other.terms);
        self.model.axes == other.model.axes
            && self.model.pinned == other.model.pinned
            && self.terms.len() == other.terms.len()
            && kinds.into_iter().all(|(one, other)| match (one, other) {
                (Term::Hooke(one), Term::Hooke(other)) => one == other,
                _ => std::mem::discriminant(one) == std::mem::discriminant(other),
            })
    }
}

impl ImplicitLanes {
    /// Takes up to [`LANES`] similar chains that fit, in the order of the lanes.
    pub fn new(chains: &[LaneChain<'_>]) -> Option<Self> {
        let first = chains.first()?;
        let lanes = match first.model.axes {
            2 => AxisLanes::Planar(Lanes::new(first, chains)),
            _ => AxisLanes::Spatial(Lanes::new(first, chains)),
        };
        Some(Self(lanes))
    }

    /// Sets the state of a lane. Setting lane 0 sets all lanes, so that unused lanes contain valid
    /// numbers.
    pub fn put(&mut self, lane: usize, state: &State) {
        match &mut self.0 {
            AxisLanes::Planar(lanes) => lanes.put(lane, state),
            AxisLanes::Spatial(lanes) => lanes.put(lane, state),
        }
    }

    /// Takes `count` steps in all lanes. Pins stay in place. Returns `false` if a matrix could not
    /// be solved; the states are then meaningless.
    pub fn advance(&mut self, set: Instructions, count: u64) -> bool {
        match &mut self.0 {
            AxisLanes::Planar(lanes) => set.run_with(Steps { lanes, count }),
            AxisLanes::Spatial(lanes) => set.run_with(Steps { lanes, count }),
        }
    }

    /// Positions of a node along an axis, one per lane.
    pub fn x(&self, axis: usize, node: usize) -> &[f64] {
        match &self.0 {
            AxisLanes::Planar(lanes) => &lanes.motion[node].x[axis].0,
            AxisLanes::Spatial(lanes) => &lanes.motion[node].x[axis].0,
        }
    }

    /// Velocities of a node along an axis, one per lane.
    pub fn v(&self, axis: usize, node: usize) -> &[f64] {
        match &self.0 {
            AxisLanes::Planar(lanes) => &lanes.motion[node].v[axis].0,
            AxisLanes::Spatial(lanes) => &lanes.motion[node].v[axis].0,
        }
    }

    /// Writes positions and velocities of a lane to a state of equal size.
    pub fn store(&self, lane: usize, state: &mut State) {
        match &self.0 {
            AxisLanes::Planar(lanes) => lanes.store(lane, state),
            AxisLanes::Spatial(lanes) => lanes.store(lane, state),
        }
    }
}

/// A force on nodes, in all lanes.
enum LaneTerm<const A: usize> {
    Gravity { acceleration: [CacheLine; A] },
    Drag { coefficient: CacheLine, wind: [CacheLine; A], in_matrix: CacheLine },
    Springs,
}

/// A node and the spring after it.
#[derive(Clone, Copy)]
struct Constants {
    mass: CacheLine,
    stiffness: CacheLine,
    rest: CacheLine,
}

/// The state of a node.
#[derive(Clone, Copy)]
struct NodeState<const A: usize> {
    x: [CacheLine; A],
    v: [CacheLine; A],
}

/// Result of the elimination of a node: U = D⁻¹ A to the next node, and y = D⁻¹ r.
#[derive(Clone, Copy)]
struct EliminatedLanes<const A: usize> {
    upper: [[CacheLine; A]; A],
    y: [CacheLine; A],
}

struct Lanes<const A: usize> {
    /// Number of lanes with a chain.
    used: usize,
    pinned: Vec<bool>,
    terms: Vec<LaneTerm<A>>,
    dt: CacheLine,
    nodes: Vec<Constants>,
    motion: Vec<NodeState<A>>,
    rows: Vec<EliminatedLanes<A>>,
}

const ZERO: CacheLine = CacheLine::all(0.0);

/// Returns a line with one number per chain. Unused lanes hold the value of the first chain.
fn line<'a, C>(chains: &'a [C], number: impl Fn(&'a C) -> f64) -> CacheLine {
    let mut line = CacheLine::all(chains.first().map_or(0.0, &number));
    for (lane, chain) in line.0.iter_mut().zip(chains) {
        *lane = number(chain);
    }
    line
}

impl<const A: usize> Lanes<A> {
    fn new(first: &LaneChain<'_>, chains: &[LaneChain<'_>]) -> Self {
        let n = first.model.nodes();
        let spring = |chain: &LaneChain<'_>, j: usize| {
            let spring = chain.model.springs.get(j);
            spring.map_or((0.0, 0.0), |spring| (spring.stiffness, spring.rest_length))
        };
        let constants = |i: usize| Constants {
            mass: line(chains, |chain| chain.model.mass[i]),
            stiffness: line(chains, |chain| spring(chain, i).0),
            rest: line(chains, |chain| spring(chain, i).1),
        };
        let motion = NodeState { x: [ZERO; A], v: [ZERO; A] };
        let row = EliminatedLanes { upper: [[ZERO; A]; A], y: [ZERO; A] };
        Self {
            used: chains.len().min(LANES),
            pinned: first.model.pinned.clone(),
            terms: (0..first.terms.len()).filter_map(|index| term(chains, index)).collect(),
            dt: line(chains, |chain| chain.dt),
            nodes: (0..n).map(constants).collect(),
            motion: vec![motion; n],
            rows: vec![row; n],
        }
    }

    fn put(&mut self, lane: usize, state: &State) {
        let n = self.motion.len();
        for (i, node) in self.motion.iter_mut().enumerate() {
            for p in 0..A {
                node.x[p].put(lane, state.x[p * n + i]);
                node.v[p].put(lane, state.v[p * n + i]);
            }
        }
    }

    fn store(&self, lane: usize, state: &mut State) {
        let n = self.motion.len();
        for (i, node) in self.motion.iter().enumerate() {
            for p in 0..A {
                (state.x[p * n + i], state.v[p * n + i]) = (node.x[p].0[lane], node.v[p].0[lane]);
            }
        }
    }
}

/// A force of all chains; `None` for one without effect.
fn term<const A: usize>(chains: &[LaneChain<'_>], index: usize) -> Option<LaneTerm<A>> {
    let vector = |of: &dyn Fn(&Term<'_>) -> f64| line(chains, |chain| of(&chain.terms[index]));
    let mut vectors = [ZERO; A];
    for (axis, line) in vectors.iter_mut().enumerate() {
        *line = vector(&|term| match term {
            Term::Gravity { acceleration: vector } | Term::Drag { wind: vector, .. } => {
                vector[axis]
            }
            Term::Hooke(_) => 0.0,
        });
    }
    let resistance = |term: &Term<'_>| match term {
        Term::Drag { coefficient, .. } => *coefficient,
        _ => 0.0,
    };
    match chains.first()?.terms.get(index)? {
        Term::Gravity { .. } => Some(LaneTerm::Gravity { acceleration: vectors }),
        Term::Drag { .. } => Some(LaneTerm::Drag {
            coefficient: vector(&resistance),
            wind: vectors,
            in_matrix: line(chains, |chain| {
                let dt = chain.dt;
                -(dt * -resistance(&chain.terms[index]) + dt * dt * 0.0)
            }),
        }),
        Term::Hooke(Part::Held) => Some(LaneTerm::Springs),
        Term::Hooke(Part::Bending) => None,
    }
}

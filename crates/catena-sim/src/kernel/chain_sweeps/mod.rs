//! Position based dynamics along a chain as a wavefront: iterations within a step and consecutive
//! steps, many in one sweep through memory.
//!
//! A sweep in the order of springs looks sequential. However, the next sweep may process a spring
//! as soon as the current sweep has finished both of its nodes. There is a stage for each
//! iteration, two springs behind the previous stage. A node that a stage has finished is the input
//! of the next stage at the next tick.
//!
//! A stage is a vector: lane l + 1 processes the step after the step of lane l. Nodes pass from the
//! last stage of a lane to the first stage of the next lane. At this transition the step ends: the
//! velocity follows from the displacement, forces act, and the next position is predicted. The
//! first lane reads nodes from memory. The last one writes them back, so a node takes one step per
//! lane.
//!
//! Rounds follow each other without a pause. The chain is an endless stream of slots, node after
//! node and round after round, without a spring at the start of a round. Every lane processes a
//! node and a spring in the order of the plain loop, so results are bit-identical. Invalid
//! operations (a spring of length 0, the motion of a pin) are computed too, and a select discards
//! them.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod rounds;
mod rows;
mod stage;

use super::{
    node_forces::{Addend, NodeForces},
    swept_spring::Law,
};
use crate::body::Model;
use crate::force::Term;
use crate::instructions::Instructions;
use crate::lane::{WideSimd, WideWork};
use rows::Rows;
use stage::Wave;

pub use rounds::sweep;
pub use rows::Workspace;

/// A chain whose spring i joins nodes i and i + 1, and its parameters.
pub struct SweptChain<'a> {
    /// Masses, pins and springs.
    pub model: &'a Model,
    /// Inverse masses, 0 for pins.
    pub weights: &'a [f64],
    /// Whether a sweep runs from the last spring to the first.
    pub is_reversed: bool,
    /// Number of sweeps per step, at least 1.
    pub iterations: usize,
    /// The correction of springs.
    pub law: Law<'a>,
    /// All forces except springs.
    pub terms: &'a [Term<'a>],
    /// The time step, above 0.
    pub h: f64,
}

/// States at the start and at the end of a burst, flat by axis.
pub struct SweptStates<'a> {
    /// Positions and velocities at the start; `None` if `end` contains them.
    pub start: Option<[&'a [f64]; 2]>,
    /// Output of positions and velocities.
    pub end: [&'a mut [f64]; 2],
    /// Output of the tension of each held spring in the last step, if the law defines one.
    pub tension: &'a mut [f64],
}

/// Result of a burst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Number of steps taken, from the first on.
    pub steps: u64,
    /// Number of steps that have not converged.
    pub unconverged: u64,
}

/// Minimum number of nodes for which a wavefront is faster.
const MIN_NODES: usize = 8;

/// Maximum number of slots in stages at once, per node, for which two lanes are faster than the
/// plain loop. Rounds of wider vectors are faster if there are more slots than nodes.
const MAX_DEPTH: usize = 3;

/// Advances a chain by up to `count` steps, as many as lanes can take, possibly none. [`sweep`] or
/// the plain loop must take the remaining steps. A workspace may be used for one chain only.
/// Returns `None` and changes nothing if no kernel supports the chain or its forces.
pub fn advance(
    maximum: Instructions,
    chain: &SweptChain<'_>,
    mut motion: SweptStates<'_>,
    workspace: &mut Workspace,
    count: u64,
) -> Option<Done> {
    let mut done = Done::default();
    if chain.model.nodes() < MIN_NODES || !has_forces(chain) {
        return None;
    }
    for set in Instructions::ALL.into_iter().rev().filter(|set| *set as u8 <= maximum as u8) {
        let lanes = lanes(set) as u64;
        let steps = (count - done.steps) / lanes * lanes;
        let depth = chain.iterations.saturating_mul(2 * lanes as usize);
        // Two lanes do not wait for nodes of a short chain.
        let most_depth = match set {
            Instructions::Baseline if maximum == set => MAX_DEPTH * chain.model.nodes(),
            Instructions::Baseline => chain.model.nodes(),
            _ => chain.iterations.saturating_mul(2).saturating_add(chain.model.nodes()),
        };
        if steps == 0 || depth > most_depth {
            continue;
        }
        let start = motion.start.take();
        let [x, v] = &mut motion.end;
        let part = SweptStates { start, end: [x, v], tension: motion.tension };
        done.unconverged += run(set, chain, part, workspace, steps);
        done.steps += steps;
    }
    if let Some(start) = motion.start {
        if !rounds::fit(chain.model.nodes(), chain.iterations) {
            return None;
        }
        for (start, end) in start.into_iter().zip(motion.end) {
            end.copy_from_slice(start);
        }
    }
    Some(done)
}

/// Number of parallel steps with an instruction set.
fn lanes(set: Instructions) -> usize {
    match set {
        Instructions::Avx512 => 8,
        Instructions::Avx2 => 4,
        Instructions::Baseline => 2,
    }
}

/// Whether all forces are supported and act on each node alone.
fn has_forces(chain: &SweptChain<'_>) -> bool {
    fn acts<const D: usize>(chain: &SweptChain<'_>) -> bool {
        NodeForces::<D>::new(chain.terms).is_some_and(|forces| {
            let is_own = |addend| matches!(addend, Addend::Gravity | Addend::Drag);
            forces.order.into_iter().flatten().all(is_own)
        })
    }
    match chain.model.axes {
        2 => acts::<2>(chain),
        3 => acts::<3>(chain),
        _ => false,
    }
}

/// Takes `steps` steps, a multiple of the lanes, and returns the number of unconverged steps.
fn run(
    set: Instructions,
    chain: &SweptChain<'_>,
    motion: SweptStates<'_>,
    workspace: &mut Workspace,
    steps: u64,
) -> u64 {
    let rows = workspace.rows(chain, lanes(set), 2 * chain.iterations);
    match (chain.model.axes, chain.law) {
        (2, Law::Share(_)) => set.run_with(ChainSweeps::<2, false> { chain, motion, rows, steps }),
        (2, _) => set.run_with(ChainSweeps::<2, true> { chain, motion, rows, steps }),
        (_, Law::Share(_)) => set.run_with(ChainSweeps::<3, false> { chain, motion, rows, steps }),
        _ => set.run_with(ChainSweeps::<3, true> { chain, motion, rows, steps }),
    }
}

/// All steps of a chain. `GIVES` means that springs have a compliance.
struct ChainSweeps<'a, 'b, const D: usize, const GIVES: bool> {
    chain: &'a SweptChain<'b>,
    motion: SweptStates<'a>,
    rows: &'a Rows,
    steps: u64,
}

impl<const D: usize, const GIVES: bool> WideWork for ChainSweeps<'_, '_, D, GIVES> {
    /// Number of steps that did not converge.
    type Output = u64;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> u64 {
        let Self { chain, motion, rows, steps } = self;
        match NodeForces::<D>::new(chain.terms) {
            Some(forces) => {
                Wave::<S, D, GIVES>::new(simd, chain, motion, rows, &forces).roll(steps)
            }
            None => 0,
        }
    }
}

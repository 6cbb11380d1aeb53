//! Position based dynamics along a chain as a wavefront: iterations within a step and steps after
//! each other, many in one sweep through memory.
//!
//! A sweep in the order of springs looks sequential, but the next sweep may treat a spring as soon
//! as this one has finished both of its nodes. So there is a stage for each iteration, two springs
//! behind the stage before, and a node that a stage is done with is what the next stage receives at
//! the next tick. A stage is a vector: lane l + 1 treats the step after that of lane l. From the
//! last stage of a lane nodes go to the first stage of the next lane. There the step ends: the
//! velocity follows from the way, forces act, and the next prediction is made. The first lane reads
//! nodes from memory; the last one writes them back, as many steps later as there are lanes.
//!
//! Rounds follow each other without a pause: the chain is an endless stream of slots, node after
//! node and round after round, with no spring where a round begins. Every lane treats a node and a
//! spring as the plain loop does, in the same order, so all bits are the same. What must not happen
//! (a spring without length, the motion of a pin) is computed too, and a select discards it.

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
pub struct Chain<'a> {
    /// Masses, pins and springs.
    pub model: &'a Model,
    /// Inverse masses, 0 for pins.
    pub weights: &'a [f64],
    /// Whether a sweep goes from the last spring to the first.
    pub is_reversed: bool,
    /// Sweeps in a step, at least 1.
    pub iterations: usize,
    /// The correction of springs.
    pub law: Law<'a>,
    /// All forces but springs.
    pub terms: &'a [Term<'a>],
    /// The time step, above 0.
    pub h: f64,
}

/// States at the start and at the end of a burst, flat by axis.
pub struct SweptStates<'a> {
    /// Positions and velocities at the start; `None` where they stand at the end.
    pub start: Option<[&'a [f64]; 2]>,
    /// Receives positions and velocities.
    pub end: [&'a mut [f64]; 2],
    /// Receives the tension of each held spring in the last step, if the law knows one.
    pub tension: &'a mut [f64],
}

/// Result of a burst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Steps taken, from the first on.
    pub steps: u64,
    /// Number of steps that have not converged.
    pub unconverged: u64,
}

/// With fewer nodes a wavefront gains nothing.
const LEAST_NODES: usize = 8;

/// Slots in stages at once, as a multiple of the nodes, above which the plain loop is faster than
/// two lanes. Rounds of wider vectors are faster where there are more slots than nodes.
const MOST_DEPTH: usize = 3;

/// Moves a chain on by `count` steps, or by as many of them as lanes can take; [`sweep`] and the
/// plain loop have the rest, which may be all. A workspace belongs to one chain. `None` where no
/// kernel knows the chain or its forces; nothing has changed then.
pub fn advance(
    most: Instructions,
    chain: &Chain<'_>,
    mut motion: SweptStates<'_>,
    workspace: &mut Workspace,
    count: u64,
) -> Option<Done> {
    let mut done = Done::default();
    if chain.model.nodes() < LEAST_NODES || !has_forces(chain) {
        return None;
    }
    for set in Instructions::ALL.into_iter().rev().filter(|set| *set as u8 <= most as u8) {
        let lanes = lanes(set) as u64;
        let steps = (count - done.steps) / lanes * lanes;
        let depth = chain.iterations.saturating_mul(2 * lanes as usize);
        // A narrower vector does not wait for nodes of a short chain.
        let most_depth = match set {
            Instructions::Baseline if most == set => MOST_DEPTH * chain.model.nodes(),
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

/// Number of steps side by side with a set of instructions.
fn lanes(set: Instructions) -> usize {
    match set {
        Instructions::Avx512 => 8,
        Instructions::Avx2 => 4,
        Instructions::Baseline => 2,
    }
}

/// Whether all forces are known to act on each node alone.
fn has_forces(chain: &Chain<'_>) -> bool {
    fn acts<const D: usize>(chain: &Chain<'_>) -> bool {
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

/// Takes `steps` steps, a multiple of the lanes, and returns how many did not converge.
fn run(
    set: Instructions,
    chain: &Chain<'_>,
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

/// All steps of a chain. `GIVES` says that springs have a compliance.
struct ChainSweeps<'a, 'b, const D: usize, const GIVES: bool> {
    chain: &'a Chain<'b>,
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

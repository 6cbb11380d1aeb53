//! Many simulations at once: those that a kernel can advance side by side go together, the others
//! one by one.
//!
//! Which go together changes no bit: every simulation ends as it would after
//! [`Simulation::advance_frame`].

use super::interleaved::{self, Interleaved};
use super::{Setup, Simulation};
use crate::instructions::Instructions;
use crate::kernel::chain_lanes::{self, LANES, LaneChains, LaneMotions};
use std::{borrow::BorrowMut, hint::black_box, sync::Arc};

/// With fewer lanes in use, each simulation's own kernel is as fast.
const LEAST: usize = LANES / 8;

/// Advances many simulations; keeps its room, and who goes with whom, from frame to frame.
#[derive(Default)]
pub struct Batch {
    groups: Vec<LaneGroup>,
    bodies: Vec<Interleaved>,
    motions: LaneMotions,
    /// Simulations in no group, by number.
    alone: Vec<usize>,
    /// Of each simulation: its setup, and whether it was free.
    known: Vec<(Arc<Setup>, bool)>,
}

/// Simulations of one shape, a lane each.
struct LaneGroup {
    /// By number, in order of the lanes.
    numbers: Vec<usize>,
    /// Their setups in the lanes, which is all that does not change.
    chains: LaneChains,
}

impl Batch {
    /// Takes all steps of one frame in every simulation and returns how many of them were in lanes.
    /// Those that diverged there have taken the frame once more by themselves.
    pub fn advance_frames<S: BorrowMut<Simulation>>(&mut self, simulations: &mut [S]) -> usize {
        let mut all = simulations.iter().map(S::borrow).zip(&self.known);
        let are_known = self.known.len() == simulations.len()
            && all.all(|(simulation, (setup, is_free))| {
                Arc::ptr_eq(simulation.setup(), setup) && simulation.is_free() == *is_free
            });
        if !are_known {
            self.regroup(simulations);
        }
        for &number in &self.alone {
            simulations[number].borrow_mut().advance_frame();
        }
        let Self { groups, bodies, motions, .. } = self;
        let in_lanes: usize =
            groups.iter().map(|group| group.advance_frame(motions, simulations)).sum();
        in_lanes + bodies.iter_mut().map(|body| body.advance_frame(simulations)).sum::<usize>()
    }

    /// Says who goes with whom.
    fn regroup<S: BorrowMut<Simulation>>(&mut self, simulations: &mut [S]) {
        let Self { groups, bodies, alone, known, .. } = self;
        known.clear();
        alone.clear();
        groups.clear();
        bodies.clear();
        let mut shapes: Vec<Vec<usize>> = Vec::new();
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        for (number, simulation) in simulations.iter_mut().map(S::borrow_mut).enumerate() {
            let setup = Arc::clone(simulation.setup());
            known.push((Arc::clone(&setup), simulation.is_free()));
            if !chain_lanes::fits(&setup.model) || simulation.lane().is_none() {
                let is_alike =
                    |kind: &&mut Vec<usize>| interleaved::are_alike(&known[kind[0]].0, &setup);
                match kinds.iter_mut().rev().find(is_alike) {
                    _ if !interleaved::fits(simulation) => alone.push(number),
                    Some(kind) => kind.push(number),
                    None => kinds.push(vec![number]),
                }
                continue;
            }
            let is_alike = |group: &&mut Vec<usize>| have_one_shape(&known[group[0]].0, &setup);
            match shapes.iter_mut().rev().find(is_alike) {
                Some(group) => group.push(number),
                None => shapes.push(vec![number]),
            }
        }
        for numbers in kinds.iter().flat_map(|kind| kind.chunks(interleaved::MOST)) {
            if numbers.len() < interleaved::LEAST {
                alone.extend(numbers);
                continue;
            }
            let setups: Vec<_> = numbers.iter().map(|n| Arc::clone(&known[*n].0)).collect();
            bodies.push(Interleaved::new(numbers, &setups));
        }
        for numbers in shapes.iter().flat_map(|group| group.chunks(LANES)) {
            if numbers.len() < LEAST {
                alone.extend(numbers);
                continue;
            }
            let mut chains = LaneChains::default();
            for (place, &number) in numbers.iter().enumerate() {
                let simulation = simulations[number].borrow_mut();
                if let Some((setup, _, lane)) = simulation.lane() {
                    chains.put(place, &setup.model, setup.dt(), &lane);
                }
            }
            groups.push(LaneGroup { numbers: numbers.to_vec(), chains });
        }
    }
}

impl LaneGroup {
    /// One frame. Says how many were in lanes.
    fn advance_frame<S: BorrowMut<Simulation>>(
        &self,
        motions: &mut LaneMotions,
        simulations: &mut [S],
    ) -> usize {
        let Self { numbers, chains } = self;
        let Some(substeps) = self.load(motions, simulations) else {
            numbers.iter().for_each(|&number| simulations[number].borrow_mut().advance_frame());
            return 0;
        };
        chains.advance(Instructions::best(), motions, substeps);
        for (lane, &number) in numbers.iter().enumerate() {
            let (end, memory) = motions.take(chains, lane);
            simulations[number].borrow_mut().arrive(end, memory);
        }
        numbers.len()
    }

    /// Loads all into their lanes and returns the steps of a frame; `None` where one has no lane
    /// any more.
    fn load<S: BorrowMut<Simulation>>(
        &self,
        motions: &mut LaneMotions,
        simulations: &mut [S],
    ) -> Option<u64> {
        let mut substeps = None;
        for &number in &self.numbers {
            let (setup, state, lane) = simulations[number].borrow_mut().lane()?;
            substeps = Some(setup.substeps);
            fetch([&state.x, &state.v, lane.last]);
        }
        for (place, &number) in self.numbers.iter().enumerate() {
            let (_, state, lane) = simulations[number].borrow_mut().lane()?;
            motions.put(&self.chains, place, state, lane.last);
        }
        substeps
    }
}

/// Reads a number of each cache line. Many simulations leave the fast part of memory from frame to
/// frame; this way it is waited for once for all of a group, not for each in turn.
fn fetch(lists: [&[f64]; 3]) {
    let lines = lists.into_iter().flat_map(|list| list.iter().step_by(8));
    black_box(lines.fold(0, |bits, number| bits | number.to_bits()));
}

/// Whether chains of two setups can be lanes of one kernel.
fn have_one_shape(one: &Setup, other: &Setup) -> bool {
    one.substeps == other.substeps
        && one.model.axes == other.model.axes
        && one.model.pinned == other.model.pinned
}

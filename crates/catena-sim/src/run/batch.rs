//! Advances many simulations at once. Simulations that a kernel can advance side by side form
//! groups; the others advance one by one.
//!
//! Grouping does not change results: every simulation ends bit-identical to one after
//! [`Simulation::advance_frame`].

use super::implicit_lanes::{self, ImplicitGroup};
use super::interleaved::{self, Interleaved};
use super::ledger::{LaneStates, LedgerEntry, SideBySideLedgers};
use super::{Setup, Simulation};
use crate::body::Arrangement;
use crate::force::Term;
use crate::instructions::Instructions;
use crate::kernel::chain_lanes::{self, LANES, LaneChains, LaneMotions};
use crate::method::SideBySide;
use crate::run::entries::{entries, ledgers_of};
use std::{
    borrow::BorrowMut,
    hint::black_box,
    mem::{Discriminant, discriminant},
    ops::RangeInclusive,
    sync::Arc,
};

/// Minimum number of used lanes. With fewer lanes, each simulation's own kernel is as fast.
const MIN: usize = LANES / 8;

/// Maximum number of nodes for which groups take less time than a kernel of whole frames of one
/// body: in general, and under springs and gravity alone.
const FASTER_THAN_KERNEL: [usize; 2] = [16, 32];

/// Advances many simulations; keeps its buffers and its groups from frame to frame.
#[derive(Default)]
pub struct Batch {
    groups: Vec<LaneGroup>,
    implicit: Vec<ImplicitGroup>,
    bodies: Vec<Interleaved>,
    motions: LaneMotions,
    /// Indices of the simulations outside all groups.
    alone: Vec<usize>,
    /// Setup of each simulation at the last regrouping, whether the simulation was free, and
    /// whether it kept a ledger.
    known: Vec<(Arc<Setup>, [bool; 2])>,
}

/// Kind of group that similar simulations form. The order matches the lists of a batch.
#[derive(Clone, Copy)]
pub(super) enum Company {
    /// Chains of one shape, one lane per chain.
    Shapes,
    /// Chains whose matrices are solved together.
    Solved,
    /// Variants interleaved into one body.
    Interleaved,
}

impl Company {
    /// Returns the kind of group that a simulation can join; `None` if it advances alone.
    pub(super) fn of(simulation: &mut Simulation) -> Option<Self> {
        let (fits, company) = match simulation.setup().method.side_by_side() {
            SideBySide::Alone => return None,
            SideBySide::Lanes => {
                let fits = chain_lanes::fits(&simulation.setup().model);
                (fits && simulation.lane().is_some(), Self::Shapes)
            }
            SideBySide::Solved => (implicit_lanes::fits(simulation), Self::Solved),
            SideBySide::Interleaved => (interleaved::fits(simulation), Self::Interleaved),
        };
        (fits && company.pays_off(simulation)).then_some(company)
    }

    /// Whether a simulation that fits takes less time in a group than alone. Long ropes fill
    /// vectors and caches on their own, and a kernel of whole frames keeps its numbers in
    /// registers. Ledgers cost far more alone.
    fn pays_off(self, simulation: &Simulation) -> bool {
        if simulation.ledger().is_some() {
            return true;
        }
        let setup = simulation.setup();
        let maximum = match self {
            _ if setup.has_kernel_alone() => FASTER_THAN_KERNEL[usize::from(are_uniform(setup))],
            Self::Shapes | Self::Solved => usize::MAX,
            Self::Interleaved => match setup.model.arrangement {
                Arrangement::Chain => interleaved::FASTER_CHAIN_NODES,
                _ => interleaved::FASTER_NODES,
            },
        };
        setup.model.nodes() <= maximum
    }

    /// Allowed number of simulations per group.
    pub(super) fn counts(self) -> RangeInclusive<usize> {
        match self {
            Self::Shapes => MIN..=LANES,
            Self::Solved => implicit_lanes::MIN..=implicit_lanes::MAX,
            Self::Interleaved => interleaved::MIN..=interleaved::MAX,
        }
    }
}

/// Simulations of one shape, one lane per simulation.
struct LaneGroup {
    /// Simulation indices in the order of the lanes.
    numbers: Vec<usize>,
    /// Constant data of the setups, by lane.
    chains: LaneChains,
    ledgers: Option<SideBySideLedgers>,
}

impl Batch {
    /// Takes all steps of one frame in every simulation. Returns the number of simulations that
    /// advanced in lanes. A simulation that diverges in a lane repeats the frame on its own.
    pub fn advance_frames<S: BorrowMut<Simulation>>(&mut self, simulations: &mut [S]) -> usize {
        self.advance(&mut simulations.iter_mut().map(S::borrow_mut).collect::<Vec<_>>())
    }

    /// Advances references to simulations. This function takes one type, because generic functions
    /// are compiled with the options of the calling crate.
    fn advance(&mut self, simulations: &mut [&mut Simulation]) -> usize {
        let mut all = simulations.iter().zip(&self.known);
        let are_known = self.known.len() == simulations.len()
            && all.all(|(simulation, (setup, conditions))| {
                Arc::ptr_eq(simulation.setup(), setup) && simulation.conditions() == *conditions
            });
        if !are_known {
            self.regroup(simulations);
        }
        for &number in &self.alone {
            simulations[number].advance_frame();
        }
        let Self { groups, implicit, bodies, motions, .. } = self;
        let in_lanes: usize =
            groups.iter_mut().map(|group| group.advance_frame(motions, simulations)).sum();
        let solved: usize = implicit.iter_mut().map(|group| group.advance_frame(simulations)).sum();
        let in_bodies: usize = bodies.iter_mut().map(|body| body.advance_frame(simulations)).sum();
        in_lanes + solved + in_bodies
    }

    /// Assigns simulations to groups.
    fn regroup(&mut self, simulations: &mut [&mut Simulation]) {
        let Self { groups, implicit, bodies, alone, known, .. } = self;
        known.clear();
        alone.clear();
        groups.clear();
        implicit.clear();
        bodies.clear();
        let mut all = [
            SetupKind::new(have_one_shape, Company::Shapes.counts()),
            SetupKind::new(implicit_lanes::are_alike, Company::Solved.counts()),
            SetupKind::new(interleaved::are_alike, Company::Interleaved.counts()),
        ];
        for (number, simulation) in simulations.iter_mut().enumerate() {
            known.push((Arc::clone(simulation.setup()), simulation.conditions()));
            match Company::of(simulation) {
                Some(company) => all[company as usize].add(number, known),
                None => alone.push(number),
            }
        }
        let [shapes, chains, kinds] = all;
        let setups = |numbers: &[usize]| -> Vec<_> {
            numbers.iter().map(|number| Arc::clone(&known[*number].0)).collect()
        };
        for numbers in shapes.groups(alone) {
            let mut chains = LaneChains::default();
            for (place, &number) in numbers.iter().enumerate() {
                let simulation = &mut *simulations[number];
                if let Some((setup, _, lane)) = simulation.lane() {
                    chains.put(place, &setup.model, setup.dt(), &lane);
                }
            }
            let ledgers = ledgers_of(&numbers, simulations, &setups(&numbers));
            groups.push(LaneGroup { numbers, chains, ledgers });
        }
        for numbers in chains.groups(alone) {
            let setups = setups(&numbers);
            let ledgers = ledgers_of(&numbers, simulations, &setups);
            match ImplicitGroup::new(&numbers, &setups, ledgers) {
                Some(group) => implicit.push(group),
                None => alone.extend(numbers),
            }
        }
        for numbers in kinds.groups(alone) {
            let setups = setups(&numbers);
            let ledgers = ledgers_of(&numbers, simulations, &setups);
            bodies.push(Interleaved::new(&numbers, &setups, ledgers));
        }
    }
}

/// Simulations of one kind, some of which form groups.
struct SetupKind {
    /// Tests whether two simulations can share a group.
    are_alike: fn(&Setup, &Setup) -> bool,
    /// Allowed number of simulations per group.
    count: RangeInclusive<usize>,
    /// Lists of simulation indices; the simulations of a list can share a group.
    lists: Vec<Vec<usize>>,
}

impl SetupKind {
    fn new(are_alike: fn(&Setup, &Setup) -> bool, count: RangeInclusive<usize>) -> Self {
        Self { are_alike, count, lists: Vec::new() }
    }

    /// Adds a simulation, the last entry of `known`.
    fn add(&mut self, number: usize, known: &[(Arc<Setup>, [bool; 2])]) {
        let is_like = |list: &&mut Vec<usize>| {
            let (one, other) = (&known[list[0]], &known[number]);
            let [_, keeps_ledger] = one.1;
            one.1 == other.1
                && (self.are_alike)(&one.0, &other.0)
                // A ledger evaluates each force at its index in the list.
                && (!keeps_ledger || interleaved::have_like_forces(&one.0, &other.0))
        };
        match self.lists.iter_mut().rev().find(is_like) {
            Some(list) => list.push(number),
            None => self.lists.push(vec![number]),
        }
    }

    /// Returns the groups. Simulations outside all groups are appended to `alone`.
    fn groups(&self, alone: &mut Vec<usize>) -> Vec<Vec<usize>> {
        let groups = self.lists.iter().flat_map(|list| list.chunks(*self.count.end()));
        let (groups, few): (Vec<_>, Vec<_>) =
            groups.map(<[usize]>::to_vec).partition(|group| group.len() >= *self.count.start());
        alone.extend(few.concat());
        groups
    }
}

impl LaneGroup {
    /// Advances one frame. Returns the number of simulations that advanced in lanes.
    fn advance_frame(
        &mut self,
        motions: &mut LaneMotions,
        simulations: &mut [&mut Simulation],
    ) -> usize {
        let loaded = self.load(motions, simulations);
        let Self { numbers, chains, ledgers } = self;
        let Some(substeps) = loaded else {
            numbers.iter().for_each(|&number| simulations[number].advance_frame());
            return 0;
        };
        let mut booked: &[LedgerEntry] = &[];
        match ledgers {
            None => chains.advance(Instructions::best(), motions, substeps),
            Some(ledgers) => {
                ledgers.begin(&(&*chains, &*motions), entries(numbers, simulations));
                for _ in 0..substeps {
                    chains.advance(Instructions::best(), motions, 1);
                    ledgers.book(&(&*chains, &*motions));
                }
                booked = ledgers.end();
            }
        }
        for (lane, &number) in numbers.iter().enumerate() {
            let (end, memory) = motions.state_of_lane(chains, lane);
            simulations[number].arrive(end, memory, booked.get(lane));
        }
        numbers.len()
    }

    /// Loads all simulations into their lanes and returns the number of steps per frame; `None` if
    /// one of them no longer fits a lane.
    fn load(&self, motions: &mut LaneMotions, simulations: &mut [&mut Simulation]) -> Option<u64> {
        let mut substeps = None;
        for &number in &self.numbers {
            let (setup, state, lane) = simulations[number].lane()?;
            substeps = Some(setup.substeps);
            fetch([&state.x, &state.v, lane.last]);
        }
        for (place, &number) in self.numbers.iter().enumerate() {
            let (_, state, lane) = simulations[number].lane()?;
            motions.put(&self.chains, place, state, lane.last);
        }
        substeps
    }
}

impl LaneStates for (&LaneChains, &LaneMotions) {
    fn x(&self, axis: usize, node: usize) -> &[f64] {
        self.1.x(self.0, axis, node)
    }

    fn v(&self, axis: usize, node: usize) -> &[f64] {
        self.1.v(self.0, axis, node)
    }
}

/// Reads one number per cache line to bring the data of a group into the cache. The data of many
/// simulations leaves the cache between frames. Fetching a whole group waits for memory only once.
fn fetch(lists: [&[f64]; 3]) {
    let lines = lists.into_iter().flat_map(|list| list.iter().step_by(8));
    black_box(lines.fold(0, |bits, number| bits | number.to_bits()));
}

/// Whether the chains of two setups can be lanes of one kernel.
fn have_one_shape(one: &Setup, other: &Setup) -> bool {
    one.substeps == other.substeps
        && one.model.axes == other.model.axes
        && one.model.pinned == other.model.pinned
        && (are_uniform(one) && are_uniform(other) || kinds(one).eq(kinds(other)))
}

/// Iterates over the kinds of all forces except springs, in order.
fn kinds(setup: &Setup) -> impl Iterator<Item = Option<Discriminant<Term<'_>>>> {
    let external = setup.forces.iter().filter(|force| !force.is_elastic());
    external.map(|force| force.term().as_ref().map(discriminant))
}

/// Whether all forces of `kinds` are gravity, so that their sum is a constant.
fn are_uniform(setup: &Setup) -> bool {
    let gravity = discriminant(&Term::Gravity { acceleration: &[] });
    kinds(setup).all(|kind| kind == Some(gravity))
}

//! Variants of a rope under implicit Euler, one lane per variant.

use super::ledger::{LaneStates, LedgerEntry, SideBySideLedgers};
use super::{Setup, Simulation};
use crate::body::State;
use crate::instructions::Instructions;
use crate::kernel::chain_implicit::lanes::{ImplicitLanes, LANES, LaneChain};
use crate::run::entries::entries;
use std::sync::Arc;

/// Maximum number of variants per group.
pub(super) const MAX: usize = LANES;

/// Minimum number of variants per group. Two variants in a vector take less time than two separate
/// chains.
pub(super) const MIN: usize = 2;

/// Variants whose matrices are solved together.
pub(super) struct ImplicitGroup {
    /// Simulation indices in the order of the lanes.
    numbers: Vec<usize>,
    lanes: ImplicitLanes,
    ledgers: Option<SideBySideLedgers>,
    /// Buffer for the state of one variant.
    own: State,
}

impl LaneStates for ImplicitLanes {
    fn x(&self, axis: usize, node: usize) -> &[f64] {
        self.x(axis, node)
    }

    fn v(&self, axis: usize, node: usize) -> &[f64] {
        self.v(axis, node)
    }
}

/// The chain of a setup; `None` if kernels do not support its forces.
fn chain(setup: &Setup) -> Option<LaneChain<'_>> {
    let terms: Option<_> = setup.forces.iter().map(|force| force.term()).collect();
    Some(LaneChain { model: &setup.model, terms: terms?, dt: setup.dt() })
}

/// Whether a run can join a group of lanes.
pub(super) fn fits(simulation: &Simulation) -> bool {
    let setup = simulation.setup();
    setup.is_plain()
        && simulation.is_free()
        && !setup.step_control.chooses_steps()
        && chain(setup).is_some_and(|chain| chain.fits())
}

/// Whether two runs that fit can share a group.
pub(super) fn are_alike(one: &Setup, other: &Setup) -> bool {
    one.substeps == other.substeps
        && chain(one).zip(chain(other)).is_some_and(|(one, other)| one.is_like(&other))
}

impl ImplicitGroup {
    /// Creates one group of similar runs; `None` for an empty list.
    pub(super) fn new(
        numbers: &[usize],
        setups: &[Arc<Setup>],
        ledgers: Option<SideBySideLedgers>,
    ) -> Option<Self> {
        let chains: Option<Vec<_>> = setups.iter().map(|setup| chain(setup)).collect();
        let lanes = ImplicitLanes::new(&chains?)?;
        let own = setups.first()?.initial.clone();
        Some(Self { numbers: numbers.to_vec(), lanes, ledgers, own })
    }

    /// Advances all runs by one frame and returns the number of runs that advanced together. This
    /// is 0 if one run no longer fits the group or a matrix has no solution, and otherwise all of
    /// them.
    pub(super) fn advance_frame(&mut self, simulations: &mut [&mut Simulation]) -> usize {
        let Self { numbers, lanes, ledgers, own } = self;
        let are_free = numbers.iter().all(|&number| simulations[number].is_free());
        let mut substeps = 0;
        for (lane, &number) in numbers.iter().enumerate() {
            let simulation = &*simulations[number];
            substeps = simulation.setup().substeps;
            lanes.put(lane, simulation.state());
        }
        let mut booked: &[LedgerEntry] = &[];
        let are_solved = match ledgers {
            _ if !are_free => false,
            None => lanes.advance(Instructions::best(), substeps),
            Some(ledgers) => {
                ledgers.begin(lanes, entries(numbers, simulations));
                let are_solved = (0..substeps).all(|_| {
                    let is_solved = lanes.advance(Instructions::best(), 1);
                    ledgers.book(lanes);
                    is_solved
                });
                booked = ledgers.end();
                are_solved
            }
        };
        if !are_solved {
            numbers.iter().for_each(|&number| simulations[number].advance_frame());
            return 0;
        }
        for (lane, &number) in numbers.iter().enumerate() {
            lanes.store(lane, own);
            simulations[number].arrive(own, &[], booked.get(lane));
        }
        numbers.len()
    }
}

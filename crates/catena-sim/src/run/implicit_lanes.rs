//! Variants of a rope under implicit Euler, a lane each.

use super::{Setup, Simulation};
use crate::body::State;
use crate::instructions::Instructions;
use crate::kernel::chain_implicit::lanes::{ImplicitLanes, LANES, LaneChain};
use std::{borrow::BorrowMut, sync::Arc};

/// The most variants in one group.
pub(super) const MOST: usize = LANES;

/// The fewest for which it is worth it: a vector takes less time than two chains alone.
pub(super) const LEAST: usize = 2;

/// Variants whose matrices are solved together.
pub(super) struct ImplicitGroup {
    /// By number, in order of the lanes.
    numbers: Vec<usize>,
    lanes: ImplicitLanes,
    /// The state of one.
    own: State,
}

/// The chain of a setup; `None` where kernels do not know its forces.
fn chain(setup: &Setup) -> Option<LaneChain<'_>> {
    let terms: Option<_> = setup.forces.iter().map(|force| force.term()).collect();
    Some(LaneChain { model: &setup.model, terms: terms?, dt: setup.dt() })
}

/// Whether a run can be one of several in lanes.
pub(super) fn fits(simulation: &Simulation) -> bool {
    let setup = simulation.setup();
    setup.method.solves_once()
        && setup.is_plain()
        && simulation.is_free()
        && !setup.step_control.chooses_steps()
        && chain(setup).is_some_and(|chain| chain.fits())
}

/// Whether two runs that fit can be in one group.
pub(super) fn are_alike(one: &Setup, other: &Setup) -> bool {
    one.substeps == other.substeps
        && chain(one).zip(chain(other)).is_some_and(|(one, other)| one.is_like(&other))
}

impl ImplicitGroup {
    /// Makes one group of runs that are alike; `None` where there are none.
    pub(super) fn new(numbers: &[usize], setups: &[Arc<Setup>]) -> Option<Self> {
        let chains: Option<Vec<_>> = setups.iter().map(|setup| chain(setup)).collect();
        let lanes = ImplicitLanes::new(&chains?)?;
        Some(Self { numbers: numbers.to_vec(), lanes, own: setups.first()?.initial.clone() })
    }

    /// Takes one frame with all of them, and says how many were together: all, or none where one
    /// has left the others or a matrix has no solution.
    pub(super) fn advance_frame<S: BorrowMut<Simulation>>(
        &mut self,
        simulations: &mut [S],
    ) -> usize {
        let Self { numbers, lanes, own } = self;
        let are_free = numbers.iter().all(|&number| simulations[number].borrow().is_free());
        let mut substeps = 0;
        for (lane, &number) in numbers.iter().enumerate() {
            let simulation = simulations[number].borrow();
            substeps = simulation.setup().substeps;
            lanes.put(lane, simulation.state());
        }
        if !are_free || !lanes.advance(Instructions::best(), substeps) {
            numbers.iter().for_each(|&number| simulations[number].borrow_mut().advance_frame());
            return 0;
        }
        for (lane, &number) in numbers.iter().enumerate() {
            lanes.take(lane, own);
            simulations[number].borrow_mut().arrive(own, &[]);
        }
        numbers.len()
    }
}

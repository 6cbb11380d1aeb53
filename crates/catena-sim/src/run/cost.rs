//! Estimates the cost of a setup's steps and frames, in nanoseconds of one core.

use super::{Setup, Simulation, batch::Company};
use crate::body::Arrangement;
use crate::budget::Prices;
use crate::drive::event::{Event, Trigger};
use crate::force::rod::RodKind;

/// Base cost of a frame, independent of the body.
const FRAME: u128 = 2000;
/// Base cost of a step, first in general and then inside a kernel.
const STEP: u64 = 50;
const KERNEL_STEP: u64 = 60;
/// Base cost of an evaluation of forces, a sweep and a linear system.
const EVALUATION: u64 = 50;
const SWEEP: u64 = 20;
const SOLUTION: u64 = 500;
/// Extra evaluations of forces per step while an energy ledger is kept.
const LOOKS: u64 = 6;
/// Cost per node of an evaluation of forces.
const NODE: u64 = 4;
/// Cost per spring of an evaluation of forces.
const SPRING: u64 = 8;
/// Cost per node of one additional force and of one collider.
const BESIDE_FORCE: u64 = 8;
const BESIDE_COLLIDER: u64 = 20;
/// Cost of a moving collider per step: its position and its velocity.
const MOTION: u64 = 500;
/// Cost of a spring in a sweep.
const HELD_SPRING: u64 = 20;
/// Cost of the setup that an event makes, and of each node or spring in it.
const CHANGE: u128 = 5000;
const CHANGE_PART: u128 = 25;
/// Cost of a node or a spring in the solution of a linear system.
const UNKNOWN: u64 = 80;

/// Cost per node of a rod: of an evaluation of its force, without and with a span that twists or
/// sections with an orientation, and of its part of a linear system, without and with the angles of
/// sections.
const ROD: u64 = 25;
const TWISTED_ROD: u64 = 200;
const FRAMED_ROD: u64 = 1000;
const ROD_UNKNOWN: u64 = 400;
const FRAMED_UNKNOWN: u64 = 1500;

/// Cost per step of an event that has not happened.
const EVENT: u64 = 10;

/// Cost of a node of a body that touches itself: the search for its neighbours.
const OWN: u64 = 60;

/// Cost of a node under contact of everything that is drawn, if nothing is near.
const DRAWN: u64 = 60;

/// Actual time of a frame on processors of 2024, in thousandths of its estimated cost, for a run on
/// its own. The estimates assume slower processors, so that limits are safe.
const ALONE: u128 = 400;
/// Actual time of solved chains in thousandths of the cost: alone and in lanes.
const SOLVED_ALONE: u128 = 100;
const SOLVED: u128 = 30;
/// Actual time of chains in lanes of a kernel, in thousandths of the cost.
const IN_LANES: u128 = 300;
/// Actual time of interleaved bodies, in thousandths of the cost without a kernel.
const INTERLEAVED: u128 = 110;
/// Actual time of any group that keeps ledgers, in thousandths of the cost with a ledger.
const KEEPING_LEDGERS: u128 = 140;

impl Setup {
    /// Costs of the parts of a step for this setup's body.
    pub fn prices(&self) -> Prices {
        let setup = self;
        let (nodes, springs) = (setup.model.nodes() as u64, setup.model.springs.len() as u64);
        // The costs of nodes and springs include gravity and springs.
        let usual = setup.forces.iter().filter(|force| force.price(&setup.model).is_none()).count();
        let forces = usual.saturating_sub(2) as u64;
        let priced: u64 = setup.forces.iter().filter_map(|force| force.price(&setup.model)).sum();
        let [rod_forces, rod_unknowns] = setup.rods().map_or([0; 2], |rods| {
            rods.count_nodes().into_iter().fold([0; 2], |[forces, unknowns], (kind, nodes)| {
                let (force, unknown) = match kind {
                    RodKind::Bent => (ROD, ROD_UNKNOWN),
                    RodKind::Twisted => (TWISTED_ROD, ROD_UNKNOWN),
                    RodKind::Framed => (FRAMED_ROD, FRAMED_UNKNOWN),
                };
                [forces + force * nodes as u64, unknowns + unknown * nodes as u64]
            })
        });
        let colliders = setup.contacts.colliders.len() as u64;
        let moving = setup.contacts.colliders.iter().filter(|it| it.motion().is_some()).count();
        let own = match (&setup.contacts.own, &setup.contacts.drawn) {
            (Some(_), _) => OWN * nodes,
            (None, Some(_)) => DRAWN * nodes,
            (None, None) => 0,
        };
        Prices {
            evaluation: EVALUATION
                + NODE * nodes
                + SPRING * springs
                + BESIDE_FORCE * nodes * forces
                + priced
                + rod_forces,
            sweep: SWEEP + HELD_SPRING * setup.model.held as u64,
            solution: SOLUTION + UNKNOWN * (nodes + springs) + rod_unknowns,
            rest: STEP
                + BESIDE_COLLIDER * nodes * colliders
                + MOTION * moving as u64
                + own
                + self.events_cost(springs),
        }
    }

    /// Cost per step of checking the events.
    fn events_cost(&self, springs: u64) -> u64 {
        let cost = |event: &Event| match &event.trigger {
            Trigger::When(condition) if condition.reads_all() => EVENT + SPRING * springs,
            _ => EVENT,
        };
        self.events.iter().map(cost).sum()
    }

    /// Minimum cost of a step, in nanoseconds of one core, approximately.
    pub fn step_cost(&self) -> u64 {
        let cost = self.step_control.cost(self.method.as_ref());
        let parts = (self.model.nodes() + self.model.springs.len()) as u64;
        let kernel = match self.model.arrangement {
            Arrangement::Chain => cost.rope_kernel,
            Arrangement::Sheet { .. } => cost.sheet_kernel,
            Arrangement::Parts => None,
        };
        match kernel.filter(|_| self.may_burst()) {
            Some(price) => KERNEL_STEP.saturating_add(price.saturating_mul(parts)),
            None => self.prices().step(cost),
        }
    }

    /// Whether a kernel of the method can take whole frames.
    fn may_burst(&self) -> bool {
        let is_fixed = !self.step_control.chooses_steps();
        is_fixed && self.is_plain() && self.forces.iter().all(|force| force.term().is_some())
    }

    /// Minimum cost of a frame, in nanoseconds of one core, approximately.
    pub fn frame_cost(&self) -> u128 {
        FRAME + u128::from(self.step_cost()) * u128::from(self.substeps)
    }

    /// Cost of a frame without a kernel, in nanoseconds of one core.
    fn plain_frame_cost(&self) -> u128 {
        let cost = self.step_control.cost(self.method.as_ref());
        FRAME + u128::from(self.prices().step(cost)) * u128::from(self.substeps)
    }

    /// Minimum cost of all events, in nanoseconds of one core, approximately. Each event makes a
    /// new setup, and a cut visits all springs.
    pub fn changes_cost(&self) -> u128 {
        let parts = (self.model.nodes() + self.model.springs.len()) as u128;
        self.events.len() as u128 * (CHANGE + CHANGE_PART * parts)
    }

    /// Minimum cost of a frame while an energy ledger is kept. No kernel takes whole frames then,
    /// and forces and energies are evaluated more often. Limits use this value for runs side by
    /// side as well.
    pub fn ledger_cost(&self) -> u128 {
        let prices = self.prices();
        let cost = self.step_control.cost(self.method.as_ref());
        let a_step = prices.step(cost).saturating_add(prices.evaluation.saturating_mul(LOOKS));
        FRAME + u128::from(a_step) * u128::from(self.substeps)
    }

    /// Whether a run may cost more than the estimate. The excess is counted while it runs.
    pub fn is_open(&self) -> bool {
        self.step_control.cost(self.method.as_ref()).is_open || !self.contacts.is_empty()
    }
}

/// Estimated time of a frame in nanoseconds of one core, for one of `count` similar simulations
/// that a [`super::batch::Batch`] advances. Use it for planning; its accuracy depends on the
/// processor. Limits use [`Setup::frame_cost`], which assumes a slower processor.
pub fn frame_time_among(simulation: &mut Simulation, count: usize) -> u128 {
    let company = Company::of(simulation);
    let setup = simulation.setup();
    let is_together = company.is_some_and(|company| count >= *company.counts().start());
    let (price, share) = match company {
        _ if simulation.ledger().is_some() => {
            (setup.ledger_cost(), if is_together { KEEPING_LEDGERS } else { ALONE })
        }
        Some(Company::Shapes) if is_together => (setup.frame_cost(), IN_LANES),
        Some(Company::Solved) if is_together => (setup.frame_cost(), SOLVED),
        Some(Company::Solved) => (setup.frame_cost(), SOLVED_ALONE),
        Some(Company::Interleaved) if is_together => (setup.plain_frame_cost(), INTERLEAVED),
        _ => (setup.frame_cost(), ALONE),
    };
    price.saturating_mul(share) / 1000
}

//! What the parts of a step of a setup take, in nanoseconds of one core.

use super::{Setup, Simulation, batch::Company};
use crate::body::Arrangement;
use crate::budget::Prices;
use crate::drive::event::{Event, Trigger};

/// A frame of a body, whatever is in it.
const FRAME: u128 = 2000;
/// A step, whatever is in it, and one that a kernel takes.
const STEP: u64 = 50;
const KERNEL_STEP: u64 = 60;
/// An evaluation of forces, a sweep and a linear system, whatever is in them.
const EVALUATION: u64 = 50;
const SWEEP: u64 = 20;
const SOLUTION: u64 = 500;
/// Evaluations of forces in a step beside those of the method, where an energy ledger is kept.
const LOOKS: u64 = 6;
/// A node in an evaluation of forces.
const NODE: u64 = 4;
/// A spring in an evaluation of forces.
const SPRING: u64 = 8;
/// A node beside a listed force, and beside a collider.
const BESIDE_FORCE: u64 = 8;
const BESIDE_COLLIDER: u64 = 20;
/// A collider that moves: its place and its speed in each step.
const MOTION: u64 = 500;
/// A spring in a sweep.
const HELD_SPRING: u64 = 20;
/// The setup that an event makes, and a node or a spring in it.
const CHANGE: u128 = 5000;
const CHANGE_PART: u128 = 25;
/// A node or a spring in a linear system that is solved.
const UNKNOWN: u64 = 80;

/// An event that has not happened.
const EVENT: u64 = 10;

/// A node of a body that touches itself: its neighbours are looked for.
const OWN: u64 = 60;

/// A node of a body of which all that is drawn touches, where nothing is near.
const DRAWN: u64 = 60;

/// Thousandths of its price that a frame takes on processors of 2024, by itself: prices are those
/// of slower ones, on the safe side of limits.
const ALONE: u128 = 400;
/// The same of chains that are solved, by themselves and together.
const SOLVED_ALONE: u128 = 100;
const SOLVED: u128 = 30;
/// The same of chains in lanes of a kernel.
const IN_LANES: u128 = 300;
/// The same of several bodies that are one, of the price without a kernel.
const INTERLEAVED: u128 = 110;
/// The same of all of them where they keep ledgers, of the price with a ledger.
const KEEPING_LEDGERS: u128 = 140;

impl Setup {
    /// What the parts of a step take for its body.
    pub fn prices(&self) -> Prices {
        let setup = self;
        let (nodes, springs) = (setup.model.nodes() as u64, setup.model.springs.len() as u64);
        // Gravity and springs are in the price of nodes and springs.
        let forces = setup.forces.len().saturating_sub(2) as u64;
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
                + BESIDE_FORCE * nodes * forces,
            sweep: SWEEP + HELD_SPRING * setup.model.held as u64,
            solution: SOLUTION + UNKNOWN * (nodes + springs),
            rest: STEP
                + BESIDE_COLLIDER * nodes * colliders
                + MOTION * moving as u64
                + own
                + self.events_cost(springs),
        }
    }

    /// What looking at its events takes in a step.
    fn events_cost(&self, springs: u64) -> u64 {
        let cost = |event: &Event| match &event.trigger {
            Trigger::When(condition) if condition.reads_all() => EVENT + SPRING * springs,
            _ => EVENT,
        };
        self.events.iter().map(cost).sum()
    }

    /// Nanoseconds of one core that a step takes at least, about.
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

    /// Whether a kernel of its method can take whole frames.
    fn may_burst(&self) -> bool {
        let is_fixed = !self.step_control.chooses_steps();
        is_fixed && self.is_plain() && self.forces.iter().all(|force| force.term().is_some())
    }

    /// Nanoseconds of one core that a frame takes at least, about.
    pub fn frame_cost(&self) -> u128 {
        FRAME + u128::from(self.step_cost()) * u128::from(self.substeps)
    }

    /// Nanoseconds of one core that a frame takes without a kernel.
    fn plain_frame_cost(&self) -> u128 {
        let cost = self.step_control.cost(self.method.as_ref());
        FRAME + u128::from(self.prices().step(cost)) * u128::from(self.substeps)
    }

    /// Nanoseconds of one core that all events take at least, about: each makes a setup anew, and a
    /// cut looks at all springs.
    pub fn changes_cost(&self) -> u128 {
        let parts = (self.model.nodes() + self.model.springs.len()) as u128;
        self.events.len() as u128 * (CHANGE + CHANGE_PART * parts)
    }

    /// The same where an energy ledger is kept: no kernel takes whole frames, and forces and
    /// energies are looked at more often. Limits go by it for runs side by side as well.
    pub fn ledger_cost(&self) -> u128 {
        let prices = self.prices();
        let cost = self.step_control.cost(self.method.as_ref());
        let a_step = prices.step(cost).saturating_add(prices.evaluation.saturating_mul(LOOKS));
        FRAME + u128::from(a_step) * u128::from(self.substeps)
    }

    /// Whether it may take more than that, which is counted while it runs.
    pub fn is_open(&self) -> bool {
        self.step_control.cost(self.method.as_ref()).is_open || !self.contacts.is_empty()
    }
}

/// Nanoseconds of one core that a frame of a simulation takes among `count` that are alike, about,
/// when a [`super::batch::Batch`] advances all of them. Limits go by [`Setup::frame_cost`], which
/// is on the safe side; this is for plans, and as near as constants come to processors that differ.
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

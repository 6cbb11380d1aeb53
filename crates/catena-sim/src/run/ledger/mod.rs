//! The energy ledger: sources and losses of the energy of a body.
//!
//! Over any number of steps, the sum of kinetic, gravitational and elastic energy changes by the
//! sum of all gains. Elastic energy includes the energy of bent and twisted rods. The accounts are
//! anchors, moving colliders, damping, contact, external pushes, yielding springs and the method. A
//! gain above 0 adds energy to the body. The unit of energy is mass · length²/time².
//!
//! The body includes its pins. Energies are measured between the parts of a step. Factors,
//! contacts, impulses, plastic flow and breaks act instantly, so each is booked as a difference of
//! two energies.
//!
//! A force that acts while the method moves the body is booked by its work, ½ (F + F')·(x' - x),
//! with the forces at both ends of the step. This is the trapezoidal rule, of order 2 in dt. The
//! work of the anchors is the change of the kinetic energy of the pins, minus the work of all
//! forces on them, including springs. The work of a moving collider is the impulse of each contact
//! times the velocity of the collider there. The remaining change by contacts is booked as contact.
//! That change is the loss in the collider's own frame. The remaining change during the method's
//! part is booked on the method: it is the error of the method and of the quadrature.

mod keeper;
mod side_by_side;

use crate::force::{Account, Energy};
pub(crate) use keeper::{Keeper, energy};
pub(crate) use side_by_side::{LaneStates, LedgerEntry, SideBySideLedgers};

/// Gains per account. A value below 0 is a loss of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gains {
    /// Gain of [`Account::Anchors`].
    pub anchors: f64,
    /// Gain of [`Account::Colliders`].
    pub colliders: f64,
    /// Gain of [`Account::Damping`].
    pub damping: f64,
    /// Gain of [`Account::Contact`].
    pub contact: f64,
    /// Gain of [`Account::External`].
    pub external: f64,
    /// Gain of [`Account::Yielding`].
    pub yielding: f64,
    /// Gain of [`Account::Method`].
    pub method: f64,
}

impl Gains {
    /// Sum of all gains.
    pub fn total(&self) -> f64 {
        self.all().iter().sum()
    }

    fn all(&self) -> [f64; 7] {
        let Self { anchors, colliders, damping, contact, external, yielding, method } = *self;
        [anchors, colliders, damping, contact, external, yielding, method]
    }

    fn of(&mut self, account: Account) -> &mut f64 {
        match account {
            Account::Anchors => &mut self.anchors,
            Account::Colliders => &mut self.colliders,
            Account::Damping => &mut self.damping,
            Account::Contact => &mut self.contact,
            Account::External => &mut self.external,
            Account::Yielding => &mut self.yielding,
            Account::Method => &mut self.method,
        }
    }

    fn add(&mut self, other: &Self) {
        self.anchors += other.anchors;
        self.colliders += other.colliders;
        self.damping += other.damping;
        self.contact += other.contact;
        self.external += other.external;
        self.yielding += other.yielding;
        self.method += other.method;
    }
}

/// Ledger of several consecutive steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Energy before the steps.
    pub start: Energy,
    /// Energy after the steps.
    pub end: Energy,
    /// Gains per account.
    pub gains: Gains,
    /// Sum of the magnitudes of all changes in energies and accounts, over all steps. It is the
    /// scale of rounding errors.
    pub turned_over: f64,
}

impl Balance {
    /// Returns a ledger of no steps.
    fn at(energy: Energy) -> Self {
        Self { start: energy, end: energy, ..Self::default() }
    }

    /// Total energy after the steps, minus the total energy before the steps.
    pub fn change(&self) -> f64 {
        self.end.total() - self.start.total()
    }

    /// Change that no account explains: rounding errors only.
    pub fn residual(&self) -> f64 {
        self.change() - self.gains.total()
    }

    /// Adds a step that ended with the energy `end`.
    fn add(&mut self, gains: &Gains, end: Energy, turned_over: f64) {
        self.gains.add(gains);
        self.end = end;
        self.turned_over += turned_over;
    }
}

/// Ledger of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Steps of the frame that contains the last step; empty before the first step.
    pub frame: Balance,
    /// All steps since the start of the ledger.
    pub run: Balance,
}

impl Ledger {
    fn at(energy: Energy) -> Self {
        Self { frame: Balance::at(energy), run: Balance::at(energy) }
    }
}

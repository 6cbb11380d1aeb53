//! The energy ledger: where the energy of a body comes from, and where it goes.
//!
//! Over any steps, the change of kinetic, gravitational and elastic energy is what anchors, moving
//! colliders, damping, contact, external pushes and yielding springs gave or took, and what the
//! method made or lost. All of them are gains: above 0 the body has more energy for it. Units are
//! those of energy, mass · length² / time².
//!
//! The body is all of its nodes, pins included. Energies are those of the states between the parts
//! of a step, so what acts at once (factors, contacts, impulses, flow and breaks) is a difference
//! of two of them. What acts while the method moves the body on is its work, ½ (F + F')·(x' - x)
//! with the forces at both ends of the step: the trapezoidal rule, of order 2 in dt. Work of the
//! anchors is what they add to the kinetic energy of the pins, less the work of all forces on
//! these, springs included. Work of a moving collider is the impulse of each contact times the
//! velocity of the collider there, and the rest of what contacts changed is booked as contact: what
//! is lost in the collider's own frame. The rest of what came or went while the method moved the
//! body is booked as the method's: its own error, and that of the quadrature.

mod keeper;
mod side_by_side;

use crate::force::{Account, Energy};
pub(crate) use keeper::{Keeper, energy};
pub(crate) use side_by_side::{LaneStates, LedgerEntry, SideBySideLedgers};

/// What came from each account, below 0 what went there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gains {
    /// See [`Account::Anchors`].
    pub anchors: f64,
    /// See [`Account::Colliders`].
    pub colliders: f64,
    /// See [`Account::Damping`].
    pub damping: f64,
    /// See [`Account::Contact`].
    pub contact: f64,
    /// See [`Account::External`].
    pub external: f64,
    /// See [`Account::Yielding`].
    pub yielding: f64,
    /// See [`Account::Method`].
    pub method: f64,
}

impl Gains {
    /// All of them together.
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

/// The ledger of some steps in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// What the body had before them.
    pub start: Energy,
    /// What it has after them.
    pub end: Energy,
    /// What came from where.
    pub gains: Gains,
    /// By how much stores and accounts changed, step by step and whatever the sign. It is the scale
    /// of rounding.
    pub turned_over: f64,
}

impl Balance {
    /// A ledger of no steps.
    fn at(energy: Energy) -> Self {
        Self { start: energy, end: energy, ..Self::default() }
    }

    /// By how much there is more energy than before.
    pub fn change(&self) -> f64 {
        self.end.total() - self.start.total()
    }

    /// The change that no account explains; nothing but rounding.
    pub fn residual(&self) -> f64 {
        self.change() - self.gains.total()
    }

    /// Takes over a step that ended with `end`.
    fn add(&mut self, gains: &Gains, end: Energy, turned_over: f64) {
        self.gains.add(gains);
        self.end = end;
        self.turned_over += turned_over;
    }
}

/// The ledger of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The frame that the last step belongs to; of no step before the first one.
    pub frame: Balance,
    /// All steps since it is kept.
    pub run: Balance,
}

impl Ledger {
    fn at(energy: Energy) -> Self {
        Self { frame: Balance::at(energy), run: Balance::at(energy) }
    }
}

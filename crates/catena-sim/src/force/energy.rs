//! Energy as the ledger keeps it: what a body has, and where the work done against a force goes.

use crate::body::{Body, State};

/// What a body has of energy at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Σ m v² / 2 of all nodes, from the velocities that the method reports.
    pub kinetic: f64,
    /// -Σ m g·x of all nodes; 0 at the origin.
    pub gravitational: f64,
    /// What springs and soft grounds store, at least 0. Springs whose length the method holds store
    /// nothing.
    pub elastic: f64,
}

impl Energy {
    /// All of it together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravitational + self.elastic
    }
}

/// The store of energy that the potential of a force belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// Weight.
    Gravitational,
    /// Springs, and what acts like one.
    Elastic,
}

/// What energy comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Those who hold and move the pins.
    Anchors,
    /// Colliders that move.
    Colliders,
    /// Drag, friction in springs, damping of the method, velocity and position factors.
    Damping,
    /// Colliders, self-contact, friction and absorption of soft grounds.
    Contact,
    /// Forces and impulses from outside, and what wind gives by its motion.
    External,
    /// Springs that flow or break.
    Yielding,
    /// What the method made or lost.
    Method,
}

/// Where the work done against a force goes.
#[derive(Clone, Copy)]
pub enum ForceEnergy<'a> {
    /// All of it is stored: the force is the negative gradient of the potential.
    Stored(&'a dyn Potential),
    /// Nothing is stored; the ledger books all of its work on this account.
    Booked(Account),
    /// A part of the force has a potential, and the work of the rest is booked.
    Split(&'a dyn Potential, &'a dyn Unstored),
}

/// A potential energy.
pub trait Potential {
    /// The store that it belongs to.
    fn store(&self) -> Store;

    /// How much is stored at a state, in units of energy.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64;
}

/// The part of a force that does not come from what is stored.
pub trait Unstored {
    /// What the ledger books its work as.
    fn account(&self) -> Account;

    /// Adds that part to `f`, flat by axis.
    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]);
}

impl ForceEnergy<'_> {
    /// What the force stores at a state, in units of energy; 0 where it stores nothing.
    pub fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        match self {
            Self::Stored(potential) | Self::Split(potential, _) => potential.potential(body, state),
            Self::Booked(_) => 0.0,
        }
    }

    /// The store, of forces that have one.
    pub fn store(&self) -> Option<Store> {
        match self {
            Self::Stored(potential) | Self::Split(potential, _) => Some(potential.store()),
            Self::Booked(_) => None,
        }
    }

    /// The account, of forces whose work is not all stored.
    pub fn account(&self) -> Option<Account> {
        match self {
            Self::Stored(_) => None,
            Self::Booked(account) => Some(*account),
            Self::Split(_, unstored) => Some(unstored.account()),
        }
    }
}

//! Energy in the ledger: the energy of a body, and the destination of the work done against a
//! force.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::body::{Body, State};

/// Energy of a body at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Σ m v² / 2 over all nodes, from the velocities that the method reports.
    pub kinetic: f64,
    /// -Σ m g·x over all nodes; 0 at the origin.
    pub gravitational: f64,
    /// Energy stored in springs and soft grounds, at least 0. Springs whose length the method holds
    /// store nothing.
    pub elastic: f64,
    /// Energy of bent rods, at least 0.
    pub bending: f64,
    /// Energy of twisted rods, at least 0.
    pub twist: f64,
}

impl Energy {
    /// Sum of all energies.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravitational + self.elastic + self.bending + self.twist
    }
}

/// Kind of stored energy that the potential of a force adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// Potential energy of the weight.
    Gravitational,
    /// Springs and forces that act like springs.
    Elastic,
    /// Rods: energy of bending, except for the part of [`Potential::of_twist`].
    Bending,
}

/// Source or sink of energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Anchors, which hold and move pinned nodes.
    Anchors,
    /// Moving colliders.
    Colliders,
    /// Drag, friction in springs, damping of the method, velocity factor and position factor.
    Damping,
    /// Colliders, self-contact, friction and absorption of soft grounds.
    Contact,
    /// External forces and impulses, and the work of a moving wind.
    External,
    /// Springs that flow or break.
    Yielding,
    /// Gains and losses of the integration method.
    Method,
}

/// Destination of the work done against a force.
#[derive(Clone, Copy)]
pub enum ForceEnergy<'a> {
    /// All work is stored: the force is the negative gradient of the potential.
    Stored(&'a dyn Potential),
    /// No work is stored. The ledger books all of it on this account.
    Booked(Account),
    /// A part of the force has a potential. The ledger books the work of the other part.
    Split(&'a dyn Potential, &'a dyn Unstored),
}

/// A potential energy.
pub trait Potential {
    /// Kind of energy that the potential adds to.
    fn store(&self) -> Store;

    /// Stored energy at a state, in units of energy.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64;

    /// Part of [`Potential::potential`] that is energy of twist; 0 except for rods.
    fn of_twist(&self, _body: &Body<'_>, _state: &State) -> f64 {
        0.0
    }

    /// Part of [`Potential::potential`] that is energy of motion; 0 except for wheels of routes.
    fn of_motion(&self, _body: &Body<'_>, _state: &State) -> f64 {
        0.0
    }
}

/// The part of a force that has no potential.
pub trait Unstored {
    /// Account on which the ledger books the work.
    fn account(&self) -> Account;

    /// Adds this part of the force to `f`, flat by axis.
    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]);
}

impl ForceEnergy<'_> {
    /// Stored energy of the force at a state, in units of energy; 0 if it has no potential.
    pub fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        match self {
            Self::Stored(potential) | Self::Split(potential, _) => potential.potential(body, state),
            Self::Booked(_) => 0.0,
        }
    }

    /// Part of the stored energy that is energy of twist.
    pub fn of_twist(&self, body: &Body<'_>, state: &State) -> f64 {
        match self {
            Self::Stored(potential) | Self::Split(potential, _) => potential.of_twist(body, state),
            Self::Booked(_) => 0.0,
        }
    }

    /// Part of the stored energy that is energy of motion.
    pub fn of_motion(&self, body: &Body<'_>, state: &State) -> f64 {
        match self {
            Self::Stored(potential) | Self::Split(potential, _) => potential.of_motion(body, state),
            Self::Booked(_) => 0.0,
        }
    }

    /// Kind of stored energy; `None` if there is no potential.
    pub fn store(&self) -> Option<Store> {
        match self {
            Self::Stored(potential) | Self::Split(potential, _) => Some(potential.store()),
            Self::Booked(_) => None,
        }
    }

    /// Account of the work; `None` if all work is stored.
    pub fn account(&self) -> Option<Account> {
        match self {
            Self::Stored(_) => None,
            Self::Booked(account) => Some(*account),
            Self::Split(_, unstored) => Some(unstored.account()),
        }
    }
}

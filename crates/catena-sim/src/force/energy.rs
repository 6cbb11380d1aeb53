//! Energy as the ledger keeps it: what a body has, the store that a force belongs to, and the account that its work is booked as.

/// What a body has of energy at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Σ m v² / 2 of all nodes, from the velocities that the method reports.
    pub kinetic: f64,
    /// -Σ m g·x of all nodes; 0 at the origin.
    pub gravitational: f64,
    /// What springs and soft grounds store, at least 0. Springs whose length the method holds store nothing.
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
    /// Drag, wind, friction in springs, damping of the method, velocity and position factors.
    Damping,
    /// Colliders, self-contact, friction and absorption of soft grounds.
    Contact,
    /// Forces and impulses from outside.
    External,
    /// Springs that flow or break.
    Yielding,
    /// What the method made or lost.
    Method,
}

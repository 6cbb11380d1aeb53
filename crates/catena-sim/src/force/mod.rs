//! Forces, one file each.
//!
//! A force is a pure function of the state and of what springs have been through before the step. It adds to what is there, so forces can be summed in any
//! number; their order is fixed by the setup, since f64 sums depend on it.

mod drag;
mod elastic;
mod energy;
mod gravity;
pub mod jacobian;
pub mod law;
mod spring_coefficient;
mod spring_damping;
mod spring_friction;
mod system;

pub mod applied;

pub use drag::Drag;
pub use elastic::{ElasticSprings, Part};
pub use energy::{Account, Energy, Store};
pub use gravity::Gravity;
pub use jacobian::{Block, Blocks, Entry, Jacobian, diagonal};
pub use law::SpringLaw;
pub use spring_coefficient::SpringCoefficient;
pub use spring_damping::SpringDamping;
pub use spring_friction::SpringFriction;
pub use system::System;

use crate::body::Body;
use crate::body::{Model, Spring, State};
use std::fmt::Debug;

/// Something that pushes nodes.
pub trait Force: Debug + Send + Sync {
    /// Adds the force on each node to `f`, flat by axis. Pinned nodes get theirs too: no method lets it move them, but whoever
    /// holds them feels it.
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]);

    /// Adds how the force changes with positions and velocities. What is left out here, implicit methods treat
    /// as constant during a step.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    /// Potential energy; 0 for forces that have none.
    fn potential(&self, _body: &Body<'_>, _state: &State) -> f64 {
        0.0
    }

    /// The greatest force that it brings to a body from outside, wherever that is: weight, wind, a push.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    /// c of a resistance F = -c v that is the same for every node; 0 for forces that have none.
    fn resistance(&self) -> f64 {
        0.0
    }

    /// Tension of a held spring at a length, pulling above 0; `None` for forces that are not these springs.
    fn tension(&self, _spring: &Spring, _length: f64, _plastic: f64) -> Option<f64> {
        None
    }

    /// The law that springs follow, with its options, as a scene writes it; `None` for forces that are no springs.
    fn spring_law(&self) -> Option<String> {
        None
    }

    /// The store of energy that its potential belongs to; `None` where it has none, or the ledger shall not see one.
    fn store(&self) -> Option<Store> {
        None
    }

    /// What the ledger books the work of the rest of it as: of all of it where there is no store.
    fn account(&self) -> Account {
        Account::External
    }

    /// Adds that rest as [`Force::add_to`] does: the part of the force that does not come from what is stored.
    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        if self.store().is_none() {
            self.add_to(body, state, f);
        }
    }

    /// Whether this force holds springs at their length. Methods that do so by projection leave it out.
    fn is_elastic(&self) -> bool {
        false
    }

    /// The whole force in numbers, where kernels know its kind.
    fn term(&self) -> Option<Term<'_>> {
        None
    }
}

/// A force that kernels can compute by themselves, in the same order of operations as [`Force::add_to`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term<'a> {
    /// F = m g.
    Gravity {
        /// g, one number an axis.
        acceleration: &'a [f64],
    },
    /// F = -c (v - w).
    Drag {
        /// c.
        coefficient: f64,
        /// w, one number an axis.
        wind: &'a [f64],
    },
    /// Springs that follow Hooke's law and do not flow.
    Hooke(Part),
}

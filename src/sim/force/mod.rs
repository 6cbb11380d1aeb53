//! Forces, one file each.
//!
//! A force is a pure function of the state. It adds to what is there, so forces can be summed in any
//! number; their order is fixed by the setup, since f64 sums depend on it.

mod drag;
mod gravity;
mod spring;
mod spring_damping;

pub use drag::Drag;
pub use gravity::Gravity;
pub use spring::HookeSpring;
pub use spring_damping::SpringDamping;

use super::{Model, State};
use std::fmt::Debug;

/// Something that pushes nodes.
pub trait Force: Debug + Send + Sync {
    /// Adds the force on each node to `f`, flat by axis. Entries of pinned nodes may hold anything.
    fn add_to(&self, model: &Model, state: &State, f: &mut [f64]);

    /// Whether this force holds springs at their length. Methods that do so by projection leave it out.
    fn is_elastic(&self) -> bool {
        false
    }
}

//! What is run: a setup, the simulation of it, many side by side, and the books of its energy.

pub mod batch;
mod cost;
pub mod ledger;
mod setup;
mod simulation;
mod watch;

pub use setup::Setup;
pub use simulation::{Checkpoint, Outcome, Simulation};

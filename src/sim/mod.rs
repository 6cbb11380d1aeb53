//! The physics. It knows no file, no picture and no terminal.
//!
//! [`Model`] is what stays constant, [`State`] is what changes. A [`Setup`] joins a model with its forces
//! and its method; [`Simulation`] runs it, and [`Simulation::step`] is the only place where the sequence
//! of a step is written.
//!
//! Vectors are flat, one axis after the other: all x, then all y, then all z. A method is arithmetic on
//! such slices and never asks how many axes there are.
//!
//! Arithmetic is f64 with `+ - * /` and `sqrt` only, no sum is taken in parallel, and so the same setup gives
//! the same bits on every machine.

pub mod anchor;
pub mod curve;
pub mod force;
pub mod integrator;
mod jacobian;
pub mod law;
pub mod measure;
mod memory;
mod model;
pub mod option;
mod simulation;
mod state;
mod system;
pub mod topology;

pub use force::Force;
pub use integrator::{Integrator, Method};
pub use jacobian::{Block, Entry, Jacobian};
pub use law::SpringLaw;
pub use memory::SpringMemory;
pub use model::{Model, Spring};
pub use simulation::{Checkpoint, Outcome, Setup, Simulation};
pub use state::State;
pub use system::System;

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
pub mod batch;
pub mod collider;
pub mod components;
pub mod contact;
mod cost;
pub mod curve;
pub mod force;
pub mod impulse;
pub mod integrator;
mod jacobian;
pub mod kernel;
pub mod law;
pub mod ledger;
pub mod linear;
pub mod material;
pub mod measure;
mod memory;
mod meter;
mod model;
pub mod option;
mod reaction;
mod report;
mod setup;
mod simulation;
pub mod spectrum;
mod state;
pub mod step_control;
mod step_size;
mod system;
mod table;
pub mod tether;
pub mod topology;
mod watch;

pub use collider::Collider;
pub use components::Components;
pub use cost::{Cost, Prices};
pub use curve::Curve;
pub use force::Force;
pub use integrator::{Integrator, Method};
pub use jacobian::{Block, Blocks, Entry, Jacobian, diagonal};
pub use law::SpringLaw;
pub use memory::SpringMemory;
pub use meter::{Budget, Excess, Meter, Refusal};
pub use model::{Arrangement, Model, Spring};
pub use report::StepReport;
pub use setup::Setup;
pub use simulation::{Checkpoint, Outcome, Simulation};
pub use state::State;
pub use step_control::StepControl;
pub use system::System;

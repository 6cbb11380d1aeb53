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

pub mod body;
pub mod budget;
pub mod contact;
pub mod drive;
pub mod force;
pub mod instructions;
#[doc(hidden)]
pub mod kernel;
pub mod linear;
pub mod method;
pub mod named;
pub mod run;

pub use body::{Arrangement, Body, Model, Spring, SpringMemory, State};
pub use budget::{Budget, Cost, Excess, Meter, Prices, Refusal};
pub use contact::collider::Collider;
pub use drive::Curve;
pub use force::{Block, Blocks, Entry, Force, Jacobian, SpringLaw, System, diagonal};
pub use method::{Integrator, Method, StepControl, StepReport};
pub use named::Components;
pub use run::{Checkpoint, Outcome, Setup, Simulation};

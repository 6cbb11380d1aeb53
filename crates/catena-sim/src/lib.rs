//! Simulation of ropes and cloth, bit-identical on every machine.
//!
//! A shape, such as a [`Rope`] or a [`Cloth`], is built into a [`Model`], which stays constant, and
//! a [`State`], which changes. A [`Setup`] joins them with forces, a method and a time step.
//! [`SetupBuilder::check`] reports errors in it, and a [`Simulation`] runs it:
//!
//! ```
//! use catena_sim::{BadSetup, Outcome, Rope, Setup, Simulation, method::SemiImplicitEuler};
//!
//! # fn main() -> Result<(), BadSetup> {
//! let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 16).of(0.01, 1000.0).pin(0);
//! let setup = Setup::new(&rope)
//!     .gravity([0.0, -9.81])
//!     .method(SemiImplicitEuler {})
//!     .frames(1.0 / 60.0, 64)
//!     .check()?;
//! let mut simulation = Simulation::new(setup);
//! for _ in 0..120 {
//!     simulation.advance_frame();
//! }
//! assert_eq!(simulation.outcome(), Outcome::Fine);
//! assert_eq!(simulation.position(0), Some([0.0, 0.0, 0.0]));
//! assert!(simulation.position(15).is_some_and(|[_, y, _]| y < 0.0));
//!
//! let typo = Rope::new([0.0, 0.0], [1.0, 0.0], 16).pin(99);
//! let error = Setup::new(&typo).check().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "pins[0]: there is no node 99: nodes are numbered from 0 to 15"
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! - [`body`]: models, states, shapes, materials, and measurements.
//! - [`drive`]: external motion of a body: anchors on curves, impulses, tracks, skeletons.
//! - [`contact`]: colliders, and contact of a body with itself.
//! - [`force`]: forces and spring laws; implement [`Force`] to add your own.
//! - [`method`]: all methods, by family; implement [`Method`] and [`Integrator`] to add your own.
//! - [`run`]: setups, simulations, batches, and the energy ledger.
//! - [`linear`]: linear systems of implicit methods, and the spectrum of a body.
//! - [`rig`]: a skeleton with the skins that it carries, posed at a given time.
//! - [`slip`]: typical mistakes in students' programs, by name, for comparison.
//! - [`skin`]: points attached to bones, and rings, strands and twist along ropes.
//! - [`budget`]: limits on the cost of a run.
//! - [`mod@identity`]: byte representations that identify equal setups.
//! - [`named`]: names and options of objects, as written in scenes.
//! - [`instructions`]: vector instructions, chosen at run time.
//!
//! # Vectors and units
//!
//! Vectors are flat arrays, one axis after the other: all x, then all y, then all z. A method is
//! arithmetic on such slices and does not depend on the number of axes. Any consistent system of
//! units works. With metres, kilograms and seconds, stiffness is in newtons per metre.
//!
//! # Bit-identical results
//!
//! Arithmetic is f64 with `+ - * /`, `sqrt` and libm. Sums are sequential. Each kernel is
//! bit-identical to the plain loop that it replaces. Equal setups therefore give bit-identical
//! results on every machine.

pub mod body;
pub mod budget;
pub mod contact;
pub mod drive;
pub mod force;
pub mod identity;
pub mod instructions;
#[doc(hidden)]
pub mod kernel;
mod lane;
pub mod linear;
pub mod method;
pub mod named;
pub mod rig;
pub mod run;
pub mod skin;
pub mod slip;

/// Re-export of glam: vectors, quaternions and matrices in the interfaces of rigs and skins.
pub use glam;

pub use body::shape::{Assembly, Cloth, Net, Rope};
pub use body::{Arrangement, Body, Form, Model, Part, Spring, SpringMemory, State, vector};
pub use budget::{Bill, Budget, Cost, Excess, Item, Meter, Prices, Refusal};
pub use contact::collider::Collider;
pub use drive::Curve;
pub use force::{Block, Blocks, Entry, Force, Jacobian, SpringLaw, System, diagonal};
pub use method::{Integrator, Method, StepControl, StepReport};
pub use named::{BadSetup, Components};
pub use run::{
    BreakingStrain, Checkpoint, ColliderForce, Outcome, PinForce, Setup, SetupBuilder, Simulation,
};
pub use slip::Slip;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

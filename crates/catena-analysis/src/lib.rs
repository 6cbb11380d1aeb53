//! Numerical studies of simulations, compared with theory.
//!
//! A study takes a [`Setup`](catena_sim::Setup) and a budget of counted work, so that its result
//! does not depend on the machine. [`stability`] finds the longest stable step. [`settle`] runs a
//! body until it rests, [`statics`] solves for its rest state, and [`shape`] compares the shape at
//! rest with theory. [`order`] measures convergence, [`modes`] measures natural frequencies, and
//! [`topology`] detects ropes that passed through each other. [`reversal`] runs a body forward and
//! back, and [`phase_area`] follows an area of phase space. [`iterations`] measures how corrections
//! of lengths converge, and [`energy_spread`] measures fluctuations of energy. [`verify`] has the
//! checks of `catena verify`.
//!
//! ```
//! use catena_analysis::budget::CoreTime;
//! use catena_analysis::stability::{StabilityTimes, stability};
//! use catena_sim::{Rope, Setup, method::SemiImplicitEuler};
//!
//! let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 8).of(0.01, 1000.0).pin(0);
//! let setup = Setup::new(&rope)
//!     .gravity([0.0, -9.81])
//!     .method(SemiImplicitEuler {})
//!     .frames(1.0 / 60.0, 64)
//!     .check()?;
//! let prediction_only = StabilityTimes {
//!     predicting: CoreTime { seconds: 1.0 },
//!     measuring: CoreTime { seconds: 0.0 },
//! };
//! let found = stability(&setup, 1.0, prediction_only);
//! let longest = found.predicted.and_then(|predicted| predicted.longest_step);
//! assert!(longest.is_some_and(|longest| longest > setup.dt()));
//! # Ok::<(), catena_sim::BadSetup>(())
//! ```

pub mod budget;
pub mod catenary;
pub mod energy_spread;
pub mod fit;
pub mod iterations;
pub mod lengths;
pub mod modes;
pub mod node_path;
pub mod order;
pub mod phase_area;
pub mod reversal;
pub mod settle;
pub mod shape;
pub mod stability;
pub mod statics;
pub mod topology;
pub mod verify;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

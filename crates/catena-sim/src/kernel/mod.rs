//! Fast paths for the most common bodies and forces. Each is bit-identical to the plain loop that
//! it replaces.
//!
//! A method with a kernel implements `Integrator::burst` in its own file: it checks the system and
//! passes plain arrays to a kernel of this folder. All other systems use `Integrator::step`, the
//! reference in the tests of kernels.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

mod chain_forces;
pub mod chain_implicit;
pub mod chain_lanes;
pub mod chain_projection;
pub mod chain_sweeps;
mod euler;
pub mod force_sum;
mod held_spring;
mod node_forces;
mod sheet_forces;
mod sheet_row;
pub mod sheet_sweeps;
mod steps;
mod swept_spring;

pub(crate) use chain_forces::fits as fits_chain;
pub use euler::EulerKernel;
pub use held_spring::ShareFactors;
pub use steps::PositionUpdate;
pub use swept_spring::Law;

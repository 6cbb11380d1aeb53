//! Methods that solve for the state at the end of the step.

mod implicit_euler;
mod implicit_midpoint;

pub use implicit_euler::ImplicitEuler;
pub use implicit_midpoint::ImplicitMidpoint;

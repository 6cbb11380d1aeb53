//! Euler's methods.

mod explicit_euler;
mod semi_implicit_euler;

pub use explicit_euler::ExplicitEuler;
pub use semi_implicit_euler::SemiImplicitEuler;

//! Explicit Runge-Kutta methods, each from its tableau.

mod dormand_prince;
mod heun;
mod midpoint;
pub(super) mod rk4;
pub(super) mod tableau;

pub use dormand_prince::DormandPrince;
pub use heun::Heun;
pub use midpoint::Midpoint;
pub use rk4::Rk4;

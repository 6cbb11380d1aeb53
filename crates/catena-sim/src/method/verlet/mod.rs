//! Verlet methods and their compositions. Positions or velocities at half steps determine the
//! motion.

pub(crate) mod classroom;
mod force_verlet;
mod leapfrog;
mod position_verlet;
mod stormer_verlet;
mod velocity_verlet;
mod yoshida4;

pub use classroom::DampingOf;
pub use force_verlet::ForceVerlet;
pub use leapfrog::Leapfrog;
pub use position_verlet::PositionVerlet;
pub use stormer_verlet::StormerVerlet;
pub use velocity_verlet::{ForceVelocity, VelocityVerlet};
pub use yoshida4::Yoshida4;

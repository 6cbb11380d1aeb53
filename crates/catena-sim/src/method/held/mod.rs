//! Methods that hold the lengths of springs instead of integrating their force.

mod chain_rods;
mod constraint_verlet;
mod correction;
mod pbd;
mod projection;
mod reaction;
mod rod_graph;
mod rods;
mod routes;
mod shake;
mod sparse;
pub mod tether;
mod xpbd;

pub use constraint_verlet::{ConstraintVerlet, ProjectionPlace};
pub use correction::LengthCorrection;
pub use pbd::{Pbd, StiffnessPer};
pub(crate) use projection::sweep;
pub use shake::Shake;
pub use xpbd::Xpbd;

//! Steady-state comparison: the shapes of all bodies at rest side by side at one scale, with the
//! strain of every segment and the hanging chains computed from the balance of forces.

mod columns;
mod draw;
mod strains;

pub use columns::{SolvedShape, SteadyColumn, columns, columns_with_solved};
pub use draw::draw;

//! Steady-state comparison: the shapes of all bodies at rest side by side in one scale, with the
//! strain of every segment, and the hanging chains by the balance of forces.

mod columns;
mod draw;
mod strains;

pub use columns::{SolvedShape, SteadyColumn, columns, columns_beside};
pub use draw::draw;

//! The steady-state comparison: where every body came to rest, side by side in one scale, with the length of every
//! segment, and the hanging chain that the balance of forces gives.

mod columns;
mod draw;
mod table;
mod view;

pub use columns::{SteadyColumn, columns};
pub use draw::draw;

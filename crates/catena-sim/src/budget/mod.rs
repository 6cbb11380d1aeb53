//! Budget of a run: prices of operations, and the meter that counts them.

mod cost;
mod meter;

pub use cost::{Cost, Prices};
pub use meter::{Budget, Excess, Meter, Refusal};

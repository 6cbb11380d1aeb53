//! Budget of a run: prices of operations, and the meter that counts them.

mod bill;
mod cost;
mod meter;
mod table;

pub use bill::Bill;
pub use cost::{Cost, Prices, Sweeping};
pub use meter::{Budget, Excess, Meter, Refusal};
pub use table::Item;

//! Shards: their parts, reports and journals, and refusals of merge.

mod films;
mod forged;
mod packs;
mod parts;
mod refused;
mod renders;
pub use renders::{merge, merged};

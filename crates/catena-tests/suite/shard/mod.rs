//! Shards: the part of each, their reports and journals, and what merging refuses.

mod films;
mod forged;
mod packs;
mod parts;
mod refused;
mod renders;
pub use renders::{merge, merged};

//! Shards: which part each has, their reports and journals, and what is refused when they are put
//! together.

mod films;
mod forged;
mod packs;
mod parts;
mod refused;
mod renders;

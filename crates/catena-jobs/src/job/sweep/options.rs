//! What can be chosen about a sweep, beside the sweep itself.

use crate::shard::ShardChoice;
use catena_scene::Limits;

/// How a sweep is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepJobOptions {
    /// One shard of it; `None` makes the whole table.
    pub shard: Option<ShardChoice>,
    /// What each variant may take.
    pub limits: Limits,
    /// How many threads work, from 1 to 1024; `None` takes the rayon pool of the caller. The bytes
    /// do not depend on it.
    pub threads: Option<u16>,
    /// The command that was typed, for the report of a shard.
    pub command: String,
    /// The command that repeats the whole sweep, for its page.
    pub repeat: String,
    /// The share of a neighbour's bunches that a shard measures once more, from 0 to 1.
    pub audit: Option<f64>,
}

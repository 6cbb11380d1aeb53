//! Options of a sweep that are not part of the sweep file.

use crate::shard::ShardChoice;
use catena_scene::Limits;

/// Options of a sweep job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepJobOptions {
    /// Shard to compute. `None` computes the complete table.
    pub shard: Option<ShardChoice>,
    /// Limits on each variant.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The output does not
    /// depend on it.
    pub threads: Option<u16>,
    /// Command line, for the report of a shard.
    pub command: String,
    /// Command that repeats the whole sweep, for its page.
    pub repeat: String,
    /// Share of a neighbour's bunches that a shard measures again, from 0 to 1.
    pub audit: Option<f64>,
}

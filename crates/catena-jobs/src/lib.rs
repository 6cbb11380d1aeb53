//! Jobs: the commands of the command line as functions for programs ([`job`]).
//!
//! - [`shard`] divides renders and sweeps among machines and merges the results.
//! - [`cluster`] writes job files for cluster engines.
//! - [`watch`] renders a scene each time it is saved.
//! - [`environment`] checks the environment variables that control catena.

pub mod cluster;
pub mod environment;
pub mod job;
pub mod shard;
pub mod watch;

//! Jobs: what the command line does, as functions that a program can call ([`job`]).
//!
//! [`shard`] divides renders and sweeps among machines and puts them together, [`cluster`] writes
//! jobs for engines that hand them out, [`watch`] renders a scene on each save, and [`environment`]
//! checks the environment variables that choose how catena works.

pub mod cluster;
pub mod environment;
pub mod job;
pub mod shard;
pub mod watch;

//! How many threads a command runs with.

use super::Failure;
use crate::output::OutputError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io;

/// So many threads, or as many as there are processors. `what` names the command, for messages.
pub(super) fn pool(threads: Option<u16>, what: &str) -> Result<ThreadPool, Failure> {
    let threads = threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let failed =
        |error| OutputError::new("start threads for", what, io::Error::other(error)).into();
    pool.map_err(failed)
}

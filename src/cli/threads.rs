//! How many threads a command runs with.

use super::{Failure, say};
use crate::job;
use crate::output::OutputError;
use crate::threads::processors;
use rayon::ThreadPool;

/// As many threads as are asked for, or as there are processors.
pub(super) fn wanted(threads: Option<u16>) -> usize {
    threads.map_or_else(processors, usize::from)
}

/// A pool of so many threads. `what` names the command, for messages. Where the system has no room
/// for as many, there are fewer, and a note says so; no output depends on their number.
///
/// # Errors
/// When there is too little memory for one.
pub(super) fn pool(wanted: usize, what: &str, quiet: bool) -> Result<ThreadPool, Failure> {
    let pool = job::thread_pool(wanted)
        .map_err(|cause| OutputError::new("start threads for", what, cause))?;
    let threads = pool.current_num_threads();
    if threads < wanted && !quiet {
        let said = format!(
            "note: {what} runs with {threads} of {wanted} threads: the system has no room for more"
        );
        say::aside(&said);
    }
    Ok(pool)
}

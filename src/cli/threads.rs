//! Number of threads of a command.

use super::{Failure, say};
use crate::job;
use crate::output::OutputError;
use crate::threads::processors;
use rayon::ThreadPool;

/// Requested number of threads, or the number of processors.
pub(super) fn wanted(threads: Option<u16>) -> usize {
    threads.map_or_else(processors, usize::from)
}

/// Creates a pool of `wanted` threads. If the system refuses some threads, the pool has fewer and a
/// note is printed. `what` names the command in messages. No output depends on the number of
/// threads.
///
/// # Errors
/// There is too little memory for one thread.
pub(super) fn pool(wanted: usize, what: &str, quiet: bool) -> Result<ThreadPool, Failure> {
    let pool = job::thread_pool(wanted)
        .map_err(|cause| OutputError::new("start threads for", what, cause))?;
    let threads = pool.current_num_threads();
    if threads < wanted && !quiet {
        let message = format!(
            "note: {what} runs with {threads} of {wanted} threads: the system refused more"
        );
        say::aside(&message);
    }
    Ok(pool)
}

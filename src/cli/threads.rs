//! How many threads a command runs with.

use super::{Failure, say};
use crate::job::Need;
use crate::output::OutputError;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::io;

/// As many threads as are asked for, or as there are processors.
pub(super) fn wanted(threads: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    threads.map_or_else(processors, usize::from)
}

/// A pool of so many threads. `what` names the command, for messages. Where the system has no room
/// for as many, there are fewer, and a note says so; no output depends on their number.
///
/// # Errors
/// When there is too little memory for one.
pub(super) fn pool(wanted: usize, what: &str, quiet: bool) -> Result<ThreadPool, Failure> {
    let refuse = |cause| OutputError::new("start threads for", what, cause).into();
    let mut threads = wanted;
    while !Need::of_threads(threads).is_met(threads) {
        if threads == 1 {
            let cause = io::Error::new(io::ErrorKind::OutOfMemory, "there is too little memory");
            return Err(refuse(cause));
        }
        threads /= 2;
    }
    let mut pool = build(threads);
    while threads > 1 && pool.is_err() {
        threads /= 2;
        pool = build(threads);
    }
    if threads < wanted && !quiet {
        let said = format!(
            "note: {what} runs with {threads} of {wanted} threads: the system has no room for more"
        );
        say::aside(&said);
    }
    pool.map_err(|error| refuse(io::Error::other(error)))
}

fn build(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    // With one thread this one does the work itself, if it is in no pool yet: it can be in one.
    let is_alone = threads == 1 && rayon::current_thread_index().is_none();
    if is_alone { pool.use_current_thread().build() } else { pool.build() }
}
